package stream_test

import (
	"math"
	"reflect"
	"testing"
	"time"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/board"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/streamtest"
)

// untrainedOf are the seqs of predictions and outcomes that say that nothing was learned before.
func untrainedOf(t *testing.T, s *streamtest.Setup) (predictions, outcomes []int64) {
	t.Helper()
	entries, _ := entriesOf(t, s)
	for i := range entries {
		e := &entries[i]
		if e.Outcome != nil {
			if e.Outcome.Untrained {
				outcomes = append(outcomes, e.Outcome.Of)
			}
			continue
		}
		p, err := journal.ParsePrediction(e.Record.Value)
		if err != nil {
			t.Fatal(err)
		}
		if p.Untrained {
			predictions = append(predictions, p.Seq)
		}
	}
	return predictions, outcomes
}

// figuresOf are the figures of a status: what was scored.
func figuresOf(st *board.Status) metrics.Report {
	r := st.Score
	r.R = 0 // of all that was learned
	return r
}

// TestUntrained: predictions made before the first label came say so, and so do their outcomes. They are counted, their
// labels are learned, and they are in no figure, whatever the checkpoint from which a process goes on.
func TestUntrained(t *testing.T) {
	t.Parallel()
	s := lateSetup(t, 1, 1, 1)
	s.Config.Labels.Wait = time.Hour.Milliseconds()
	begin := time.Now().Add(-10 * time.Minute)
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin, unlabelled(0, 20)...)...)
	states := []string{t.TempDir()}
	status := func() *board.Status {
		t.Helper()
		states = append(states, copyState(t, s))
		return s.MustRun(t).Status()
	}
	st := status()
	if st.Counts.Untrained != 20 || st.Score.Predictions != 0 || st.Score.LeftOut != 0 {
		t.Errorf("%+v, %+v", st.Counts, st.Score)
	}
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(begin.Add(time.Minute), labelsOf(3)...)...)
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin.Add(2*time.Minute), unlabelled(20, 40)...)...)
	st = status()
	if st.Counts.Untrained != 20 || st.Score.LeftOut != 1 || st.Score.Examples != 0 || st.Score.Updates != 1 {
		t.Errorf("%+v, %+v", st.Counts, st.Score)
	}
	// The next process knows that the model has learned.
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin.Add(150*time.Second), unlabelled(40, 45)...)...)
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0,
		at(begin.Add(3*time.Minute), labelsOf(4, 5, 6, 25, 26, 27, 28)...)...)
	st = status()
	if st.Score.LeftOut != 4 || st.Score.Examples != 4 || st.Score.Predictions != 8 {
		t.Errorf("%+v", st.Score)
	}
	predictions, outcomes := untrainedOf(t, s)
	if len(predictions) != 20 || predictions[19] != 20 || !reflect.DeepEqual(outcomes, []int64{4, 5, 6, 7}) {
		t.Errorf("predictions %v, outcomes of %v", predictions, outcomes)
	}
	a := auditLate(t, s)
	if !reflect.DeepEqual(a.proc.Report(), st.Score) {
		t.Errorf("figures %+v, want %+v", st.Score, a.proc.Report())
	}
	for i, dir := range states[2:] { // the first holds no checkpoint
		soundFrom(t, s, dir)
		s.Dir = dir
		if again := s.MustRun(t).Status(); !reflect.DeepEqual(figuresOf(again), figuresOf(st)) ||
			again.Counts.Untrained != st.Counts.Untrained {
			t.Errorf("from checkpoint %d: %+v, want %+v", i, again.Score, st.Score)
		}
	}
}

// TestUntrainedWithoutLabels: predictions that get no label are counted; what learns first is the label of an event
// that weighs something.
func TestUntrainedWithoutLabels(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Config.ModelConfig.Decode.WeightField = "weight"
	s.Cluster.Produce(t, s.Name, 0, `{"features":{"x":1}}`, `{"label":1,"weight":0,"features":{"x":1}}`,
		`{"features":{"x":2}}`, `{"label":-1,"features":{"x":1}}`, `{"features":{"x":3}}`)
	st := s.MustRun(t).Status()
	if st.Counts.Untrained != 2 || st.Score.Examples != 2 || st.Score.LeftOut != 0 || st.Score.Predictions != 5 {
		t.Errorf("%+v, %+v", st.Counts, st.Score)
	}
	var got []bool
	for _, p := range s.Audit(t).Predictions {
		got = append(got, p.Untrained)
		if p.Untrained && math.Float64bits(p.Score) != 0 {
			t.Errorf("seq %d is untrained and has score %v", p.Seq, p.Score)
		}
	}
	if !reflect.DeepEqual(got, []bool{true, false, true, false, false}) {
		t.Errorf("untrained: %v", got)
	}
}
