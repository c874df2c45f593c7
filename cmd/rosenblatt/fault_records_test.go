package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"rosenblatt/cmd/internal/generate"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// newProducer makes a client that writes to any partition.
func newProducer(t *testing.T, s *streamtest.Setup, opts ...kgo.Opt) *kgo.Client {
	t.Helper()
	cl, err := kgo.NewClient(append([]kgo.Opt{kgo.SeedBrokers(s.Cluster.Brokers...), kgo.DefaultProduceTopic(s.Name),
		kgo.RecordPartitioner(kgo.ManualPartitioner())}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cl.Close)
	return cl
}

func produce(t *testing.T, cl *kgo.Client, values ...string) {
	t.Helper()
	var records []*kgo.Record
	for i, v := range values {
		records = append(records, &kgo.Record{Key: fmt.Appendf(nil, "k%d", i), Value: []byte(v)})
	}
	if err := cl.ProduceSync(context.Background(), records...).FirstErr(); err != nil {
		t.Fatal(err)
	}
}

// named are n generated ones, with ids that begin with a word.
func named(word string, n int) (all []string) {
	g := generate.New(uint64(len(word)))
	for i := range n {
		rest := strings.SplitN(string(g.AppendJSON(nil)), ",", 2)[1]
		all = append(all, fmt.Sprintf(`{"id":"%s%d",%s`, word, i, rest))
	}
	return all
}

// TestFaultTransactionalInput: what was aborted is never predicted, markers are passed, and an open transaction holds
// the reader until it ends (row 43).
func TestFaultTransactionalInput(t *testing.T) {
	n := oneNode(t)
	t.Parallel()
	s := n.setup(t, 1)
	p := start(t, s, s.Dir)
	txn := newProducer(t, s, kgo.TransactionalID(s.Name+"-source"))
	run := func(word string, records int, end kgo.TransactionEndTry) {
		if err := txn.BeginTransaction(); err != nil {
			t.Fatal(err)
		}
		for range 3 { // several batches each
			produce(t, txn, named(word, records)...)
		}
		if err := txn.EndTransaction(context.Background(), end); err != nil {
			t.Fatal(err)
		}
	}
	for range 4 {
		run("kept", 20, kgo.TryCommit)
		run("aborted", 20, kgo.TryAbort)
		produce(t, newProducer(t, s), named("plain", 20)...)
	}
	p.caughtUp(t, 4*(60+20))
	if err := txn.BeginTransaction(); err != nil {
		t.Fatal(err)
	}
	produce(t, txn, named("open", 10)...)
	produce(t, newProducer(t, s), named("behind", 10)...)
	if s := p.await(t, "the lag", func(s daemonStatus) bool { return s.Lag == 10+10 }); s.Read != 4*(60+20) {
		t.Errorf("%d records were read while a transaction was open", s.Read)
	}
	if err := txn.EndTransaction(context.Background(), kgo.TryAbort); err != nil {
		t.Fatal(err)
	}
	p.caughtUp(t, 4*(60+20)+10)
	o := p.exact(t, s)
	for _, a := range o.Values {
		if strings.Contains(string(a), `"aborted`) || strings.Contains(string(a), `"open`) {
			t.Errorf("predicted though it was aborted: %s", a)
		}
	}
	if len(o.Predictions) != 330 {
		t.Errorf("%d predictions, want 330", len(o.Predictions))
	}
}

// TestFaultCompactedInput: Kafka's cleaner has taken most records away, here and there whole batches; the rest is
// predicted, once each, before and after a kill (row 44).
func TestFaultCompactedInput(t *testing.T) {
	n := oneNode(t)
	t.Parallel()
	s := n.setup(t, 1)
	s.Cluster.SetConfig(t, s.Name, "cleanup.policy", "compact")
	s.Cluster.SetConfig(t, s.Name, "segment.ms", "100")
	s.Cluster.SetConfig(t, s.Name, "min.cleanable.dirty.ratio", "0.001")
	cl := newProducer(t, s)
	for i := range 12 { // of sixty keys again and again, fewer each time
		produce(t, cl, named(fmt.Sprintf("round%d-", i), 60-4*i)...)
		time.Sleep(110 * time.Millisecond) // what makes segments of it is their age
	}
	produce(t, cl, named("last", 1)...)
	input := func() []topics.Record {
		return streamtest.Read(t, s.Client(t), topics.Input, 0, bounds(t, s).Input.Partitions[0])
	}
	streamtest.Await(t, "the cleaner", func() bool { return len(input()) < 200 })
	s.Cluster.SetConfig(t, s.Name, "min.cleanable.dirty.ratio", "1") // it stays as it is from here on

	last, steady := 0, 0 // a pass of the cleaner may be under way
	streamtest.Await(t, "the cleaner is done", func() bool {
		if n := len(input()); n != last {
			last, steady = n, 0
		}
		steady++
		return steady > 20
	})
	p := start(t, s, s.Dir, "--chunk-records", "7")
	streamtest.Await(t, "some predictions", func() bool { return predicted(t, s.Client(t)) > 10 })
	p.signal(t, 9)
	start(t, s, s.Dir, "--until-end").ended(t)
	o := exact(t, s, s.Dir)
	end := bounds(t, s).Input.Partitions[0].End
	if n := len(o.Predictions); n < 60 || int64(n) > end/2 {
		t.Errorf("%d predictions of %d offsets: nothing was compacted", n, end)
	}
	t.Logf("%d records left of %d offsets", len(o.Predictions), end)
}

// TestFaultPredictionTooLarge: the output takes small batches only, and then smaller ones still while the daemon runs.
// What does not fit is rejected before it is learned, all else is predicted; what the broker refuses although the
// daemon could not know is learned already, and published in its short form (row 21).
func TestFaultPredictionTooLarge(t *testing.T) {
	n := oneNode(t)
	t.Parallel()
	s := n.setup(t, 1)
	s.Cluster.SetConfig(t, s.Output(), "max.message.bytes", "4000")
	p := start(t, s, s.Dir)
	cl := newProducer(t, s)
	large := func(bytes int) string { return named(strings.Repeat("x", bytes), 1)[0] }
	produce(t, cl, append(named("a", 100), large(2000), large(5000))...)
	produce(t, cl, named("b", 100)...)
	p.caughtUp(t, 202)
	s.Cluster.SetConfig(t, s.Output(), "max.message.bytes",
		"1500") // the daemon has not heard of it: the broker refuses
	produce(t, cl, append(named("c", 100), large(2000))...)
	produce(t, cl, named("d", 100)...)
	p.caughtUp(t, 403)
	if got := p.status(t).Rejected["prediction-too-large"]; got != 1 {
		t.Errorf("%d rejected, want 1", got)
	}
	if o := p.exact(t, s); len(o.Predictions) != 402 || len(o.DeadLetters) != 1 {
		t.Errorf("%d predictions, %d dead letters", len(o.Predictions), len(o.DeadLetters))
	}
}

// TestFaultBadRecords: a topic of everything that events should not be: each is dead-lettered with its reason, what is
// odd but sound is learned, the weights stay finite (rows 35, 36, 37).
func TestFaultBadRecords(t *testing.T) {
	n := oneNode(t)
	t.Parallel()
	s := n.setup(t, 1)
	want := map[string]int64{}
	var records []*kgo.Record
	for _, c := range []struct{ value, reason string }{
		{"", "empty"}, {"{", "syntax"}, {"[1,2]", "syntax"}, {`{"features":{"a":1}`, "syntax"},
		{"\xff\xfe", "encoding"}, {`{"id":"\ud800","features":{"a":1}}`, "encoding"},
		{strings.Repeat("[", 100_000), "syntax"},
		{`{"features":` + strings.Repeat(`{"a":`, 40) + "1" + strings.Repeat("}", 41), "too-deep"},
		{`{"label":1,"label":1,"features":{"a":1}}`, "duplicate-field"},
		{`{"label":7,"features":{"a":1}}`, "bad-label"}, {`{"label":[],"features":{"a":1}}`, "bad-label"},
		{`{"label":1,"features":[1]}`, "bad-features"}, {`{"label":1,"features":{"a":NaN}}`, "syntax"},
		{`{"label":1,"features":{"a":Infinity}}`, "syntax"},
		{`{"label":1,"features":{"a":1e400}}`, "out-of-range"}, {`{"label":1,"features":{"a":1e39}}`, "out-of-range"},
		{`{}`, "no-features"}, {`{"label":1,"features":{}}`, ""}, {`{"label":1}`, ""},
		{`{"label":1,"features":{"a":1e29}}`, ""}, {`{"label":-1,"features":{"a":-0}}`, ""},
		{`{"label":1,"features":{"a":5e-324}}`, ""}, {`{"label":1,"features":{"b":1,"b":2}}`, ""},
		{`{"features":{"a":1}}`, ""}, {`{"label":null,"features":{"a":1}}`, ""},
		{`{"id":"` + strings.Repeat("z", 1<<20) + `","label":1,"features":{"a":1}}`, "too-large"},
	} {
		records = append(records, &kgo.Record{Topic: s.Name, Value: []byte(c.value)})
		if c.reason != "" {
			want[c.reason]++
		}
	}
	records = append(records, &kgo.Record{Topic: s.Name, Key: []byte("tombstone")})
	want["empty"]++
	s.Cluster.SetConfig(t, s.Name, "max.message.bytes", "4000000")
	if err := newProducer(t, s, kgo.ProducerBatchMaxBytes(3_000_000)).ProduceSync(context.Background(),
		records...).FirstErr(); err != nil {
		t.Fatal(err)
	}
	p := start(t, s, s.Dir)
	p.caughtUp(t, int64(len(records)))
	got := p.status(t).Rejected
	for reason, n := range want {
		if got[reason] != n {
			t.Errorf("%s: %d rejected, want %d", reason, got[reason], n)
		}
	}
	o := p.exact(t, s)
	if len(o.Predictions) != 8 {
		t.Errorf("%d predictions, want 8", len(o.Predictions))
	}
}

// TestFaultBomb: a batch of a few kilobytes that unpacks to 80 MB stops the daemon, which never holds it; --skip passes
// it (row 41).
func TestFaultBomb(t *testing.T) {
	n := oneNode(t)
	t.Parallel()
	s := n.setup(t, 1)
	cl := newProducer(t, s)
	produce(t, cl, named("before", 50)...)
	bomb := newProducer(t, s, kgo.ProducerBatchCompression(kgo.ZstdCompression()), kgo.ProducerBatchMaxBytes(100<<20),
		kgo.BrokerMaxWriteBytes(200<<20), kgo.MaxBufferedBytes(200<<20))
	if err := bomb.ProduceSync(context.Background(),
		&kgo.Record{Value: make([]byte, 80_000_000)}).FirstErr(); err != nil {
		t.Fatal(err)
	}
	produce(t, cl, named("after", 50)...)
	p := start(t, s, s.Dir)
	peak := int64(0)
	for running := true; running; {
		select {
		case <-p.done:
			running = false
		default:
			peak = max(peak, memory(p))
			time.Sleep(5 * time.Millisecond)
		}
	}
	p.stopped(t, stops.BadBatch, "offsets 50 to 50", "--skip 0:50-50")
	if peak == 0 || peak > 40_000_000 {
		t.Errorf("%d bytes resident at most", peak)
	}
	t.Logf("%d MB resident at most", peak>>20)
	start(t, s, s.Dir, "--skip", "0:50-50", "--until-end").ended(t)
	if predictions := published(t, s); len(predictions) != 100 || predictions[50].Offset != 51 {
		t.Errorf("%d predictions", len(predictions))
	}
}

// memory is the most that a running process has had resident, in bytes, besides its own program's pages, which grow
// with the program; 0 when it has ended.
func memory(p *process) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Process.Pid))
	if err != nil {
		return 0
	}
	kB := map[string]int64{}
	for line := range strings.Lines(string(text)) {
		if name, value, _ := strings.Cut(line, ":"); name == "VmHWM" || name == "RssFile" {
			kB[name], _ = strconv.ParseInt(strings.Fields(value)[0], 10, 64)
		}
	}
	return (kB["VmHWM"] - kB["RssFile"]) << 10
}

