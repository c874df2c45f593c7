package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/cmd/internal/cli"
)

func TestProduceFile(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(1, "events"))
	to := []string{"produce", "--brokers", k, "--topic", "events"}
	lines := "{\"x\":1}\n{\"x\":2}\n\nbroken\n"
	call(t, "", append(to, write(t, "e.jsonl", lines), "--repeat", "2")...).want(t, cli.ExitDone, "6 events in events",
		"")
	call(t, lines, append(to, "-", "--format", "json", "--count", "2")...).want(t, cli.ExitDone, "2 events in events",
		"")
	call(t, "", append(to, write(t, "e.csv", "label,x\n1,2\n0,3\n"))...).want(t, cli.ExitDone, "2 events in events", "")
	call(t, "", append(to, write(t, "empty.jsonl", ""), "--repeat", "0")...).want(t, cli.ExitDone, "0 events in events",
		"")
	got := strings.Join(values(t, k, "events", 0, 10), " ")
	if want := `{"x":1} {"x":2} broken {"x":1} {"x":2} broken {"x":1} {"x":2} 1,2 0,3`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if n := length(t, k, "events", 0); n != 10 {
		t.Errorf("%d events, want 10", n)
	}
}

func TestProduceOverPartitions(t *testing.T) {
	t.Parallel()
	k := broker(t)
	call(t, "", "produce", "--brokers", k, "--topic", "events", "--generate", "hyperplane", "--count", "3000",
		"--create-topic", "--partitions", "3").
		want(t, cli.ExitDone, "3000 events in events", "")
	for p := range 3 {
		if n := length(t, k, "events", p); n != 1000 {
			t.Errorf("partition %d has %d of 3000 events", p, n)
		}
	}
}

func TestProduceRefuses(t *testing.T) {
	t.Parallel()
	k := broker(t)
	to := []string{"produce", "--brokers", k, "--topic", "events"}
	call(t, "", append(to, "--generate", "hyperplane")...).want(t, cli.ExitFailed, "",
		"topic events does not exist: create it, or say --create-topic")
	for want, args := range map[string][]string{
		"want one of them":                   {"e.jsonl", "--generate", "hyperplane"},
		`generate: "sphere": want hyper`:     {"--generate", "sphere"},
		"noise 2: want 0 to 0.5":             {"--generate", "hyperplane", "--noise", "2"},
		"these are for --generate":           {"e.jsonl", "--drift", "0"},
		"0.6 rare ones: want a share":        {"--generate", "payments", "--rare", "0.6"},
		"these are for --generate hyper":     {"--generate", "payments", "--noise", "0"},
		"rare: it is for --generate payment": {"--generate", "hyperplane", "--rare", "0.1"},
		`format: "xml": want json, libsvm`:   {"-", "--format", "xml"},
		`compression: "zip": want none, lz4`: {"e.jsonl", "--compression", "zip"},
		"no end to begin again at":           {"--generate", "hyperplane", "--repeat", "2"},
		"rate: -1: want 0 or more":           {"e.jsonl", "--rate=-1"},
		"can be read only once":              {"-", "--format", "json", "--repeat", "2"},
		"partitions: 0":                      {"e.jsonl", "--partitions", "0"},
		"what is generated is json":          {"--generate", "hyperplane", "--format", "csv"},
		"count: -5":                          {"e.jsonl", "--count=-5"},
		"repeat: -5: want 0 or more":         {"e.jsonl", "--repeat=-5"},
		"3 settings are wrong:\n  generate":  {"--generate", "a", "--rate=-1", "--partitions", "0"},
	} {
		call(t, "", append(to, args...)...).want(t, cli.ExitUsage, "", want)
	}
	call(t, "", append(to, "no-such.jsonl")...).want(t, cli.ExitFailed, "", "no-such.jsonl")
	call(t, "", "produce", "--brokers", "127.0.0.1:1", "--topic", "events", "--generate", "hyperplane").want(t,
		cli.ExitFailed, "", "connection refused")
}

// TestSignalEndsProduce: what passes a signal on sends it twice; both count as one, and the count is printed.
func TestSignalEndsProduce(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(1, "events"))
	path, err := buildOnce()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	p := exec.Command(path, "produce", "--brokers", k, "--topic", "events", "--generate", "hyperplane")
	p.Stdout = &out
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	values(t, k, "events", 0, 1000) // it is at work
	for range 2 {
		if err := p.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Wait(); err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("%d events in events", length(t, k, "events", 0)); !strings.Contains(out.String(), want) {
		t.Errorf("%q, want %s", out.String(), want)
	}
}

