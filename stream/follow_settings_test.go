package stream_test

import (
	"errors"
	"testing"
	"time"

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
