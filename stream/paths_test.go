package stream_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kgo"

	"rosenblatt/checkpoint"
	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// rawDeadLetters reads the raw dead letters of partition 0.
func rawDeadLetters(t *testing.T, s *streamtest.Setup) []topics.Record {
	t.Helper()
	return streamtest.Read(t, s.Client(t), topics.DeadLetters, 0, boundsOf(t, s).DeadLetters.Partitions[0])
}

func headersOf(t *testing.T, r topics.Record) map[string]string {
	t.Helper()
	hs, err := recordbatch.ParseHeaders(r.Headers)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, h := range hs {
		out[h.Key] = string(h.Value)
	}
	return out
}

func TestDeadLetterKeepsTheRecord(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Cluster.ProduceRecords(t, s.Name, 0,
		kafkago.Record{Key: kafkago.NewBytes([]byte("k")), Value: kafkago.NewBytes([]byte("{no json")),
			Time: time.UnixMilli(1795257554199), Headers: []kafkago.Header{{Key: "trace", Value: []byte("abc")}}},
		kafkago.Record{Value: nil},
		kafkago.Record{Value: kafkago.NewBytes([]byte{})})
	s.MustRun(t)
	got := rawDeadLetters(t, s)
	if len(got) != 3 {
		t.Fatalf("%d dead letters, want 3", len(got))
	}
	h := headersOf(t, got[0])
	want := map[string]string{"trace": "abc", "rosenblatt.reason": "syntax", "rosenblatt.topic": s.Name,
		"rosenblatt.partition": "0",
		"rosenblatt.offset":    "0", "rosenblatt.timestamp": "1795257554199", "rosenblatt.model": s.Name + "@1",
		"rosenblatt.output": s.Output()}
	for k, v := range want {
		if h[k] != v {
			t.Errorf("header %s is %q, want %q", k, h[k], v)
		}
	}
	if string(got[0].Key) != "k" || string(got[0].Value) != "{no json" || h["rosenblatt.error"] == "" {
		t.Errorf("key %q, value %q, error %q", got[0].Key, got[0].Value, h["rosenblatt.error"])
	}
	if got[1].Key != nil || got[1].Value != nil || headersOf(t, got[1])["rosenblatt.reason"] != "empty" {
		t.Errorf("null stays null: %+v", got[1])
	}
}

func TestTombstonesArePassedBy(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Config.ModelConfig.Decode.Tombstones = event.SkipTombstones
	s.Cluster.ProduceRecords(t, s.Name, 0, kafkago.Record{Value: nil},
		kafkago.Record{Value: kafkago.NewBytes([]byte(`{"x":1}`))}, kafkago.Record{Value: nil})
	task := s.MustRun(t)
	if c := task.Status().Counts; c.Tombstones != 2 || c.Predictions != 1 || c.Read != 3 ||
		len(rawDeadLetters(t, s)) != 0 {
		t.Errorf("%+v", c)
	}
}

// TestNullFeatures: an event whose features are null, as Debezium sends of a deleted row, is a tombstone.
func TestNullFeatures(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	decode := &s.Config.ModelConfig.Decode
	decode.FeaturesField, decode.Tombstones = "payload.after", event.SkipTombstones
	s.Cluster.Produce(t, s.Name, 0, `{"label":1,"payload":{"op":"c","after":{"x":1}}}`,
		`{"payload":{"op":"d","before":{"x":1},"after":null}}`, `{"label":0,"payload":{"op":"u","after":{"x":2}}}`)
	task := s.MustRun(t)
	if c := task.Status().Counts; c.Tombstones != 1 || c.Predictions != 2 || len(rawDeadLetters(t, s)) != 0 {
		t.Errorf("%+v", c)
	}
}

// TestDeadLetterOverTheLimit: a record that does not fit into the dead-letter topic leaves its value out.
func TestDeadLetterOverTheLimit(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Cluster.SetConfig(t, s.DeadLetters(), "max.message.bytes", "2000")
	s.Cluster.Produce(t, s.Name, 0, strings.Repeat("x", 3000))
	s.MustRun(t)
	got := rawDeadLetters(t, s)
	if len(got) != 1 || got[0].Value != nil || string(got[0].Key) != "k0" ||
		headersOf(t, got[0])["rosenblatt.omitted"] != "value=3000" {
		t.Errorf("%d dead letters; value %d bytes, key %q, headers %v", len(got), len(got[0].Value), got[0].Key,
			headersOf(t, got[0]))
	}
}

