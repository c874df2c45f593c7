package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"rosenblatt/cmd/internal/cli"
)

// TestProduceLabels: labels come later than their events, in an order of their own, and as often as is printed.
func TestProduceLabels(t *testing.T) {
	t.Parallel()
	const n = 2000
	k := broker(t, kfake.SeedTopics(4, "events"), kfake.SeedTopics(3, "labels"))
	got := call(t, "", "produce", "--brokers", k, "--topic", "events", "--generate", "hyperplane", "--count",
		fmt.Sprint(n), "--labels-out", "labels", "--label-delay", "300ms", "--key", "id",
		"--label-faults", "never=0.1,twice=0.1,early=0.05,orphan=0.05")
	got.want(t, cli.ExitDone, fmt.Sprintf("%d events in events", n), "labels will follow until ")
	printed := strings.ReplaceAll(got.stdout, ",", "")
	counts := regexp.MustCompile(`in labels: (\d+) labels (\d+) events without a label (\d+) events with two ` +
		`(\d+) labels before the event (\d+) labels of no event\n`).FindStringSubmatch(printed)
	var records int
	if counts == nil {
		t.Fatal(got.stdout)
	}
	if _, err := fmt.Sscan(counts[1], &records); err != nil {
		t.Fatal(err)
	}
	events := eventsWithoutLabels(t, fetched(t, k, "events", n))
	labels, early, orphans, disorder := map[string]int{}, 0, 0, 0
	before := map[int32]int{} // the number of the event of the last label, by partition
	for _, r := range fetched(t, k, "labels", records) {
		var l struct{ ID, Label json.RawMessage }
		if err := json.Unmarshal(r.Value, &l); err != nil || l.Label == nil {
			t.Fatalf("label %s: %v", r.Value, err)
		}
		labels[string(l.ID)]++
		var number int
		_, _ = fmt.Sscanf(string(l.ID), `"e%d`, &number)
		if number < before[r.Partition] {
			disorder++
		}
		before[r.Partition] = number
		switch e := events[string(l.ID)]; {
		case e == nil:
			orphans++
		case r.Timestamp.Before(e.Timestamp):
			early++
		}
	}
	never, twice := n-len(labels)+orphans, 0
	for _, times := range labels {
		if times > 1 {
			twice++
		}
	}
	for i, x := range []int{never, twice, early, orphans} {
		if fmt.Sprint(x) != counts[i+2] {
			t.Errorf("%d, and printed is %s: never, twice, early, orphans of %s", x, counts[i+2], counts[0])
		}
	}
	if disorder < n/10 {
		t.Errorf("only %d labels come after one of a later event", disorder)
	}
}

// eventsWithoutLabels returns the events by id.
func eventsWithoutLabels(t *testing.T, records []*kgo.Record) map[string]*kgo.Record {
	t.Helper()
	events := map[string]*kgo.Record{}
	for _, r := range records {
		var e struct{ ID, Label json.RawMessage }
		if err := json.Unmarshal(r.Value, &e); err != nil || e.Label != nil || `"`+string(r.Key)+`"` != string(e.ID) {
			t.Fatalf("event %s with the key %s: %v", r.Value, r.Key, err)
		}
		events[string(e.ID)] = r
	}
	return events
}

// fetched reads n records of a topic, in no order of partitions.
func fetched(t *testing.T, address, topic string, n int) (all []*kgo.Record) {
	t.Helper()
	cl, err := kgo.NewClient(kgo.SeedBrokers(address), kgo.ConsumeTopics(topic))
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	for len(all) < n {
		fetches := cl.PollFetches(t.Context())
		if err := fetches.Err(); err != nil {
			t.Fatal(err)
		}
		all = append(all, fetches.Records()...)
	}
	if len(all) > n {
		t.Errorf("%d records in %s, want %d", len(all), topic, n)
	}
	return all
}

// TestProduceLabelsOfRows: a table without ids, sent twice, gets ids of its own, and replay joins its labels as told.
func TestProduceLabelsOfRows(t *testing.T) {
	t.Parallel()
	k := broker(t)
	rows := write(t, "e.csv", "x,up\n1,1\n-1,0\n2,1\n-2,\n")
	got := call(t, "", "produce", rows, "--brokers", k, "--topic", "rows", "--create-topic", "--repeat", "2",
		"--labels-out", "rows.labels", "--label-field", "up", "--label-delay", "1ms", "--id-prefix", "r")
	got.want(t, cli.ExitDone, "8 events in rows", "sent as they are, without an id or a label: 2 events\n")
	flags := "run needs: --format csv --columns 'x,up,id' --label-field 'up' --numeric 'x' --labels rows.labels " +
		"--labels-columns 'id,up'\n"
	if !strings.Contains(got.stderr, flags) || !strings.Contains(got.stdout, "in rows.labels: 6 labels\n") {
		t.Errorf("%s%s", got.stdout, got.stderr)
	}
	want := "1,,r0 -1,,r1 2,,r2 -2,,r3 1,,r4 -1,,r5 2,,r6 -2,,r7"
	if got := strings.Join(values(t, k, "rows", 0, 8), " "); got != want {
		t.Errorf("events %s, want %s", got, want)
	}
	call(t, "", "replay", "--brokers", k, "--topic", "rows", "--format", "csv", "--columns", "x,up,id", "--id-field",
		"id", "--label-field", "up", "--labels", "rows.labels", "--labels-columns", "id,up").want(t, cli.ExitDone,
		"labelled", "")
	call(t, "", "run", "--brokers", k, "--input", "rows", "--format", "csv", "--columns", "x,up,id", "--label-field",
		"up", "--labels", "rows.labels", "--labels-columns", "id,up", "--create-topics", "--until-end", "--http", "off",
		"--state", t.TempDir()).want(t, cli.ExitDone, "labels that come later: 2 predictions wait, 0 label "+
		"records were rejected, 0 repeat a label\n", `"predictions":1,"untrained":1,"waiting":1,"lag":`)
}

func TestProduceLabelsRefuses(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(1, "events"))
	to := []string{"produce", "--brokers", k, "--topic", "events"}
	for want, args := range map[string][]string{
		"labels-out: events is the topic of events": {"--labels-out", "events"},
		`label-faults: "never=2": want each of`:     {"--labels-out", "l", "--label-faults", "never=2"},
		`label-faults: "late=0.1": want each of`:    {"--labels-out", "l", "--label-faults", "late=0.1"},
		"never, twice and early are 1.2 together":   {"--labels-out", "l", "--label-faults", "never=0.6,early=0.6"},
		"label-faults: they need --labels-out":      {"--label-faults", "never=0.1"},
		"label-delay: -1s: want 0 or more":          {"--labels-out", "l", "--label-delay=-1s"},
		"label-field: missing: want the field":      {"--labels-out", "l", "--label-field="},
	} {
		call(t, "", append(append(to, "--generate", "hyperplane"), args...)...).want(t, cli.ExitUsage, "", want)
	}
	call(t, "1 a:1\n", append(to, "-", "--format", "vw", "--labels-out", "l")...).want(t, cli.ExitFailed, "",
		"events in vw are sent as they are: want json or a table such as csv")
	call(t, "", append(to, write(t, "e.csv", "a,b\n1,2\n"), "--labels-out", "l")...).want(t, cli.ExitFailed, "",
		"id-field: the header names no column id: want one of a, b")
	call(t, "", append(to, "--generate", "hyperplane", "--count", "1", "--labels-out", "nowhere")...).want(t,
		cli.ExitFailed, "", "topic nowhere does not exist: create it, or say --create-topic")
}
