package stream_test

import (
	"context"
	"strings"
	"testing"

	"rosenblatt/stream"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// unfencedJournal is one of brokers that do not fence.
type unfencedJournal struct {
	topics.Journal
	asked *int
}

func (j unfencedJournal) Prove(context.Context) error {
	*j.asked++
	return &stops.Error{Name: stops.FenceIneffective, What: "it was written", Safe: "everything", Do: "use others"}
}

// TestFenceIneffective: the first start of a model stops where the brokers do not fence, again and again. An operator
// may accept it, once, but not for members.
func TestFenceIneffective(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Cluster.Produce(t, s.Name, 0, good(5)...)
	asked := 0
	s.Adjust = func(task *stream.Task) { task.Journal = unfencedJournal{task.Journal, &asked} }
	for range 2 {
		wantStop(t, s, stops.FenceIneffective, "it was written", "--accept fence-ineffective:")
	}
	s.Config.Accept = []string{stops.FenceIneffective}
	b := member(t, s, t.TempDir())
	b.rounds <- 1
	if err := endOf(t, b); !stops.Is(err, stops.FenceIneffective) {
		t.Errorf("a member ended with %v", err)
	}
	was := asked
	st := s.MustRun(t).Status()
	if len(st.Accepted) != 1 || st.Accepted[0].Name != stops.FenceIneffective || asked != was+1 {
		t.Errorf("accepted: %+v, asked %d times", st.Accepted, asked-was)
	}
	s.Config.Accept = nil
	s.Cluster.Produce(t, s.Name, 0, good(5)...)
	if st := s.MustRun(t).Status(); st.Seq != 10 || asked != was+1 {
		t.Errorf("seq %d, asked %d times", st.Seq, asked-was)
	}
	b = member(t, s, copied(t, s.Dir)) // what was accepted for one process alone
	b.rounds <- 2
	if err := endOf(t, b); !stops.Is(err, stops.FenceIneffective) || strings.Contains(err.Error(), "--accept") {
		t.Errorf("a member ended with %v", err)
	}
	s.Audit(t)
}