// TestDeadLetterBatches: a batch of dead letters ends at about 1 MB whatever the topic allows, but one letter alone may
// use what it allows.
func TestDeadLetterBatches(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	for _, topic := range []string{s.Name, s.DeadLetters()} {
		s.Cluster.SetConfig(t, topic, "max.message.bytes", "10000000")
	}
	var values []string
	for range 20 {
		values = append(values, strings.Repeat("x", 200_000))
	}
	s.Cluster.Produce(t, s.Name, 0, append(values, strings.Repeat("y", 3_000_000))...)
	var largest int
	s.Adjust = func(task *stream.Task) {
		task.Journal = &sizeJournal{task.Journal, func(b *recordbatch.Builder) {
			if largest = max(largest, b.Size()); b.Len() > 1 && b.Size() > 1<<20 {
				t.Errorf("%d dead letters in a batch of %d bytes", b.Len(), b.Size())
			}
		}}
	}
	s.MustRun(t)
	s.Audit(t)
	if got := rawDeadLetters(t, s); len(got) != 21 || len(got[20].Value) != 3_000_000 || largest < 3_000_000 {
		t.Errorf("%d dead letters, the largest batch has %d bytes", len(got), largest)
	}
}

// sizeJournal shows a test what is appended.
type sizeJournal struct {
	topics.Journal
	see func(*recordbatch.Builder)
}

func (j *sizeJournal) Append(ctx context.Context, batches []topics.Batch) error {
	for _, b := range batches {
		j.see(b.Records)
	}
	return j.Journal.Append(ctx, batches)
}

// TestLargePrediction: batches of predictions end at 900,000 bytes, but one prediction alone may use what the topic
// allows, as the text of prediction-too-large advises.
func TestLargePrediction(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Config.ModelConfig.Decode.MaxBytes = 4 << 20
	large := `{"id":"` + strings.Repeat("y", 2<<20) + `","label":1,"x":1}`
	s.Cluster.SetConfig(t, s.Name, "max.message.bytes", "10000000")
	s.Cluster.Produce(t, s.Name, 0, `{"label":1,"x":1}`, large, `{"label":-1,"x":1}`)
	if c := s.MustRun(t).Status().Counts; c.Rejected["prediction-too-large"] != 1 {
		t.Errorf("%+v", c)
	}
	s.Cluster.SetConfig(t, s.Output(), "max.message.bytes", "4000000")
	if streamtest.Real() {
		time.Sleep(500 * time.Millisecond) // there is no sign of when the broker has applied it
	}
	s.Cluster.Produce(t, s.Name, 0, `{"label":1,"x":1}`, large, `{"label":-1,"x":1}`)
	if c := s.MustRun(t).Status().Counts; c.Predictions != 5 {
		t.Errorf("%+v", c)
	}
	s.Audit(t)
}

// TestPredictionTooLarge: known at the start (row 21): rejected before it is learned.
func TestPredictionTooLarge(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Cluster.SetConfig(t, s.Output(), "max.message.bytes", "1000")
	s.Cluster.Produce(t, s.Name, 0, events(1, 10)...)
	s.Cluster.Produce(t, s.Name, 0, `{"id":"`+strings.Repeat("y", 2000)+`","label":1,"x":1}`)
	s.Cluster.Produce(t, s.Name, 0, events(2, 10)...)
	task := s.MustRun(t)
	s.Audit(t)
	if c := task.Status().Counts; c.Rejected["prediction-too-large"] != 1 || c.Predictions != 20 {
		t.Errorf("%+v", c)
	}
}

