package stream_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kerr"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
)

// TestRestoredWithoutAFolder: a task goes on from the checkpoint topic on a machine that has no folder, and every
// prediction is as it had to be.
func TestRestoredWithoutAFolder(t *testing.T) {
	t.Parallel()
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 3))
	for round := range 4 {
		produceTo(t, s, 3, 500, uint64(round))
		st := s.MustRun(t).Status()
		if st.Saved.Topic == nil || st.Saved.Topic.Number < int64(2*round+1) ||
			st.Counts.Read != int64(1500*(round+1)) || st.Recovered.Predictions != 0 {
			t.Errorf("round %d: %+v, %+v, learned again %d", round, st.Saved.Topic, st.Counts, st.Recovered.Predictions)
		}
		loseFolder(t, s)
	}
	s.Audit(t)
}

// TestStaleFolder: the later of folder and topic counts, so nothing is learned again that either holds.
func TestStaleFolder(t *testing.T) {
	t.Parallel()
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
	here, there := s.Dir, t.TempDir()
	run := func(dir, topic string, seed uint64) {
		t.Helper()
		s.Dir, s.State = dir, topic
		produceTo(t, s, 1, 300, seed)
		if n := s.MustRun(t).Status().Recovered.Predictions; n != 0 {
			t.Errorf("%d predictions were learned again", n)
		}
	}
	topic := s.State
	run(here, topic, 1)
	run(there, topic, 2)
	run(here, topic, 3) // the folder is older than the topic
	run(here, "", 4)    // and now newer
	run(here, topic, 5)
	run(there, topic, 6)
	s.Audit(t)
}

// pluggedTopic pulls the plug before and after each batch of pieces, and the manifest.
type pluggedTopic struct {
	statetopic.Log
	p *plug
}

func (l pluggedTopic) Append(ctx context.Context, b *recordbatch.Builder) error {
	if err := l.p.step(); err != nil {
		return err
	}
	err := l.Log.Append(ctx, b)
	if err == nil {
		err = l.p.step()
	}
	return err
}

// elsewhere lets the next process start on one of two machines, on which the folder may be lost.
func elsewhere(t *testing.T, s *streamtest.Setup, r *rand.Rand) {
	t.Helper()
	base := filepath.Dir(s.Dir)
	s.Dir = filepath.Join(base, fmt.Sprint("machine", r.IntN(2)))
	if r.IntN(2) == 0 {
		loseFolder(t, s)
	}
}

// TestCrashAnywhereWithATopic is TestCrashAnywhere with a checkpoint topic: the next process starts on another machine,
// with an older folder or none.
func TestCrashAnywhereWithATopic(t *testing.T) {
	t.Parallel()
	for seed := range uint64(streamtest.Rounds(2, 8, 30)) {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 22))
			s := withTopic(t, streamtest.New(t, streamtest.Start(t), 2))
			produceTo(t, s, 2, 400, seed)
			s.Dir = filepath.Join(s.Dir, "machine0")
			s.Config.BatchRecords, s.Config.CheckpointEvery = 1+r.IntN(40), int64(1+r.IntN(100))
			s.Config.CheckpointInterval, s.Config.Grace = time.Millisecond, time.Minute
			s.Config.ModelConfig.Decode.Bits, s.Config.ModelConfig.Learner.Bits = 14, 14 // several pieces
			crashes := crashUntilThrough(t, s, r, 25)
			t.Logf("%d crashes, %d predictions", crashes, len(s.Audit(t).Predictions))
		})
	}
}

