package stream_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
)

// TestMemberChangesSettings: a member with other settings and their token follows under those of the checkpoint, and
// applies its own at its takeover. It saves that before it publishes, in the checkpoint topic, so that one with an
// empty folder goes on though the member was killed before it saved again.
func TestMemberChangesSettings(t *testing.T) {
	t.Parallel()
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 2))
	s.Config.CheckpointInterval = time.Hour
	s.Cluster.Produce(t, s.Name, 0, good(50)...)
	p := killed(s)
	a := member(t, s, s.Dir)
	a.rounds <- 1
	a.await(t, board.Live, 50)

	other := *s
	other.Config.ModelConfig.Learner.Rate, other.Dir, other.Adjust = 0.25, t.TempDir(), nil
	other.Config.Accept = tokensOf(t, &other, stops.ConfigDiffers)
	q := killed(&other)
	b := member(t, &other, t.TempDir())
	b.await(t, board.Following, 50)
	s.Cluster.Produce(t, s.Name, 1, good(50)...)
	a.await(t, board.Live, 100)
	b.await(t, board.Following, 100)
	if a.sum(t) != b.sum(t) {
		t.Error("it follows under other settings than those of the checkpoint")
	}
	p.left.Store(0)
	b.rounds <- 2
	s.Cluster.Produce(t, s.Name, 0, good(50)...)
	if err := <-a.ended; !errors.Is(err, errPlug) {
		t.Fatal(err)
	}
	b.await(t, board.Live, 150)
	streamtest.Await(t, "the journal", func() bool { return b.Status().Acknowledged == 50 })
	q.left.Store(0)
	s.Cluster.Produce(t, s.Name, 0, good(1)...)
	if err := <-b.ended; !errors.Is(err, errPlug) {
		t.Fatal(err)
	}

	other.Adjust = nil // the same settings, and the token still
	c := member(t, &other, t.TempDir())
	c.await(t, board.Following, 150)
	c.rounds <- 3
	c.await(t, board.Live, 151)
	all := c.Status().Accepted
	if len(all) != 1 || all[0].Name != stops.ConfigDiffers || all[0].Seq != 100 {
		t.Errorf("accepted: %+v", all)
	}
	c.stop()
	if err := <-c.ended; err != nil {
		t.Fatal(err)
	}
}

// TestMemberThatDiffers: a member with other settings and without their token follows and says so. It takes no model
// over, whatever it is assigned, until the model has its settings: another one, with the token, has taken over.
func TestMemberThatDiffers(t *testing.T) {
	t.Parallel()
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 1))
	s.Cluster.Produce(t, s.Name, 0, good(50)...)
	p := killed(s)
	a := member(t, s, s.Dir)
	a.rounds <- 1
	a.await(t, board.Live, 50)

	other := *s
	var may atomic.Bool
	other.Config.ModelConfig.Learner.Rate, other.Adjust = 0.25, func(task *stream.Task) {
		task.Journal = &hookJournal{Journal: task.Journal, takeover: func(context.Context, int) error {
			if !may.Load() {
				return errPlug
			}
			return nil
		}}
	}
	b := member(t, &other, t.TempDir())
	b.await(t, board.Following, 50)
	differs := b.Status().Differs
	tokens := acceptsExactly.FindStringSubmatch(differs)
	plain := strings.Contains(differs, "--accept config;") // which no member may
	if !strings.Contains(differs, "learner.rate was 1, is 0.25") || tokens == nil || plain {
		t.Fatalf("it differs by %q", differs)
	}
	b.rounds <- 2
	for seq := int64(60); seq <= 100; seq += 10 { // looks
		s.Cluster.Produce(t, s.Name, 0, good(10)...)
		a.await(t, board.Live, seq)
		b.await(t, board.Following, seq)
	}
	if a.sum(t) != b.sum(t) {
		t.Error("it follows under other settings than those of the model")
	}
	p.left.Store(0)
	s.Cluster.Produce(t, s.Name, 0, good(1)...)
	if err := <-a.ended; !errors.Is(err, errPlug) {
		t.Fatal(err)
	}

	may.Store(true)
	other.Config.Accept = tokens[1:]
	c := member(t, &other, t.TempDir())
	c.await(t, board.Following, 100)
	c.rounds <- 3
	b.await(t, board.Live, 101) // what it is assigned still
	if st := b.Status(); len(st.Accepted) != 1 || st.Differs != "" {
		t.Errorf("%+v, %q", st.Accepted, st.Differs)
	}
	c.await(t, board.Following, 101)
	b.stop()
	if err := <-b.ended; err != nil {
		t.Fatal(err)
	}
}

// TestMemberThatDiffersCreatesTopics: a member with other settings follows where topics are to be created, too.
func TestMemberThatDiffersCreatesTopics(t *testing.T) {
	t.Parallel()
	s, _ := liveMember(t)
	other := *s
	other.Config.ModelConfig.Learner.Rate = 0.25
	other.Adjust = func(task *stream.Task) { task.Planned = task.Log.Topology }
	b := member(t, &other, t.TempDir())
	b.await(t, board.Following, 50)
	if d := b.Status().Differs; !strings.Contains(d, "learner.rate was 1, is 0.25") {
		t.Errorf("it differs by %q", d)
	}
}

// TestMemberThatNeverFits: what never changes under a model has no token, and ends no member.
func TestMemberThatNeverFits(t *testing.T) {
	t.Parallel()
	s, _ := liveMember(t)
	other := *s
	other.Config.ModelConfig.Learner.Bits, other.Config.ModelConfig.Decode.Bits = 13, 13
	b := member(t, &other, t.TempDir())
	b.await(t, board.Following, 50)
	if d := b.Status().Differs; !strings.Contains(d, "learner.bits was 12, is 13") || strings.Contains(d, "--accept") {
		t.Errorf("it differs by %q", d)
	}
}