// TestPredictionRefusedByTheBroker: the limit falls while the daemon runs; the prediction, which was learned, goes out
// in a short form. One that is refused even so ends the run.
func TestPredictionRefusedByTheBroker(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	task, _, done := live(t, s)
	s.Cluster.Produce(t, s.Name, 0, events(1, 10)...)
	streamtest.Await(t, "ten records", func() bool { return task.Status().Counts.Read == 10 })
	s.Cluster.SetConfig(t, s.Output(), "max.message.bytes", "1000")
	if streamtest.Real() {
		time.Sleep(500 * time.Millisecond) // there is no sign of when the broker has applied it
	}
	s.Cluster.Produce(t, s.Name, 0, `{"label":-1,"x":1}`, `{"id":"`+strings.Repeat("y", 2000)+`","label":1,"x":1}`,
		`{"label":1,"x":2}`)
	streamtest.Await(t, "the rest", func() bool {
		select {
		case err := <-done:
			t.Fatal(err)
		default:
		}
		return task.Status().Acknowledged == 13
	})
	o := s.Audit(t)
	if short := o.Values[11]; !bytes.HasPrefix(short, []byte(`{"short":true,"prediction":`)) {
		t.Errorf("%s", short)
	}
	s.Cluster.SetConfig(t, s.Output(), "max.message.bytes", "100")
	for { // until the broker has applied it
		s.Cluster.Produce(t, s.Name, 0, `{"label":-1,"x":1}`)
		select {
		case err := <-done:
			if !stops.Is(err, stops.KafkaError) {
				t.Error(err)
			}
			return
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// TestFenceIsRenewed: with a fence that ages in no time every batch is preceded by a renewal, and the output stays
// exact.
func TestFenceIsRenewed(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 2)
	s.Kafka.RenewEvery = time.Nanosecond // always due: the run may take less than a millisecond
	s.Config.BatchRecords = 20
	for p := range 2 {
		s.Cluster.Produce(t, s.Name, p, events(uint64(p), 200)...)
	}
	s.MustRun(t)
	s.MustRun(t)
	s.Audit(t)
	top := boundsOf(t, s)
	// the predictions, a marker for each takeover, and those of renewals
	if n := top.Output.Partitions[0].End; n < 196+2+3 {
		t.Errorf("the output ends at %d: no markers of renewals", n)
	}
}

// TestBatchOverTheLimit: a batch that unpacks to more than allowed stops the task, and --skip passes it once, on the
// record (row 41).
func TestBatchOverTheLimit(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Kafka.MaxBatchBytes = 100_000
	s.Cluster.Produce(t, s.Name, 0, events(1, 10)...)
	produceCompressed(t, s, 5, strings.Repeat(" ", 50_000))
	s.Cluster.Produce(t, s.Name, 0, events(2, 10)...)
	wantStop(t, s, stops.BadBatch, "--skip 0:10-14")
	s.Config.Skip = []topics.SkipRange{{Partition: 0, From: 10, To: 14}}
	s.MustRun(t)
	s.Config.Skip = nil
	s.Cluster.Produce(t, s.Name, 0, events(3, 10)...)
	task := s.MustRun(t) // it is behind us
	if c := task.Status().Counts; c.Predictions != 30 {
		t.Errorf("%+v", c)
	}
	files, err := (&checkpoint.Store{Dir: filepath.Join(s.Dir, s.Name)}).Files()
	if err != nil {
		t.Fatal(err)
	}
	f, err := checkpoint.Open(nil, files[0])
	if err != nil {
		t.Fatal(err)
	}
	var h model.Header
	if err := json.Unmarshal(f.Header, &h); err != nil || len(h.Skipped) != 1 || h.Skipped[0].To != 14 {
		t.Errorf("the checkpoint does not say what was skipped: %+v %v", h.Skipped, err)
	}
}

func produceCompressed(t *testing.T, s *streamtest.Setup, n int, value string) {
	t.Helper()
	cl, err := kgo.NewClient(kgo.SeedBrokers(s.Cluster.Brokers...), kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.ProducerBatchCompression(kgo.ZstdCompression()))
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	var rs []*kgo.Record
	for range n {
		rs = append(rs, &kgo.Record{Topic: s.Name, Value: []byte(value)})
	}
	if err := cl.ProduceSync(t.Context(), rs...).FirstErr(); err != nil {
		t.Fatal(err)
	}
}

// TestTransactionalInput: aborted records and markers are hidden, the end is reached behind them (row 43).
func TestTransactionalInput(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 2)
	cl, err := kgo.NewClient(kgo.SeedBrokers(s.Cluster.Brokers...), kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.TransactionalID("tx-"+s.Name))
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	ctx := streamtest.Timeout(t, time.Minute)
	committed := 0
	for i := range 12 {
		if err := cl.BeginTransaction(); err != nil {
			t.Fatal(err)
		}
		for j, e := range events(uint64(i), 30) {
			cl.Produce(ctx, &kgo.Record{Topic: s.Name, Partition: int32(j % 2), Value: []byte(e)}, nil)
		}
		commit := kgo.TransactionEndTry(i%3 != 2)
		if commit {
			committed += 30
		}
		if err := cl.Flush(ctx); err != nil {
			t.Fatal(err)
		}
		if err := cl.EndTransaction(ctx, commit); err != nil {
			t.Fatal(err)
		}
	}
	// EndTransaction responds before the markers are written: the stable end must have come up to the log's end.
	streamtest.Await(t, "the markers", func() bool {
		for _, b := range boundsOf(t, s).Input.Partitions {
			if b.Stable != b.End {
				return false
			}
		}
		return true
	})
	task := s.MustRun(t)
	s.Audit(t)
	if c := task.Status().Counts; c.Read != int64(committed) {
		t.Errorf("read %d, committed %d", c.Read, committed)
	}
	for p, b := range boundsOf(t, s).Input.Partitions {
		if at := task.Status().Partitions[p].Position; at != b.End {
			t.Errorf("partition %d: position %d, end %d", p, at, b.End)
		}
	}
}

func TestStartPositions(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Cluster.Produce(t, s.Name, 0, events(1, 100)...)
	s.Config.Start = []int64{60}
	task := s.MustRun(t)
	if c := task.Status().Counts; c.Read != 40 {
		t.Errorf("read %d, want 40", c.Read)
	}
	s.Config.Start = []int64{0} // no effect on a model that has a checkpoint
	if c := s.MustRun(t).Status().Counts; c.Read != 40 {
		t.Errorf("read %d after a second start, want 40", c.Read)
	}
}

func TestUntilEndOfAnEmptyTopic(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 3)
	if seq := s.MustRun(t).Status().Seq; seq != 0 {
		t.Errorf("seq %d", seq)
	}
}