// TestSavedBetweenReadingAndFence: a process that saves after its successor has read the topic, and before that fences
// it, has the newest manifest: the successor goes on from that one.
func TestSavedBetweenReadingAndFence(t *testing.T) {
	t.Parallel()
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
	produceTo(t, s, 1, 100, 1)
	s.MustRun(t)
	here, there := s.Dir, t.TempDir()
	var before int64
	s.Adjust = func(task *stream.Task) {
		task.Journal = &hookJournal{Journal: task.Journal, takeover: func(_ context.Context, call int) error {
			if call == 1 {
				s.Adjust, s.Dir = nil, there
				before = s.MustRun(t).Status().Saved.Topic.Number
			}
			return nil
		}}
	}
	loseFolder(t, s)
	st := s.MustRun(t).Status()
	if got := st.Saved.Topic.Number; got <= before {
		t.Errorf("manifest %d after %d", got, before)
	}
	s.Dir = here
	s.Audit(t)
}

// hookedTopic calls a test before the topic is read.
type hookedTopic struct {
	statetopic.Log
	before func()
}

func (l hookedTopic) Bounds(ctx context.Context) (from, to int64, err error) {
	l.before()
	return l.Log.Bounds(ctx)
}

// TestSavedWhileReading: a process that predicts and saves while its successor starts may have a checkpoint in the
// topic that ends behind what the successor has seen of the output.
func TestSavedWhileReading(t *testing.T) {
	t.Parallel()
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
	produceTo(t, s, 1, 100, 1)
	s.MustRun(t)
	here, there := s.Dir, t.TempDir()
	s.Adjust = func(task *stream.Task) {
		task.Checkpoints = hookedTopic{task.Checkpoints, func() {
			s.Adjust, s.Dir = nil, there
			produceTo(t, s, 1, 100, 2)
			s.MustRun(t)
		}}
	}
	s.Dir = t.TempDir()
	s.MustRun(t)
	s.Dir = here
	s.Audit(t)
}

// damagePieces replaces the first piece in both places.
func damagePieces(t *testing.T, s *streamtest.Setup) {
	t.Helper()
	for place := range 2 {
		s.Cluster.ProduceRecords(t, s.State, 0, kafka.Record{Value: kafka.NewBytes([]byte("damaged")),
			Key: kafka.NewBytes(fmt.Appendf(nil, "%s/piece/0/%d", s.Output(), place))})
	}
}

// TestDamagedTopic: without a whole checkpoint in topic and folder the start stops, and says how to go on.
func TestDamagedTopic(t *testing.T) {
	t.Parallel()
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
	produceTo(t, s, 1, 100, 1)
	s.MustRun(t)
	damagePieces(t, s)
	produceTo(t, s, 1, 100, 2)
	s.MustRun(t) // the folder has it, and the topic gets it again
	loseFolder(t, s)
	s.MustRun(t)
	damagePieces(t, s)
	s.Audit(t)
	loseFolder(t, s)
	wantStop(t, s, stops.StateInvalid, "none of them is whole", "piece/0/", "--accept state-invalid,state-missing")
	s.Config.Accept = []string{stops.StateInvalid, stops.StateMissing}
	if st := s.MustRun(t).Status(); len(st.Accepted) != 2 {
		t.Errorf("%+v", st.Accepted)
	}
}

// TestCheckpointTopicUnfit: a topic that deletes what is old would lose parts of a checkpoint.
func TestCheckpointTopicUnfit(t *testing.T) {
	t.Parallel()
	for _, policy := range []string{"delete", "compact,delete"} {
		s := streamtest.New(t, streamtest.Start(t), 1)
		s.State = s.Name + ".checkpoints"
		s.Cluster.Topic(t, s.State, 1, "cleanup.policy", policy)
		wantStop(t, s, stops.OutputUnfit, s.State, "cleanup.policy=compact", "--checkpoint-topic")
	}
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.State = s.Name + ".checkpoints"
	s.Cluster.Topic(t, s.State, 1, "cleanup.policy", "compact", "max.message.bytes", "50000")
	wantStop(t, s, stops.OutputUnfit, s.State, "max.message.bytes to at least")
}