// TestFaultTopicsMissing: without an input or a dead-letter topic nothing starts (row 46).
func TestFaultTopicsMissing(t *testing.T) {
	n := oneNode(t)
	t.Parallel()
	s := n.setup(t, 1)
	supply(t, s, 100, 1)
	start(t, s, s.Dir, "--dead-letter", "nowhere").stopped(t, "", "nowhere")
	start(t, s, s.Dir, "--input", "nothing", "--output", s.Output(), "--dead-letter", s.DeadLetters()).stopped(t, "",
		"nothing")
	start(t, s, s.Dir, "--until-end").ended(t)
	exact(t, s, s.Dir)
}

// TestFaultPartitionsAdded: input, output and dead letters get partitions while the daemon runs; it fences them first,
// and every record of the new ones is predicted (row 31).
func TestFaultPartitionsAdded(t *testing.T) {
	n := oneNode(t)
	t.Parallel()
	s := n.setup(t, 1)
	p := start(t, s, s.Dir, "--create-topics")
	supply(t, s, 300, 1)
	p.caughtUp(t, 300)
	s.Cluster.AddPartitions(t, s.DeadLetters(), 2)
	s.Cluster.AddPartitions(t, s.Name, 3)
	supply(t, s, 300, 2)
	p.caughtUp(t, 1200)
	if o := p.exact(t, s); len(o.Predictions) != 1176 || len(o.DeadLetters) != 24 {
		t.Errorf("%d predictions, %d dead letters", len(o.Predictions), len(o.DeadLetters))
	}
}
