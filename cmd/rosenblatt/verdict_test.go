package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/streamtest"
)

// avro is a record of a schema registry.
const avro = "\x00\x00\x00\x00\x02\x02\x10abc"

// TestCheckCounts: the verdict of check is the worst that it found.
func TestCheckCounts(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(1, "events", "events.predictions", "events.dlq", "few", "few.predictions",
		"few.dlq"))
	c := streamtest.Connect(t, k)
	c.Produce(t, "events", 0, append(slices.Repeat([]string{avro}, 19), `{"x":1,"label":1}`)...)
	c.Produce(t, "few", 0, append(slices.Repeat([]string{`{"x":1,"label":1}`}, 19), avro)...)
	check := func(input string) outcome {
		return call(t, "", "check", "--brokers", k, "--input", input, "--state", t.TempDir())
	}
	got := check("events")
	got.want(t, cli.ExitFailed, "FAIL  events       the newest 20 events: 1 with a label, 19 rejected as syntax: "+
		"19 of 20 events are rejected: syntax 19 times, the first: ", "")
	got.want(t, cli.ExitFailed, ": --format avro or protobuf with --schema-registry URL reads it\n", "")
	got.want(t, cli.ExitFailed, "One thing is wrong.\n", "")
	got = check("few")
	got.want(t, cli.ExitDone, "warn  events       1 of 20 are rejected as syntax, the first: ", "")
	got.want(t, cli.ExitDone, "A daemon would start, but heed 1 warning: events.\n", "")
	if strings.Contains(got.stdout, "All is in order") {
		t.Error(got.stdout)
	}
}

// TestCheckCountsLabels: likewise of labels.
func TestCheckCountsLabels(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(1, "events", "events.predictions", "events.dlq", "events.outcomes", "clicks"))
	c := streamtest.Connect(t, k)
	c.Produce(t, "events", 0, `{"id":"e","x":1}`)
	c.Produce(t, "clicks", 0, slices.Repeat([]string{`{"event":"e","label":1}`}, 19)...)
	c.Produce(t, "clicks", 0, `{"id":"e","label":1}`)
	checkLabels(t, k).want(t, cli.ExitFailed,
		"FAIL  labels       the newest 20 labels: 19 are rejected, most as no-id: ", "")
}

// last returns the last line of what was printed.
func last(text string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	return lines[len(lines)-1]
}

// TestReplayVerdict: the last line is the worst that was found; labels that are all rejected are an error.
func TestReplayVerdict(t *testing.T) {
	t.Parallel()
	events := write(t, "events.jsonl", `{"id":1,"t":1700000000000,"x":1}
{"id":2,"t":1700000060000,"x":-1}
`)
	csv := write(t, "labels.csv", "id,t,label\n1,1700003600000,1\n2,1700003660000,0\n")
	late := []string{"replay", events, "--time-field", "t", "--labels"}
	got := call(t, "", append(late, csv, "--labels-format", "csv")...)
	got.want(t, cli.ExitFailed, "rejected 2 of 2 label records", "2 of 2 labels found no event: ids of events are "+
		`numbers, those of labels text; 7 and "7" are two ids, so no label finds its event: --ids text makes them one`)
	got = call(t, "", append(late, csv, "--labels-format", "csv", "--ids", "text")...)
	got.want(t, cli.ExitDone, "examples: labelled 2\n", "rosenblatt: all labels that came (2) are of predictions that"+
		" were made before anything was learned: they were learned, and are in no figure\n")

	clicks := write(t, "clicks.csv", "id,t,click\n1,1700003600000,1\n")
	call(t, "", append(late, clicks)...).want(t, cli.ExitUsage, "", "need an id and a label; --labels-label-field NAME"+
		" names the label\n")

	for _, c := range []struct{ label, want string }{
		{`{"event":1,"t":1700003600000,"label":1}`, "2 of 2 labels were rejected, most as no-id, the first: the " +
			"label record has no id (id); --labels-id-field NAME names the id of the event"},
		{`{"id":1,"t":1700003600000,"click":1}`, "most as no-label, the first: the label record has no label " +
			"(label); --labels-label-field NAME names the label"},
		{`{"id":1,"t":1700003600000,"label":"yes"}`, "--label-names NEGATIVE,POSITIVE or --positive LABEL says how"},
	} {
		labels := write(t, "labels.jsonl", c.label+"\n"+c.label+"\n")
		got := call(t, "", append(late, labels)...)
		if got.code != cli.ExitFailed || !strings.Contains(last(got.stderr), c.want) {
			t.Errorf("exit %d, %s, want %s", got.code, last(got.stderr), c.want)
		}
	}

	rows := strings.Repeat(avro+"\n", 19) + `{"x":1,"label":1}`
	got = call(t, "", "replay", write(t, "most.jsonl", rows))
	want := "19 of 20 events were rejected: the figures are of the others alone; most as syntax, the first: "
	if got.code != cli.ExitDone || !strings.Contains(last(got.stderr), want) {
		t.Errorf("exit %d, %s, want %s", got.code, last(got.stderr), want)
	}
	rows = strings.Repeat(`{"x":1,"label":1}`+"\n", 19) + "{"
	got = call(t, "", "replay", write(t, "few.jsonl", rows))
	want = "rosenblatt: 1 of 20 events were rejected; most as syntax, the first: "
	if got.code != cli.ExitDone || !strings.HasPrefix(last(got.stderr), want) {
		t.Errorf("exit %d, %s, want %s", got.code, last(got.stderr), want)
	}
}

// TestIDsAsText: with --ids text a daemon joins numbers with texts, check finds nothing against it, and verify repeats
// it. The setting is fixed for the model.
func TestIDsAsText(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(1, "events", "clicks"))
	c := streamtest.Connect(t, k)
	began := time.Now().Add(-time.Hour).UnixMilli()
	for i := range 20 {
		c.ProduceAt(t, "events", 0, began+int64(i), fmt.Sprintf(`{"id":%d,"x":%d}`, i, i%2))
		c.ProduceAt(t, "clicks", 0, began+60_000+int64(i), fmt.Sprintf(`{"id":"%d","label":%d}`, i, i%2))
	}
	state := t.TempDir()
	common := []string{"--brokers", k, "--input", "events", "--labels", "clicks", "--state", state}
	got := call(t, "", append([]string{"check", "--create-topics"}, common...)...)
	got.want(t, cli.ExitFailed, "FAIL  labels       ids of events are numbers, those of labels text: 7 and", "")
	text := append(common, "--ids", "text")
	got = call(t, "", append([]string{"check", "--create-topics"}, text...)...)
	if got.code != cli.ExitDone || strings.Contains(got.stdout, "ids of events") {
		t.Errorf("exit %d: %s", got.code, got.stdout)
	}
	call(t, "", append([]string{"run", "--create-topics", "--until-end", "--http", "off"}, text...)...).want(t,
		cli.ExitDone, "", "")
	call(t, "", append([]string{"verify"}, text...)...).want(t, cli.ExitDone, "outcomes: 20 labelled", "")
	call(t, "", append([]string{"run", "--until-end", "--http", "off"}, common...)...).want(t, cli.ExitDone+4, "",
		"decode.textIDs")
}
