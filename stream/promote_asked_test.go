package stream_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// TestPromote: a promotion takes effect with the next flight, and is confirmed when its first entry is acknowledged;
// the old champion goes on as a challenger, and comes back.
func TestPromote(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	withChallengers(t, s, "pa1:C=0.5 scale:none", "b=averaged")
	s.Config.UntilEnd = false
	task := s.Task(t)
	stop, _ := streamtest.Background(t, task.Run)
	fed := int64(0)
	feed := func(n int, seed uint64) {
		s.Cluster.Produce(t, s.Name, 0, events(seed, n)...)
		fed += int64(n)
		streamtest.Await(t, "they are predicted", func() bool {
			st := task.Status()
			return st.Counts.Read+st.Counts.Tombstones >= fed && st.Unacknowledged == 0
		})
	}
	feed(100, 1)
	var unknown *model.UnknownLearner
	if _, err := task.Promote(t.Context(), "nobody"); !errors.As(err, &unknown) {
		t.Errorf("%v", err)
	}
	wantPending(t, task, "c1") // nothing comes, so it is not confirmed
	if _, err := task.Promote(t.Context(), "b"); !errors.Is(err, stream.ErrPromoting) {
		t.Errorf("two wait: %v", err)
	}
	if _, err := task.Promote(t.Context(), "c1"); !errors.Is(err, stream.ErrPending) {
		t.Errorf("it is asked for again: %v", err)
	}
	streamtest.Await(t, "the status says so", func() bool { return task.Status().Promoting == "c1" })
	if got, err := task.Promote(t.Context(), model.OwnName); got != (stream.Promoted{Withdrawn: "c1"}) || err != nil {
		t.Errorf("it is the champion: %+v, %v", got, err)
	}
	streamtest.Await(t, "the status says so", func() bool { return task.Status().Promoting == "" })
	feed(10, 4)
	if all := task.Status().Promotions; len(all) > 0 {
		t.Errorf("one that is withdrawn takes effect: %v", all)
	}
	wantPending(t, task, "c1")
	before := task.Status().Seq
	feed(100, 2)
	streamtest.Await(t, "c1 is the champion", func() bool { return len(task.Status().Promotions) == 1 })
	p := task.Status().Promotions[0]
	if p.Seq != before+1 || p.From != model.OwnName || p.To != "c1" {
		t.Errorf("%+v, want from seq %d on", p, before+1)
	}
	if got, err := task.Promote(t.Context(), "c1"); got != (stream.Promoted{Seq: p.Seq}) || err != nil {
		t.Errorf("it is the champion: %+v, %v", got, err)
	}
	confirmed := make(chan int64, 1)
	go func() {
		got, err := task.Promote(t.Context(), model.OwnName)
		if err != nil {
			t.Error(err)
		}
		confirmed <- got.Seq
	}()
	was := task.Status().Seq
	streamtest.Await(t, "it is confirmed", func() bool {
		feed(1, 3)
		return len(confirmed) > 0
	})
	if seq := <-confirmed; seq <= was {
		t.Errorf("taken back from seq %d on, and seq %d was there", seq, was)
	}
	streamtest.Await(t, "the status has it", func() bool { return len(task.Status().Promotions) == 2 })
	st := task.Status()
	if st.Learners[0].Name != model.OwnName || st.Score.Examples <= st.Learners[0].Score.Examples-1 {
		t.Errorf("%+v", st.Learners)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	o := s.Audit(t)
	if len(o.Champions) != 2 {
		t.Errorf("%v", o.Champions)
	}
	_, got := newestOf(t, s)
	sameContent(t, s.Config.ModelConfig, got, o.Proc)
	cleanAudit(t, s)
	s.Config.UntilEnd = true
	s.MustRun(t)
}

// TestPromotionIsAcknowledged: who asks for the champion while its first entry is under way is not told that it is
// published; nor is who promoted it.
func TestPromotionIsAcknowledged(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	withChallengers(t, s, "pa1:C=0.5 scale:none")
	s.Config.UntilEnd = false
	h := &heldBack{held: make(chan struct{}), release: make(chan struct{})}
	s.Adjust = func(task *stream.Task) { h.Journal, task.Journal = task.Journal, h }
	task := s.Task(t)
	stop, _ := streamtest.Background(t, task.Run)
	streamtest.Await(t, "it is live", func() bool { return task.Status().State == board.Live })
	wantPending(t, task, "c1")
	s.Cluster.Produce(t, s.Name, 0, events(1, 5)...)
	<-h.held
	streamtest.Await(t, "it is the champion", func() bool { return len(task.Status().Promotions) == 1 })
	if _, err := task.Promote(t.Context(), "c1"); !errors.Is(err, stream.ErrPending) {
		t.Errorf("nothing is acknowledged, and it is confirmed: %v", err)
	}
	close(h.release)
	streamtest.Await(t, "it is confirmed", func() bool {
		got, err := task.Promote(t.Context(), "c1")
		return got.Seq == 1 && err == nil
	})
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	cleanAudit(t, s)
}

// wantPending asks for a promotion, again where a busy machine did not take the request in time, and wants it to wait.
func wantPending(t *testing.T, task *stream.Task, name string) {
	t.Helper()
	streamtest.Await(t, "the promotion waits", func() bool {
		soon, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		_, err := task.Promote(soon, name)
		if err != nil && !errors.Is(err, stream.ErrPending) && !errors.Is(err, stream.ErrNotLive) {
			t.Fatal(err)
		}
		return errors.Is(err, stream.ErrPending)
	})
}

// heldBack holds the first flight back.
type heldBack struct {
	topics.Journal
	held, release chan struct{}
	once          sync.Once
}

// Append implements topics.Journal.
func (h *heldBack) Append(ctx context.Context, batches []topics.Batch) error {
	h.once.Do(func() {
		close(h.held)
		<-h.release
	})
	return h.Journal.Append(ctx, batches)
}