// TestSecondProcessOnAFolder (row 13).
func TestSecondProcessOnAFolder(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	task, _, _ := live(t, s)
	streamtest.Await(t, "the first is live", func() bool { return task.Status().State == board.Live })
	if _, err := s.Run(t); err == nil || !strings.Contains(err.Error(), "in use by another process") {
		t.Errorf("the second one: %v", err)
	}
}

// TestFolderReadOnly: stops at start, and says what to do (row 12).
func TestFolderReadOnly(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		t.Skip("root may write anywhere; package checkpoint tests it under another user")
	}
	s := streamtest.New(t, streamtest.Start(t), 1)
	if err := os.Chmod(s.Dir, 0o500); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(t); err == nil || !strings.Contains(err.Error(), "rights") {
		t.Errorf("run: %v", err)
	}
}

// TestManyPartitions: a topic of any number of partitions.
func TestManyPartitions(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 40)
	for p := range 40 {
		s.Cluster.Produce(t, s.Name, p, events(uint64(p), 50)...)
	}
	s.MustRun(t)
	if o := s.Audit(t); len(o.Predictions) != 40*49 {
		t.Errorf("%d predictions", len(o.Predictions))
	}
}

// TestEveryReasonReachesTheDeadLetters (rows 35 to 40).
func TestEveryReasonReachesTheDeadLetters(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	o := &s.Config.ModelConfig.Decode
	o.MaxBytes, o.MaxDepth, o.MaxFeatures, o.WeightField = 400, 4, 5, "weight"
	cases := []struct{ reason, value string }{
		{"too-large", `{"x":1` + strings.Repeat(" ", 400) + `}`},
		{"encoding", "{\"x\":\"\xff\"}"},
		{"encoding", `{"x":"\ud800"}`},
		{"too-deep", `{"a":{"b":{"c":{"d":{"e":1}}}}}`},
		{"syntax", `{"x":1`},
		{"syntax", `[1]`},
		{"duplicate-field", `{"x":1,"x":2}`},
		{"bad-label", `{"label":7,"x":1}`},
		{"bad-weight", `{"weight":-1,"x":1}`},
		{"bad-features", `{"features":[1]}`},
		{"out-of-range", `{"x":1e31}`},
		{"too-many-features", `{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1}`},
		{"no-features", `{}`},
	}
	var values []string
	for _, c := range cases {
		values = append(values, c.value)
	}
	s.Cluster.Produce(t, s.Name, 0, values...)
	task := s.MustRun(t)
	s.Audit(t)
	got := rawDeadLetters(t, s)
	for i, c := range cases {
		if r := headersOf(t, got[i])["rosenblatt.reason"]; r != c.reason {
			t.Errorf("%s: reason %s, want %s (%s)", c.value, r, c.reason, headersOf(t, got[i])["rosenblatt.error"])
		}
	}
	if n := fmt.Sprint(task.Status().Counts.Rejected["encoding"]); n != "2" {
		t.Errorf("encoding counted %s times", n)
	}
}
