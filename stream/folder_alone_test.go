package stream_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
)

// tornTopic is a checkpoint topic that takes so many batches. The next one is indeterminate: it may be stored, too.
type tornTopic struct {
	statetopic.Log
	left   atomic.Int64
	stored bool
}

func (l *tornTopic) Append(ctx context.Context, b *recordbatch.Builder) error {
	left := l.left.Add(-1)
	if left >= 0 || left == -1 && l.stored {
		if err := l.Log.Append(ctx, b); err != nil {
			return err
		}
	}
	if left >= 0 {
		return nil
	}
	return errors.New("the connection is lost")
}

// alone runs a process of s in a folder of its own, which saves there and then ends within its save in the topic, at a
// place.
func alone(t *testing.T, s *streamtest.Setup, asMember bool, left int64, stored bool) {
	t.Helper()
	one := *s
	one.Adjust = func(task *stream.Task) {
		topic := &tornTopic{Log: task.Checkpoints, stored: stored}
		topic.left.Store(left)
		task.Checkpoints = topic
	}
	err := error(nil)
	if asMember {
		m := member(t, &one, s.Dir)
		m.rounds <- 1
		err = <-m.ended
	} else {
		_, err = one.Run(t)
	}
	if !stops.Is(err, stops.StateUnwritable) {
		t.Fatalf("it ended with %v", err)
	}
	if files, _ := filepath.Glob(filepath.Join(s.Dir, s.Name, "checkpoint-*")); len(files) == 0 {
		t.Fatal("it saved nothing")
	}
}

// goesOn runs a member of s on a machine of its own that takes over, publishes up to a seq, and is killed before it
// saves in the topic.
func goesOn(t *testing.T, s *streamtest.Setup, produce func(), seq int64) {
	t.Helper()
	two, q := *s, &plug{}
	q.left.Store(1 << 40)
	two.Adjust = func(task *stream.Task) {
		closed := new(atomic.Bool)
		task.Checkpoints = closedTopic{task.Checkpoints, closed}
		task.Journal = &hookJournal{Journal: pluggedJournal{task.Journal, q},
			append: func(context.Context, int) error { closed.Store(true); return nil }}
	}
	m := member(t, &two, t.TempDir())
	m.rounds <- 1
	produce()
	c := s.Client(t)
	streamtest.Await(t, "published", func() bool {
		select {
		case err := <-m.ended:
			t.Fatalf("the member ended: %v", err)
		default:
		}
		return published(t, c, s) == seq
	})
	q.left.Store(0)
	s.Cluster.Produce(t, s.Name, 0, `{"features":{"x":1}}`)
	if err := <-m.ended; !errors.Is(err, errPlug) {
		t.Fatal(err)
	}
}

// TestBoundInTheFolderAlone: a process with another bound of settled ids saves in its folder, and is gone before the
// checkpoint is in the topic. Another machine goes on with the bound in the topic, and the first one comes back.
func TestBoundInTheFolderAlone(t *testing.T) {
	t.Parallel()
	for _, asMember := range []bool{false, true} {
		for place := range int64(4) {
			left, stored := place/2, place%2 == 1
			t.Run(fmt.Sprintf("member=%v/%d", asMember, place), func(t *testing.T) {
				t.Parallel()
				s := withTopic(t, lateSetup(t, 1, 1, 1))
				s.Config.Labels.Settled, s.Config.CheckpointInterval = 100, time.Hour
				begin := time.Now().Add(-time.Hour)
				produce := func(second int, records []string) {
					at := at(begin.Add(time.Duration(second)*time.Second), records...)
					s.Cluster.ProduceRecords(t, s.Name, 0, at...)
				}
				produce(0, unlabelled(0, 5))
				s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0,
					at(begin.Add(10*time.Second), labelsOf(0, 1, 2, 3, 4)...)...)
				s.MustRun(t)
				goesOn(t, s, func() { produce(20, unlabelled(10, 12)) }, 12)
				one, labels := *s, *s.Config.Labels
				one.Dir, one.Config.Labels, labels.Settled = t.TempDir(), &labels, 2
				alone(t, &one, asMember, left, stored)
				duplicates := int64(1)
				if left == 1 && stored { // the id is forgotten
					duplicates = 0
				}
				again := func() { produce(30, append(unlabelled(0, 1), unlabelled(12, 14)...)) }
				goesOn(t, s, again, 16+duplicates)
				st := one.MustRun(t).Status()
				if n := st.Counts.Labels.Outcomes["duplicate"]; n != duplicates || st.Seq != 17+duplicates {
					t.Errorf("%d duplicates, seq %d", n, st.Seq)
				}
				if duplicates == 1 { // else the bound has changed twice
					auditLate(t, &one)
				}
				two := *s
				two.Dir = t.TempDir()
				two.MustRun(t)
				verifiedByEver(t, &two)
			})
		}
	}
}

// TestAcceptedInTheFolderAlone: likewise a start that has accepted another configuration. It is accepted again when it
// comes back, since another machine went on with the one before.
func TestAcceptedInTheFolderAlone(t *testing.T) {
	t.Parallel()
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
	s.Config.CheckpointInterval = time.Hour
	bad := `{"label":1,"features":{"x":1,"y":[true]}}`
	s.Cluster.Produce(t, s.Name, 0, good(10)...)
	s.MustRun(t)
	goesOn(t, s, func() { s.Cluster.Produce(t, s.Name, 0, good(2)...) }, 12)
	one := *s
	one.Dir, one.Config.Accept = t.TempDir(), []string{stops.ConfigDiffers}
	one.Config.ModelConfig.Decode.SkipUnknown = true
	alone(t, &one, false, 1, false)
	goesOn(t, s, func() { s.Cluster.Produce(t, s.Name, 0, append(good(2), bad, good(1)[0])...) }, 16)
	one.Config.Accept = nil
	wantStop(t, &one, stops.ConfigDiffers)
	one.Config.Accept = []string{stops.ConfigDiffers}
	st := one.MustRun(t).Status()
	if st.Seq != 17 || st.Counts.Rejected["bad-features"] != 1 {
		t.Errorf("seq %d, rejected %v", st.Seq, st.Counts.Rejected)
	}
	if set, _ := filepath.Glob(filepath.Join(one.Dir, s.Name, "*.corrupt")); len(set) != 1 {
		t.Errorf("set aside are %v", set)
	}
}
