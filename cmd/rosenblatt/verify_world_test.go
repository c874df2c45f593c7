package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kgo"

	"rosenblatt/cmd/internal/audit"
	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/generate"
	"rosenblatt/stream/event"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/verify"
)

func generated(seed uint64, n int) (events []string) {
	g := generate.New(seed)
	for range n {
		events = append(events, string(g.AppendJSON(nil)))
	}
	return events
}

// small is a task that has worked through some events of a few partitions.
func small(t *testing.T, partitions, n int) *history {
	t.Helper()
	h := &history{Setup: streamtest.New(t, streamtest.Start(t), partitions)}
	for p := range partitions {
		h.Cluster.Produce(t, h.Name, p, generated(uint64(p+1), n)...)
	}
	h.MustRun(t)
	return h
}

// sound wants an audit to find nothing.
func (h *history) sound(t *testing.T, predictions int64, flags ...string) audit.Report {
	t.Helper()
	v, got := h.verify(t, flags...)
	if got.code != soundExit(v) || !v.OK || v.Predictions != predictions {
		t.Errorf("%v: exit %d, %d predictions, want %d: %s%s", flags, got.code, v.Predictions, predictions, got.stdout,
			got.stderr)
	}
	return v
}

// TestVerifyBesideADaemon: predictions keep coming in all partitions; no audit takes what is not there yet for missing.
func TestVerifyBesideADaemon(t *testing.T) {
	t.Parallel()
	h := small(t, 4, 20)
	h.Config.UntilEnd, h.Config.BatchRecords = false, 4
	task := h.Task(t)
	ctx, cancel := context.WithCancel(context.Background())
	ran, fed := make(chan error, 1), make(chan struct{})
	go func() { ran <- task.Run(ctx) }()
	go func() {
		defer close(fed)
		for i := 0; ctx.Err() == nil; i++ {
			h.Cluster.Produce(t, h.Name, i%4, generated(uint64(i), 50)...)
		}
	}()
	last := int64(0)
	for audits := 0; audits < 10 || last < 500; audits++ {
		v, got := h.verify(t, "--state", h.Dir)
		if got.code != cli.ExitDone || v.Predictions < last || v.Predictions != v.Seq {
			t.Errorf("after %d predictions: %s", last, got.stdout)
			break
		}
		last = v.Predictions
	}
	cancel()
	<-fed
	if err := <-ran; err != nil {
		t.Error(err)
	}
}

// stopped wants an audit that cannot be made: a named stop that says what to do.
func (h *history) stopped(t *testing.T, name, what string, flags ...string) string {
	t.Helper()
	got := call(t, "", append([]string{"verify", "--brokers", h.Cluster.Brokers[0], "--input", h.Name}, flags...)...)
	for _, want := range []string{"NOT verified, error=" + name, what, "  do:   "} {
		got.want(t, cli.ExitFailed, "", want)
	}
	return got.stderr
}