// keyed reads the keys of a partition's records with their values.
func keyed(t *testing.T, address, topic string, partition int) (all [][2]string) {
	t.Helper()
	n := length(t, address, topic, partition)
	r := kafkago.NewReader(kafkago.ReaderConfig{Brokers: []string{address}, Topic: topic, Partition: partition,
		MaxWait: 50 * time.Millisecond})
	defer func() { _ = r.Close() }() // it was only read
	for range n {
		m, err := r.ReadMessage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		key := "none"
		if m.Key != nil {
			key = string(m.Key)
		}
		all = append(all, [2]string{key, string(m.Value)})
	}
	return all
}

// TestProduceKeyed: events of one key go, in order, to the partition that Kafka's own clients choose for it.
func TestProduceKeyed(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(5, "events", "rows"))
	to := []string{"produce", "--brokers", k, "--topic", "events", "--key", "user.name"}
	lines := `{"x":1,"user":{"name":"ann"}}` + "\n" + `{"x":2,"user":{"name":8}}` + "\n" +
		`{"x":3,"user":{"name":"ann"}}` + "\n" +
		`{"x":4,"user":{"name":null}}` + "\n" + "broken\n" + `{"user":"ann"}` + "\n"
	call(t, lines, append(to, "-", "--format", "json")...).want(t, cli.ExitDone, "6 events in events",
		"3 of them without a key: they have no user.name\n")
	call(t, `{"id":1,"label":1,"x":1}`, append(to, "-", "--format", "json", "--labels-out", "events.labels",
		"--create-topic", "--label-delay", "0s")...).want(t, cli.ExitDone, "", "they have no user.name; their labels"+
		" may be in other partitions than they are, where a model of one partition")
	found := map[string]string{}
	for p := range 5 {
		for _, r := range keyed(t, k, "events", p) {
			found[r[0]] += r[1]
			// What Java's DefaultPartitioner gives for "ann" and "8" of five partitions.
			if want, ok := map[string]int{"ann": 4, "8": 2}[r[0]]; ok && want != p {
				t.Errorf("key %s is in partition %d, want %d", r[0], p, want)
			}
		}
	}
	if found["ann"] != `{"x":1,"user":{"name":"ann"}}{"x":3,"user":{"name":"ann"}}` ||
		found["8"] != `{"x":2,"user":{"name":8}}` {
		t.Errorf("found %q", found)
	}
	rows := write(t, "e.csv", "id,amount,country\n1,5,\"a,b\"\n2,6,\n")
	call(t, "", "produce", rows, "--brokers", k, "--topic", "rows", "--key", "country").want(t, cli.ExitDone,
		"2 events in rows",
		"columns, from the header: id,amount,country\nrun needs: --format csv --columns 'id,amount,country'")
	all := ""
	for p := range 5 {
		for _, r := range keyed(t, k, "rows", p) {
			all += r[0] + " " + r[1] + ";"
		}
	}
	if !strings.Contains(all, `a,b 1,5,"a,b";`) || !strings.Contains(all, "none 2,6,;") {
		t.Errorf("rows: %s", all)
	}
	call(t, "", "produce", rows, "--brokers", k, "--topic", "rows", "--key", "town").want(t, cli.ExitFailed, "",
		"no column town: want one of id, amount, country")
	call(t, "1 a:1\n", "produce", "-", "--format", "vw", "--brokers", k, "--topic", "rows", "--key", "tag").want(t,
		cli.ExitFailed, "", "events in vw have no fields by name")
}

// TestProduceGenerates a stream; the daemon rejects nothing of it.
func TestProduceGenerates(t *testing.T) {
	t.Parallel()
	k := broker(t)
	call(t, "", "produce", "--brokers", k, "--topic", "events", "--create-topic", "--generate", "hyperplane", "--seed",
		"3", "--noise", "0.2", "--drift", "0.01", "--count", "1500").want(t, cli.ExitDone, "1500 events in events", "")
	call(t, "", "run", "--brokers", k, "--input", "events", "--state", t.TempDir(), "--until-end", "--http", "off",
		"--create-topics", "--bits", "10").want(t, cli.ExitDone, "1500 predictions, 1500 of them labelled", "")
}

// TestProduceRefused: an event that the topic does not take is named, and what went before it is counted.
func TestProduceRefused(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(1, "events"))
	alter := kmsg.NewPtrIncrementalAlterConfigsRequest()
	alter.Resources = []kmsg.IncrementalAlterConfigsRequestResource{{ResourceType: kmsg.ConfigResourceTypeTopic,
		ResourceName: "events",
		Configs: []kmsg.IncrementalAlterConfigsRequestResourceConfig{{Name: "max.message.bytes",
			Value: kmsg.StringPtr("10000")}}}}
	admin, err := kgo.NewClient(kgo.SeedBrokers(k))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(admin.Close)
	if _, err := alter.RequestWith(t.Context(), admin); err != nil {
		t.Fatal(err)
	}
	lines := "{\"x\":1}\n{\"x\":2}\n{\"long\":\"" + strings.Repeat("z", 20_000) + "\"}\n{\"x\":4}\n"
	call(t, lines, "produce", "-", "--format", "json", "--brokers", k, "--topic", "events").
		want(t, cli.ExitFailed, "2 events in events", `an event of 20011 bytes is refused: MESSAGE_TOO_LARGE (code 10)`)
	if n := length(t, k, "events", 0); n != 2 {
		t.Errorf("%d events in the topic, want 2", n)
	}
}

