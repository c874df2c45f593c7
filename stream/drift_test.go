package stream_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/segmentio/kafka-go"

	"rosenblatt/checkpoint"
	"rosenblatt/learner/drift"
	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
	"rosenblatt/stream/streamtest"
)

// lively detects many drifts in a short stream.
const lively = "adwin:delta=0.9,rise=0.05,clock=2"

// detecting has drifts detected, as figures alone or so that the learner begins anew.
func detecting(t testing.TB, s *streamtest.Setup, onDrift string) {
	t.Helper()
	var err error
	if s.Config.Drift, err = s.Config.ModelConfig.SetDrift(lively, onDrift); err != nil {
		t.Fatal(err)
	}
}

// driftsOf are the drifts of the topics alone: of published predictions, in the order in which their labels are
// learned.
func driftsOf(t testing.TB, s *streamtest.Setup) (drifts []model.Drifted, changes int64) {
	t.Helper()
	rule, err := model.ParseDrift(lively, "")
	if err != nil {
		t.Fatal(err)
	}
	d := drift.New(rule.Spec)
	entries, _ := entriesOf(t, s)
	examples := int64(0)
	for i := range entries {
		e := &entries[i]
		var x struct {
			Label, Prediction *int
			Untrained         bool
		}
		if err := json.Unmarshal(e.Record.Value, &x); err != nil {
			t.Fatal(err)
		}
		if x.Label == nil || x.Untrained || e.Kind.String() == "gone" {
			continue
		}
		examples++
		mistake := 0.0
		if *x.Label != *x.Prediction {
			mistake = 1
		}
		if !d.Add(mistake) {
			continue
		}
		if found, _ := d.Latest(); found.Drift {
			drifts = append(drifts, model.Drifted{Example: examples, Before: found.Before, After: found.After,
				Newer: found.Newer, Reset: s.Config.ModelConfig.OnDrift != ""})
		}
	}
	return drifts, d.Changes()
}

// savedDrifts are those of the newest checkpoint.
func savedDrifts(t testing.TB, s *streamtest.Setup) *model.DriftReport {
	t.Helper()
	f, _, err := (&checkpoint.Store{Dir: filepath.Join(s.Dir, s.Name)}).Newest()
	if err != nil {
		t.Fatal(err)
	}
	_, proc, err := model.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return proc.DriftReport()
}

func sameDrifts(t testing.TB, s *streamtest.Setup) {
	t.Helper()
	got := savedDrifts(t, s)
	want, changes := driftsOf(t, s)
	for i := range got.List {
		got.List[i].Prediction = 0
	}
	if got.Changes != changes || got.Drifts != int64(len(want)) || !reflect.DeepEqual(got.List, want) {
		t.Errorf("the checkpoint's drifts are\n%+v, the journal's\n%+v in %d changes", got, want, changes)
	}
	if len(want) < 1 { // how many depends on the order in which partitions are read
		t.Errorf("the test has %d drifts", len(want))
	}
}

// turned turns the labels round within some parts of a stream, so that models drift.
func turned(events []string) []string {
	for i, e := range events {
		if i/80%2 == 0 {
			continue
		}
		var x map[string]any
		if json.Unmarshal([]byte(e), &x) != nil {
			continue
		}
		if label, ok := x["label"].(float64); ok && (label == 1 || label == -1) {
			x["label"] = -label
			text, err := json.Marshal(x)
			if err == nil {
				events[i] = string(text)
			}
		}
	}
	return events
}

// turnedLate does it to labels that come later, by their ids.
func turnedLate(x *lateStream) *lateStream {
	each(x.labels, func(r *kafka.Record) {
		var l struct {
			ID    string
			Label *int
		}
		var of int
		value := text(r.Value)
		_ = json.Unmarshal([]byte(value), &l)
		if n, err := fmt.Sscanf(l.ID, "e%d", &of); err == nil && n == 1 && l.Label != nil && of/120%2 == 1 {
			value = fmt.Sprintf(`{"id":%q,"label":%d}`, l.ID, -*l.Label)
		}
		r.Value = kafka.NewBytes([]byte(value))
	})
	return x
}

