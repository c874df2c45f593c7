package stream_test

import (
	"context"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/segmentio/kafka-go"

	"rosenblatt/stream/board"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/model"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/verify"
)

// repeats is a writer with a follower. Ten events have got their labels from the first partition of the labels.
type repeats struct {
	*streamtest.Setup
	writer, follower *standby
	begin            time.Time
	loads            *lines // of the follower, but for the first
}

func newRepeats(t *testing.T, change func(*streamtest.Setup)) *repeats {
	t.Helper()
	x := &repeats{Setup: quick(t, lateSetup(t, 1, 2, 1)), begin: time.Now().Add(-2 * time.Hour)}
	if change != nil {
		change(x.Setup)
	}
	x.loads = &lines{text: "loading the newest checkpoint again"}
	f := *x.Setup
	f.Log = zerolog.New(x.loads)
	x.writer, x.follower = member(t, x.Setup, x.Dir), member(t, &f, t.TempDir())
	x.writer.rounds <- 1
	x.produce(t, x.Name, 0, 0, unlabelled(0, 10)...)
	x.produce(t, x.Kafka.Labels, 0, 20*time.Second, labelsOf(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)...)
	x.both(t, 20)
	return x
}

// produce produces records, the first of which is so much later than the first event.
func (x *repeats) produce(t *testing.T, topic string, partition int, after time.Duration, values ...string) {
	t.Helper()
	x.Cluster.ProduceRecords(t, topic, partition, at(x.begin.Add(after), values...)...)
}

// both waits until both have a seq.
func (x *repeats) both(t *testing.T, seq int64) {
	t.Helper()
	x.writer.await(t, board.Live, seq)
	x.follower.await(t, board.Following, seq)
}

// follows waits until both have these positions in the labels.
func (x *repeats) follows(t *testing.T, want ...int64) {
	t.Helper()
	x.writer.at(t, topics.Labels, want...)
	x.follower.at(t, topics.Labels, want...)
}

// takeOver ends the writer, and gives the task to the follower.
func (x *repeats) takeOver(t *testing.T, seq int64) {
	t.Helper()
	x.writer.end(t)
	x.follower.rounds <- 2
	x.follower.await(t, board.Live, seq)
}

// verified ends the follower that took over, and verifies what was published.
func (x *repeats) verified(t *testing.T) {
	t.Helper()
	x.follower.end(t)
	p, err := model.NewProcessor(x.Config.ModelConfig)
	if err != nil {
		t.Fatal(err)
	}
	found, err := verify.Audit{Log: x.Client(t), Model: x.Name, Labels: *x.Config.Labels,
		From: verify.Start{Processor: p, Config: x.Config.ModelConfig}}.Run(t.Context())
	if err != nil || !found.OK() {
		t.Errorf("verify: %v, %+v", err, found)
	}
}

// TestFollowRepeats: a follower's positions pass labels that their events have already, which only the writer can
// know, and it takes over when retention has removed them.
func TestFollowRepeats(t *testing.T) {
	t.Parallel()
	x := newRepeats(t, nil)
	x.produce(t, x.Kafka.Labels, 1, 40*time.Second, labelsOf(3, 4, 5)...)
	x.produce(t, x.Kafka.Labels, 0, 40*time.Second, labelsOf(1, 2)...)
	x.Cluster.ProduceRecords(t, x.Kafka.Labels, 1, kafka.Record{Time: x.begin.Add(time.Minute)}) // a bad one
	x.follows(t, 12, 4)
	if x.follower.sum(t) != x.writer.sum(t) {
		t.Error("they have different models")
	}
	if w, f := x.writer.Status().Counts.Labels.Rejected, x.follower.Status().Counts.Labels.Rejected; w["empty"] != 1 ||
		f["empty"] != 1 {
		t.Errorf("the writer has rejected %v, the follower %v", w, f)
	}
	loads := x.loads.n.Load()
	x.Cluster.DeleteRecords(t, x.Kafka.Labels, 0, 12)
	x.Cluster.DeleteRecords(t, x.Kafka.Labels, 1, 4)
	x.produce(t, x.Name, 0, 50*time.Second, unlabelled(10, 12)...) // what the follower reads of the labels goes on
	x.produce(t, x.Kafka.Labels, 0, 52*time.Second, labelsOf(10)...)
	x.produce(t, x.Kafka.Labels, 1, 53*time.Second, labelsOf(11)...)
	x.both(t, 24)
	x.takeOver(t, 24)
	x.produce(t, x.Name, 0, 60*time.Second, unlabelled(12, 13)...)
	x.produce(t, x.Kafka.Labels, 1, 61*time.Second, labelsOf(12)...)
	x.follower.await(t, board.Live, 26)
	if n := x.loads.n.Load() - loads; n > 0 {
		t.Errorf("it loaded a checkpoint %d times", n)
	}
}