// TestProduceIndeterminate: when brokers stop responding, what is not acknowledged is counted apart.
func TestProduceIndeterminate(t *testing.T) {
	t.Parallel()
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "events"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Close)
	var batches atomic.Int64
	cluster.ControlKey(int16(kmsg.Produce), func(req kmsg.Request) (kmsg.Response, error, bool) {
		cluster.KeepControl()
		if batches.Add(1) < 3 {
			return nil, nil, false
		}
		res := req.ResponseKind().(*kmsg.ProduceResponse)
		topic, partition := kmsg.NewProduceResponseTopic(), kmsg.NewProduceResponseTopicPartition()
		topic.Topic, partition.ErrorCode = "events", int16(kafkago.OutOfOrderSequenceNumber)
		topic.Partitions = append(topic.Partitions, partition)
		res.Topics = append(res.Topics, topic)
		return res, nil, true
	})
	call(t, "", "produce", "--generate", "hyperplane", "--count", "100", "--rate", "200", "--brokers",
		cluster.ListenAddrs()[0], "--topic", "events").
		want(t, cli.ExitFailed, "more were sent but not acknowledged, they may be in the topic, too",
			"sending to events: ")
}

// TestProduceUnreadLines: lines that an encoding does not read are named with the bytes and with encodings that do, and
// are not sent with others in their place.
func TestProduceUnreadLines(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(1, "events", "again"))
	path := write(t, "e.jsonl", "{\"x\":1}\n{\"x\":\"caf\xe9\"}\n{\"x\":\"\x83e\"}\n")
	to := []string{"produce", path, "--brokers", k, "--topic"}
	got := call(t, "", append(to, "events", "--encoding", "shift_jis")...)
	got.want(t, cli.ExitFailed, "2 events in events",
		path+`:2: encoding: offset 9: "\xe9\"" is not shift_jis; --encoding cp1252 reads it`)
	got.want(t, cli.ExitFailed, "", "1 line was not sent")
	if got := strings.Join(values(t, k, "events", 0, 2), " "); got != `{"x":1} {"x":"テ"}` {
		t.Error(got)
	}
	call(t, "", append(to, "again", "--encoding", "cp1252")...).want(t, cli.ExitDone, "3 events in again", "")
	for _, command := range []string{"replay", "train"} {
		got := call(t, "", command, path, "--encoding", "shift_jis")
		got.want(t, got.code, "", path+`:2:10: encoding: "\xe9\"" is not shift_jis; --encoding cp1252 reads it`+"\n")
	}
}

// TestProduceNamesLabels: the settings that produce prints for run have the labels, too, in every format; run accepts
// them with --text-field.
func TestProduceNamesLabels(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{"e.svm": "run needs: --format libsvm --label-names 1,2\n",
		"e.vw": "run needs: --format vw --label-names=-2,2\n", "e.jsonl": "run needs: --label-names no,yes\n",
		"e.json": "run needs: --task multiclass\n",
		"f.vw":   "run needs: --format vw\n"} {
		lines := map[string]string{"e.svm": "2 1:1\n1 1:2\n", "e.vw": "2 | x\n-2 | y\n",
			"e.jsonl": `{"label":"yes","x":1}` + "\n" + `{"label":"no","x":1}` + "\n",
			"e.json":  `{"label":"a","x":1}` + "\n" + `{"label":"b","x":1}` + "\n" + `{"label":"c","x":1}` + "\n"}
		k := broker(t, kfake.SeedTopics(1, "events"))
		got := call(t, "", "produce", write(t, file, lines[file]), "--brokers", k, "--topic", "events")
		got.want(t, cli.ExitDone, "in events", want)
	}
	k := broker(t, kfake.SeedTopics(1, "events"))
	to := []string{"produce", write(t, "e.tsv", messages), "--brokers", k, "--topic", "events", "--no-header"}
	got := call(t, "", append(to, "--label-field", "c1")...)
	got.want(t, cli.ExitDone, "60 events", "--label-field 'c1' --label-names ham,spam --categorical 'c2'\n")
	got.want(t, cli.ExitDone, "", "c2: texts of several words: --text-field c2, too, splits them into words")
	run := append([]string{"run", "--brokers", k, "--input", "events", "--create-topics", "--until-end", "--http",
		"off", "--state", t.TempDir(), "--text-field", "c2"}, settingsFor(t, got.stderr)...)
	call(t, "", run...).want(t, cli.ExitDone, "60 predictions, 60 of them labelled", "")
	call(t, "", to...).want(t, cli.ExitDone, "60 events", "is it the text? --text-field c2 splits it into words")
}