// TestVerifyRetention: what Kafka deleted is no alarm, but a plain word and the checkpoint from which one can verify.
func TestVerifyRetention(t *testing.T) {
	t.Parallel()
	h := small(t, 2, 100)
	first := filepath.Join(h.Dir, h.Name, "checkpoint-200")
	h.Cluster.Produce(t, h.Name, 0, append(generated(7, 100), "bad")...)
	h.Cluster.Produce(t, h.Name, 0, generated(8, 1)...)
	h.MustRun(t)
	h.sound(t, 301, "--state", h.Dir)

	// The dead letter goes: the record is taken for dead-lettered.
	c := h.Client(t)
	top, err := c.Topology(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	h.Cluster.DeleteRecords(t, h.DeadLetters(), 0, top.DeadLetters.Partitions[0].End)
	if v := h.sound(t, 301, "--state", h.Dir); v.Unkept != 1 || v.DeadLetters != 0 {
		t.Errorf("%+v", v.Result)
	}
	// The first predictions go, but not those behind the checkpoint.
	h.Cluster.DeleteRecords(t, h.Output(), 0, 60)
	h.Cluster.DeleteRecords(t, h.Output(), 1, 90)
	said := h.stopped(t, stops.JournalGone, "partition", "--state", h.Dir)
	if !strings.Contains(said, "--from-checkpoint "+first) {
		t.Errorf("it does not name %s: %s", first, said)
	}
	h.sound(t, 101, "--from-checkpoint", first)
	// The first records go.
	h.Cluster.DeleteRecords(t, h.Name, 0, 80)
	h.sound(t, 101, "--from-checkpoint", first)
	h.stopped(t, stops.InputGone, "partition 0 begins at offset 80", "--state", h.Dir)
	h.Cluster.DeleteRecords(t, h.Name, 0, 150)
	h.stopped(t, stops.InputGone, "partition 0 begins at offset 150", "--from-checkpoint", first)
	h.Cluster.Recreate(t, h.Name, 2)
	h.stopped(t, stops.TopicChanged, "deleted and created again", "--from-checkpoint", first)
}

// TestVerifyAnswersGoneInOnePartition: a hole that deletion explains is no alarm; one above it is.
func TestVerifyAnswersGoneInOnePartition(t *testing.T) {
	t.Parallel()
	h := small(t, 2, 50)
	h.Cluster.Produce(t, h.Name, 0, generated(3, 1)...)
	h.MustRun(t)
	h.Cluster.DeleteRecords(t, h.Output(), 1, 20)
	h.stopped(t, stops.JournalGone, "partition 1 begins at offset 20", "--state", h.Dir)
}

// TestVerifyGaps: transactions, aborted ones too, leave offsets without records.
func TestVerifyGaps(t *testing.T) {
	t.Parallel()
	h := &history{Setup: streamtest.New(t, streamtest.Start(t), 1)}
	cl, err := kgo.NewClient(kgo.SeedBrokers(h.Cluster.Brokers...), kgo.TransactionalID(h.Name),
		kgo.DefaultProduceTopic(h.Name))
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	for i, how := range []kgo.TransactionEndTry{kgo.TryCommit, kgo.TryAbort, kgo.TryCommit, kgo.TryAbort} {
		if err := cl.BeginTransaction(); err != nil {
			t.Fatal(err)
		}
		for _, e := range generated(uint64(i), 30) {
			cl.Produce(t.Context(), kgo.StringRecord(e), nil)
		}
		if err := cl.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := cl.EndTransaction(t.Context(), how); err != nil {
			t.Fatal(err)
		}
	}
	h.Cluster.Produce(t, h.Name, 0, generated(9, 5)...)
	h.MustRun(t)
	// Kafka acknowledges a marker before it is written: the last one may be behind the last record.
	for _, flags := range [][]string{{"--state", h.Dir}, {"--bits", "12"}} {
		if v := h.sound(t, 65, flags...); v.Pending > 1 || v.Predictions+v.Gaps+v.Pending != v.Offsets {
			t.Errorf("%v: %d pending, %d gaps, %d offsets", flags, v.Pending, v.Gaps, v.Offsets)
		}
	}
}

// TestVerifyStartsBehindAcceptedStops: what an operator gave up cannot be computed again, and the checkpoint knows it.
func TestVerifyStartsBehindAcceptedStops(t *testing.T) {
	t.Parallel()
	h := small(t, 3, 40)
	h.Cluster.Produce(t, h.Name, 1, "bad", generated(4, 1)[0])
	h.MustRun(t)
	// The folder is lost: the model begins again in the same output.
	if err := os.RemoveAll(filepath.Join(h.Dir, h.Name)); err != nil {
		t.Fatal(err)
	}
	h.Config.Accept = []string{stops.StateMissing}
	h.MustRun(t)
	h.Config.Accept = nil
	v := h.sound(t, 121, "--state", h.Dir)
	if v.DeadLetters != 1 || len(v.Notes) != 1 || !strings.Contains(v.Notes[0], "accepted state-missing") {
		t.Errorf("%d dead letters, notes %q", v.DeadLetters, v.Notes)
	}
	// Without the checkpoint the first life stands in the way.
	if v, got := h.verify(t, "--bits", "12"); got.code != cli.ExitFailed || v.Counts[verify.Duplicate] == 0 {
		t.Errorf("from flags: %s", got.stdout)
	}
	// Another configuration: the audit begins behind it.
	h.Config.ModelConfig.Learner.Rate = 0.5
	h.Config.Accept = []string{stops.ConfigDiffers}
	h.MustRun(t)
	h.Config.Accept = nil
	h.Cluster.Produce(t, h.Name, 2, generated(5, 30)...)
	h.MustRun(t)
	v = h.sound(t, 30, "--state", h.Dir)
	if v.After != 121 || len(v.Notes) != 1 || !strings.Contains(v.Notes[0], "accepted config") ||
		!strings.Contains(v.Notes[0], "after seq 121") {
		t.Errorf("after %d, notes %q", v.After, v.Notes)
	}
}

// TestVerifyPassedRecords: --skip and nulls that are to be passed.
func TestVerifyPassedRecords(t *testing.T) {
	t.Parallel()
	h := &history{Setup: streamtest.New(t, streamtest.Start(t), 1)}
	h.Config.ModelConfig.Decode.Tombstones = event.SkipTombstones
	h.Config.Skip = []topics.SkipRange{{Partition: 0, From: 10, To: 12}}
	h.Cluster.Produce(t, h.Name, 0, generated(1, 20)...)
	h.Cluster.ProduceRecords(t, h.Name, 0, kafkago.Record{Key: kafkago.NewBytes([]byte("gone"))})
	h.Cluster.Produce(t, h.Name, 0, generated(2, 20)...)
	h.MustRun(t)
	if v := h.sound(t, 37, "--state", h.Dir); v.Skipped != 3 || v.Nulls != 1 {
		t.Errorf("%+v", v.Result)
	}
	h.sound(t, 37, "--bits", "12", "--tombstones", "skip", "--skip", "0:10-12")
	if v, got := h.verify(t, "--bits", "12", "--tombstones", "skip"); got.code != cli.ExitFailed ||
		v.Counts[verify.NoPrediction] != 3 {
		t.Errorf("without --skip: %s", got.stdout)
	}
	if v, got := h.verify(t, "--bits", "12", "--skip", "0:10-12"); got.code != cli.ExitFailed ||
		v.Counts[verify.NoDeadLetter] != 1 {
		t.Errorf("without --tombstones: %s", got.stdout)
	}
}

// TestVerifyFromModel: the weights that a model began with are in no checkpoint of its own.
func TestVerifyFromModel(t *testing.T) {
	t.Parallel()
	h := small(t, 1, 50)
	model := filepath.Join(h.Dir, h.Name, "checkpoint-50")
	second := &history{Setup: streamtest.New(t, h.Cluster, 2)}
	second.Config.FromModel = model
	for p := range 2 {
		second.Cluster.Produce(t, second.Name, p, generated(uint64(p+20), 40)...)
	}
	second.MustRun(t)
	second.sound(t, 80, "--state", second.Dir, "--from-model", model)
	second.sound(t, 80, "--bits", "12", "--from-model", model)
	if v, got := second.verify(t, "--state", second.Dir); got.code != cli.ExitFailed || len(v.Notes) != 1 ||
		!strings.Contains(v.Notes[0], "--from-model") {
		t.Errorf("%s", got.stdout)
	}
}

// TestVerifyUsage: what cannot be audited is said in words.
func TestVerifyUsage(t *testing.T) {
	t.Parallel()
	h := small(t, 1, 10)
	b := []string{"verify", "--brokers", h.Cluster.Brokers[0], "--input", h.Name}
	call(t, "", append(b, "--output", h.Name+".nowhere")...).want(t, cli.ExitFailed, "",
		"topic "+h.Name+".nowhere does not exist")
	call(t, "", append(b, "--state", t.TempDir())...).want(t, cli.ExitFailed, "", "holds no checkpoint")
	call(t, "", append(b, "--from-checkpoint", "no-such-file")...).want(t, cli.ExitFailed, "", "no-such-file")
	call(t, "", append(b, "--state", h.Dir, "--model", "other")...).want(t, cli.ExitFailed, "", "other")
	call(t, "", "verify", "--input", "x").want(t, cli.ExitUsage, "", "brokers: missing")
	call(t, "", append(b, "--model", "other", "--bits", "12")...).want(t, cli.ExitFailed,
		"note: "+h.Output()+" holds no prediction of model other", "")
	empty := &history{Setup: streamtest.New(t, h.Cluster, 2)}
	empty.MustRun(t)
	empty.sound(t, 0, "--state", empty.Dir)
}