// TestIndeterminatePiece: nothing more is written under an epoch under which a piece may have been; the task recovers
// in process and saves again.
func TestIndeterminatePiece(t *testing.T) {
	t.Parallel()
	needsFake(t)
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
	s.Config.CheckpointInterval = 20 * time.Millisecond
	task, stop, _ := live(t, s)
	produceTo(t, s, 1, 50, 1)
	streamtest.Await(t, "a checkpoint", func() bool {
		st := task.Status()
		return st.Counts.Read == 50 && st.Saved.Seq == st.Seq
	})
	failSave(s, kerr.OutOfOrderSequenceNumber, 1)
	produceTo(t, s, 1, 50, 2)
	streamtest.Await(t, "another takeover and a checkpoint", func() bool {
		st := task.Status()
		return st.Epoch == 2 && st.State == board.Live && st.Counts.Read == 100 && st.Saved.Seq == st.Seq
	})
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	loseFolder(t, s)
	s.Config.UntilEnd = true
	s.MustRun(t)
	s.Audit(t)
}

// TestTopicAwayHoldsNothingUp: while the checkpoint topic cannot be written, events are predicted and learned as ever.
func TestTopicAwayHoldsNothingUp(t *testing.T) {
	t.Parallel()
	needsFake(t)
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
	s.Config.CheckpointInterval = 20 * time.Millisecond
	task, stop, _ := live(t, s)
	saved := func(n int64) func() bool {
		return func() bool { st := task.Status(); return st.Counts.Read == n && st.Saved.Seq == st.Seq }
	}
	produceTo(t, s, 1, 50, 1)
	streamtest.Await(t, "a checkpoint", saved(50))
	away := failSave(s, kerr.NotLeaderForPartition, -1)
	before := task.Status().Saved.Seq
	for round := range uint64(5) {
		produceTo(t, s, 1, 50, 2+round)
		streamtest.Await(t, "predictions", func() bool {
			st := task.Status()
			return st.Counts.Read == int64(100+50*round) && st.Unacknowledged == 0
		})
	}
	if st := task.Status(); st.Saved.Seq != before || st.Epoch != 1 {
		t.Errorf("checkpoint %d after %d, epoch %d", st.Saved.Seq, before, st.Epoch)
	}
	away.Remove()
	streamtest.Await(t, "the next checkpoint", saved(300))
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	s.Audit(t)
}

// TestTopicNotCompactedWhileRunning: the checkpoint topic's settings are changed while the task runs. It goes on, and
// no checkpoint counts as saved.
func TestTopicNotCompactedWhileRunning(t *testing.T) {
	t.Parallel()
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
	s.Config.WatchEvery = 20 * time.Millisecond
	s.Adjust = func(task *stream.Task) {
		task.Journal = &hookJournal{Journal: task.Journal, takeover: func(context.Context, int) error {
			s.Cluster.SetConfig(t, s.State, "cleanup.policy", "delete")
			return nil
		}}
	}
	task, stop, _ := live(t, s)
	produced := int64(0)
	streamtest.Await(t, "all predictions and the error", func() bool {
		st := task.Status()
		if st.Saved.Seq == produced { // the topics' settings are looked up after a save
			s.Cluster.Produce(t, s.Name, 0, events(1, 10)...)
			produced += 10
		}
		return st.Counts.Read == produced && strings.Contains(st.SaveError, "set cleanup.policy=compact")
	})
	if err := stop(); err == nil || !strings.Contains(err.Error(), "cleanup.policy") {
		t.Errorf("stopped: %v: the last checkpoint is not saved", err)
	}
}

// TestTopicOfAnotherModel: a checkpoint of another model in the topic is named before it is installed: the folder stays
// as it is.
func TestTopicOfAnotherModel(t *testing.T) {
	t.Parallel()
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
	produceTo(t, s, 1, 50, 1)
	s.MustRun(t)
	s.Config.Model, s.Dir = "another", t.TempDir()
	wantStop(t, s, stops.ConfigDiffers, "a checkpoint of model "+s.Name+" for this output, seq 49")
	files, err := filepath.Glob(filepath.Join(s.Dir, s.Name, "checkpoint-*"))
	if err != nil || len(files) > 0 {
		t.Errorf("installed: %v, %v", files, err)
	}
}