// TestFollowForgottenRepeat: a follower has read a repeat behind a label that it has learned. When the id is used
// again, it does not take the repeat for the label of the newer event.
func TestFollowForgottenRepeat(t *testing.T) {
	t.Parallel()
	x := newRepeats(t, func(s *streamtest.Setup) { s.Config.Labels.Limits.Settled = 10 })
	x.produce(t, x.Name, 0, 30*time.Second, unlabelled(10, 11)...)
	x.both(t, 21)
	x.produce(t, x.Kafka.Labels, 1, 40*time.Second, labelsOf(10, 3)...) // one batch
	x.both(t, 22)
	x.follows(t, 10, 2)
	x.produce(t, x.Name, 0, 50*time.Second, unlabelled(11, 21)...)
	x.produce(t, x.Kafka.Labels, 0, 70*time.Second, labelsOf(11, 12, 13, 14, 15, 16, 17, 18, 19, 20)...)
	x.both(t, 42)
	x.produce(t, x.Name, 0, 80*time.Second, unlabelled(3, 4)...)
	x.produce(t, x.Name, 0, 82*time.Second, unlabelled(21, 22)...)
	x.produce(t, x.Kafka.Labels, 1, 90*time.Second, labelsOf(21)...)
	x.both(t, 45)
	x.takeOver(t, 45)
	x.verified(t)
}

// TestFollowRejectedLabels: a follower keeps no dead letter of a label that the writer has passed, so that it starts
// again when retention has removed that.
func TestFollowRejectedLabels(t *testing.T) {
	t.Parallel()
	x := newRepeats(t, nil)
	x.produce(t, x.Kafka.Labels, 1, 40*time.Second, `{"id":"e3"}`, `{"id":"e3","label":1}`, `{"id":"e3"}`)
	x.follows(t, 10, 3)
	rejected := func(m *standby) int64 { return m.Status().Counts.Labels.Rejected["no-label"] }
	streamtest.Await(t, "the dead letters", func() bool { return rejected(x.writer) == 2 && rejected(x.follower) == 2 })
	x.produce(t, x.Name, 0, 50*time.Second, unlabelled(10, 11)...) // a checkpoint of the follower
	x.both(t, 21)
	streamtest.Await(t, "a checkpoint", func() bool { return x.follower.Status().Saved.Seq == 21 })
	x.follower.end(t)
	if h, _ := headerOf(t, x.follower.setup); h.Ends.DeadLetters[0] <= 2 {
		t.Errorf("its dead letters are read from offset %d", h.Ends.DeadLetters[0])
	}
}