// TestDriftsCrashAnywhere: the detector of drifts, and a learner that begins anew at them, survive crashes at any step.
func TestDriftsCrashAnywhere(t *testing.T) {
	t.Parallel()
	for seed := range uint64(streamtest.Rounds(4, 12, 40)) {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 38))
			partitions := 1 + r.IntN(3)
			s := streamtest.New(t, streamtest.Start(t), partitions)
			s.Config.ModelConfig.Learner.Learner = []string{"averaged", "arow"}[seed/2%2]
			for p := range partitions {
				s.Cluster.Produce(t, s.Name, p, turned(events(seed*10+uint64(p), 400))...)
			}
			detecting(t, s, []string{"none", "reset"}[seed%2])
			s.Config.BatchRecords = 1 + r.IntN(40)
			s.Config.CheckpointEvery = int64(1 + r.IntN(100))
			crashUntilThrough(t, s, r, 15)
			if o := s.Audit(t); seed%2 == 1 && o.Resets < 1 {
				t.Errorf("%d resets", o.Resets)
			}
			sameDrifts(t, s)
			if found := verified(t, s); len(found.Findings) > 0 {
				t.Error(found.Findings)
			}
		})
	}
}

// TestLateDriftsCrashAnywhere is TestDriftsCrashAnywhere with labels that come later: the order of learning counts.
func TestLateDriftsCrashAnywhere(t *testing.T) {
	t.Parallel()
	for seed := range uint64(streamtest.Rounds(2, 6, 20)) {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 39))
			partitions, labels := 1+r.IntN(3), 1+r.IntN(2)
			s := lateSetup(t, partitions, labels, 1)
			detecting(t, s, []string{"reset", "none"}[seed%2])
			turnedLate(newLateStream(seed, 700, partitions, labels)).produce(t, s)
			s.Config.BatchRecords = 1 + r.IntN(30)
			s.Config.CheckpointEvery = 1 + int64(r.IntN(60))
			crashUntilThrough(t, s, r, 12)
			sameScore(t, s, auditLate(t, s))
			sameDrifts(t, s)
		})
	}
}

// TestResetsOfAFollower: one that follows begins anew with the one that predicts, and goes on so.
func TestResetsOfAFollower(t *testing.T) {
	t.Parallel()
	s := lateSetup(t, 2, 1, 1)
	detecting(t, s, "reset")
	s.Config.CheckpointEvery = 50
	x := newPair(t, s)
	x.members[1].await(t, board.Following, 0)
	turnedLate(newLateStream(3, 700, 2, 1)).produce(t, s)
	x.assign(1 << 40)
	streamtest.Await(t, "the same drifts", func() bool {
		a, b := x.members[0].Status(), x.members[1].Status()
		return a.Seq > 800 && a.Seq == b.Seq && len(a.Drift.List) > 1 && reflect.DeepEqual(a.Drift, b.Drift)
	})
	x.plugs[x.active].left.Store(0)
	turnedLate(newLateStream(4, 60, 2, 1)).produce(t, s)
	x.crash(t, 1<<40)
	s = x.end(t)
	sameScore(t, s, auditLate(t, s))
	sameDrifts(t, s)
}

// TestDriftsAreNoConfiguration: without a reset other settings of the detector are no other model, and begin anew. With
// a reset they are.
func TestDriftsAreNoConfiguration(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	detecting(t, s, "none")
	s.Cluster.Produce(t, s.Name, 0, labelledEvents(300)...)
	s.MustRun(t)
	if got := savedDrifts(t, s); got == nil || got.Seen != 300 {
		t.Fatalf("%+v", got)
	}
	other, err := model.ParseDrift("adwin", "")
	if err != nil {
		t.Fatal(err)
	}
	s.Config.Drift = other
	s.Cluster.Produce(t, s.Name, 0, labelledEvents(70)...)
	s.MustRun(t)
	if got := savedDrifts(t, s); got.Seen != 70 || got.Rule != other.String() {
		t.Errorf("%+v", got)
	}
	s.Config.Drift = nil
	s.Cluster.Produce(t, s.Name, 0, labelledEvents(10)...)
	s.MustRun(t)
	if got := savedDrifts(t, s); got != nil {
		t.Errorf("%+v", got)
	}
	detecting(t, s, "reset")
	wantStop(t, s, "config", "drift", "onDrift")
	s.Config.Accept = []string{"config"}
	s.Cluster.Produce(t, s.Name, 0, labelledEvents(20)...)
	s.MustRun(t)
	if got := savedDrifts(t, s); got.Seen != 20 || !got.Resets {
		t.Errorf("%+v", got)
	}
}
