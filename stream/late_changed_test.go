package stream_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// waitingSetup has ten predictions that wait, e0 to e9, and no process.
func waitingSetup(t *testing.T) (s *streamtest.Setup, begin time.Time) {
	t.Helper()
	s, begin = lateSetup(t, 1, 1, 1), time.Now().Add(-time.Hour)
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin, unlabelled(0, 10)...)...)
	s.MustRun(t)
	return s, begin
}

// kindsBySeq counts the outcomes that predictions have, each one at most.
func kindsBySeq(t *testing.T, s *streamtest.Setup) map[journal.Kind]int {
	t.Helper()
	kinds := map[journal.Kind]int{}
	for _, e := range outcomesOf(t, s) {
		kinds[e.Kind]++
	}
	return kinds
}

// acceptedAndKilled starts a process that accepts a stop, and dies before it appends anything. It returns a copy of its
// state.
func acceptedAndKilled(t *testing.T, s *streamtest.Setup, stop string) (dir string) {
	t.Helper()
	s.Config.Accept = []string{stop}
	s.Adjust = func(task *stream.Task) {
		p := &plug{}
		p.left.Store(2) // the takeover
		task.Journal = pluggedJournal{task.Journal, p}
	}
	if _, err := s.Run(t); !errors.Is(err, errPlug) {
		t.Fatal(err)
	}
	s.Config.Accept, s.Adjust = nil, nil
	return copyState(t, s)
}

// TestLabelsTakenAway: what waits when labels are taken away needs a topic for its outcomes, and is evicted there.
func TestLabelsTakenAway(t *testing.T) {
	t.Parallel()
	s, begin := waitingSetup(t)
	outcomes := s.Kafka.Outcomes
	s.Config.ModelConfig.Late, s.Config.Labels, s.Kafka.Labels, s.Kafka.Outcomes = nil, nil, "", ""
	wantStop(t, s, stops.ConfigDiffers, "lateLabels")
	s.Config.Accept = stops.Acceptable()
	wantStop(t, s, stops.OutputUnfit, "--outcomes "+outcomes)
	s.Kafka.Outcomes = outcomes
	from := acceptedAndKilled(t, s, stops.ConfigDiffers)
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin.Add(time.Minute), unlabelled(10, 20)...)...)
	s.MustRun(t)
	if kinds := kindsBySeq(t, s); kinds[journal.Evicted] != 10 || len(kinds) != 1 {
		t.Errorf("%v", kinds)
	}
	soundFrom(t, s, from)
	s.Kafka.Outcomes = ""
	s.MustRun(t)
	if h, _ := headerOf(t, s); h.Outcomes.Name != "" || h.Late != nil {
		t.Errorf("%+v, %+v", h.Outcomes, h.Late)
	}
}

// TestInputReplaced: where another input is accepted, what waits is of events that are no more, and evicted, though the
// process dies before that is published. Offsets of the new input are other events.
func TestInputReplaced(t *testing.T) {
	t.Parallel()
	s, begin := waitingSetup(t)
	s.Cluster.Recreate(t, s.Name, 1)
	wantStop(t, s, stops.TopicChanged, s.Name)
	from := acceptedAndKilled(t, s, stops.TopicChanged)
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin.Add(20*time.Second), unlabelled(20, 30)...)...)
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(begin.Add(40*time.Second), labelsOf(3, 23)...)...)
	st := s.MustRun(t).Status()
	c := st.Counts.Labels
	if c.Outcomes["evicted"] != 10 || c.Outcomes["labelled"] != 1 || c.Rejected["late-label"] != 1 ||
		st.Late.Waiting != 9 || learned(st) != 1 {
		t.Errorf("%+v, %d wait", c, st.Late.Waiting)
	}
	for of, e := range outcomesOf(t, s) {
		if old := of <= 10; old != (e.Kind == journal.Evicted) || old != (e.Outcome.ID == nil) {
			t.Errorf("of seq %d: %+v", of, e.Outcome)
		}
	}
	soundFrom(t, s, from)
}

// TestInputReplacedBehindCheckpoint: what the journal says to have ended behind the checkpoint does not wait any more.
func TestInputReplacedBehindCheckpoint(t *testing.T) {
	t.Parallel()
	s, begin := waitingSetup(t)
	old := copyState(t, s)
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(begin.Add(20*time.Second), labelsOf(1, 2, 7)...)...)
	s.MustRun(t)
	s.Cluster.Recreate(t, s.Name, 1)
	s.Dir = old
	accepted(t, s, stops.TopicChanged)
	if kinds := kindsBySeq(t, s); kinds[journal.Labelled] != 3 || kinds[journal.Evicted] != 7 {
		t.Errorf("%v", kinds)
	}
}

// TestLabelsReplacedBehindCheckpoint: outcomes behind the checkpoint are of records of the topic that was replaced. The
// records of the new one have effects of their own.
func TestLabelsReplacedBehindCheckpoint(t *testing.T) {
	t.Parallel()
	s, begin := waitingSetup(t)
	old := copyState(t, s)
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(begin.Add(20*time.Second), labelsOf(1, 2, 7)...)...)
	s.MustRun(t)
	s.Cluster.Recreate(t, s.Kafka.Labels, 1)
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(begin.Add(20*time.Second), labelsOf(4, 5, 8)...)...)
	s.Dir = old
	wantStop(t, s, stops.TopicChanged, s.Kafka.Labels)
	st := accepted(t, s, stops.TopicChanged).Status()
	if kinds := kindsBySeq(t, s); kinds[journal.Labelled] != 6 || st.Late.Waiting != 4 {
		t.Errorf("%v, %d wait, %+v", kinds, st.Late.Waiting, st.Counts.Labels)
	}
}

// cutLog is a log whose topic of labels ends at an offset.
type cutLog struct {
	topics.Log
	end int64
}

func (l cutLog) Topology(ctx context.Context) (*topics.Topology, error) {
	top, err := l.Log.Topology(ctx)
	if err == nil {
		top.Labels.Partitions[0] = topics.Bounds{End: l.end, Stable: l.end}
	}
	return top, err
}

// TestLabelsCut: an outcome behind the checkpoint is of a label record that the topic has lost at its end.
func TestLabelsCut(t *testing.T) {
	t.Parallel()
	s, begin := waitingSetup(t)
	old := copyState(t, s)
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(begin.Add(20*time.Second), labelsOf(1, 2, 7)...)...)
	s.MustRun(t)
	s.Dir = old
	s.Wrap = func(l topics.Log) topics.Log { return cutLog{l, 1} }
	wantStop(t, s, stops.InputGone, "seq 12 is the outcome of a label record in topic "+s.Kafka.Labels,
		"partition 0 from offset 1 on")
	accepted(t, s, stops.InputGone)
	if kinds := kindsBySeq(t, s); kinds[journal.Labelled] != 3 || len(kinds) != 1 {
		t.Errorf("%v", kinds)
	}
}