// TestTakeoverJudgesNoLabelAgain: a label that the writer has passed as a repeat has no effect after a takeover, though
// its event is forgotten by then, or its id was used again.
func TestTakeoverJudgesNoLabelAgain(t *testing.T) {
	t.Parallel()
	x := newRepeats(t, func(s *streamtest.Setup) { s.Config.Labels.Limits.Settled = 10 })
	x.produce(t, x.Kafka.Labels, 1, 40*time.Second, labelsOf(3, 4)...)
	x.follows(t, 10, 2)
	x.produce(t, x.Name, 0, 50*time.Second, unlabelled(10, 20)...)
	x.produce(t, x.Kafka.Labels, 0, 70*time.Second, labelsOf(10, 11, 12, 13, 14, 15, 16, 17, 18, 19)...)
	x.both(t, 40)
	x.produce(t, x.Name, 0, 80*time.Second, unlabelled(3, 4)...) // e4 is forgotten, and there is another e3
	x.both(t, 41)
	x.takeOver(t, 41)
	x.produce(t, x.Name, 0, 90*time.Second, unlabelled(20, 21)...)
	x.produce(t, x.Kafka.Labels, 1, 91*time.Second, labelsOf(20)...)
	x.follower.await(t, board.Live, 43)
	if l := x.follower.Status().Late; l.Counts.Rejected["no-example"] != 0 || l.Waiting != 1 {
		t.Errorf("%d wait, rejected %v", l.Waiting, l.Counts.Rejected)
	}
	x.verified(t)
}

// staleLook is a log of which the first list of what is written is old when it returns.
type staleLook struct {
	topics.Log
	listed, release chan struct{}
}

func (l *staleLook) Written(ctx context.Context) (topics.Ends, error) {
	ends, err := l.Log.Written(ctx)
	select {
	case l.listed <- struct{}{}:
		<-l.release
	default:
	}
	return ends, err
}

// TestTakeoverAheadOfItsLooks: what a follower learns in the takeover alone moves its positions in the labels as well,
// and it keeps no dead letter below. Else retention removes what its checkpoint still needs.
func TestTakeoverAheadOfItsLooks(t *testing.T) {
	t.Parallel()
	x := newRepeats(t, nil)
	x.follower.end(t)
	f := *x.Setup
	x.loads = &lines{text: "loading the newest checkpoint again"}
	f.Log = zerolog.New(x.loads)
	look := &staleLook{listed: make(chan struct{}, 1), release: make(chan struct{})}
	f.Wrap = func(l topics.Log) topics.Log { look.Log = l; return look }
	x.follower = member(t, &f, t.TempDir())
	streamtest.Await(t, "a look", func() bool { return len(look.listed) == 1 })
	x.produce(t, x.Kafka.Labels, 1, 40*time.Second, append([]string{`{"id":"e3"}`}, labelsOf(3, 4)...)...)
	x.writer.at(t, topics.Labels, 10, 3)
	x.produce(t, x.Name, 0, 50*time.Second, unlabelled(10, 11)...)
	x.writer.await(t, board.Live, 21)
	x.writer.end(t)
	h, _ := headerOf(t, x.Setup)
	x.Cluster.DeleteRecords(t, x.DeadLetters(), 0, h.Ends.DeadLetters[0])
	x.Cluster.DeleteRecords(t, x.Kafka.Labels, 1, 3)
	x.follower.rounds <- 2
	close(look.release)
	x.follower.await(t, board.Live, 21)
	x.follower.at(t, topics.Labels, 10, 3)
	if n := x.loads.n.Load(); n > 0 {
		t.Errorf("it loaded a checkpoint %d times: a position was below the start of the log", n)
	}
	x.follower.end(t)
	x.follower = member(t, &f, x.follower.setup.Dir)
	x.follower.rounds <- 3
	x.follower.await(t, board.Live, 21)
	x.verified(t)
}

// TestTakeoverHasLabelTime: a follower that takes over has the label time of the writer: what it has waited for long
// expires, though one partition of the labels had repeats alone.
func TestTakeoverHasLabelTime(t *testing.T) {
	t.Parallel()
	x := newRepeats(t, nil)
	x.produce(t, x.Name, 0, 30*time.Second, unlabelled(10, 12)...)
	x.produce(t, x.Kafka.Labels, 1, time.Hour, labelsOf(3)...)
	x.both(t, 22)
	x.follows(t, 10, 1)
	x.takeOver(t, 22)
	x.produce(t, x.Kafka.Labels, 0, time.Hour, labelsOf(4)...)
	x.follower.await(t, board.Live, 24)
	for of, e := range outcomesOf(t, x.Setup) {
		if (of > 20) != (e.Kind == journal.Expired) {
			t.Errorf("seq %d is %v", of, e.Kind)
		}
	}
	x.verified(t)
}
