package stream_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"

	"rosenblatt/checkpoint"
	"rosenblatt/stream"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/state"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/verify"
)

// goneSetup has ten predictions that wait, e0 to e9, the first five of which are of events that the input no longer
// holds, and no process.
func goneSetup(t *testing.T, change func(*streamtest.Setup)) (*streamtest.Setup, time.Time) {
	t.Helper()
	s, begin := lateSetup(t, 1, 1, 1), time.Now().Add(-time.Hour)
	if change != nil {
		change(s)
	}
	records := at(begin, unlabelled(0, 10)...)
	for i := range records {
		records[i].Key = kafka.NewBytes([]byte{'k', byte('0' + i)})
	}
	s.Cluster.ProduceRecords(t, s.Name, 0, records...)
	s.MustRun(t)
	s.Cluster.DeleteRecords(t, s.Name, 0, 5)
	return s, begin.Add(20 * time.Second)
}

// copyState copies the state folder, as a process that dies leaves it.
func copyState(t *testing.T, s *streamtest.Setup) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(s.Dir)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// outcomesOf are the outcomes of the predictions, by their seq. Each has one at most.
func outcomesOf(t *testing.T, s *streamtest.Setup) map[int64]journal.Entry {
	t.Helper()
	entries, _ := entriesOf(t, s)
	found := map[int64]journal.Entry{}
	for _, e := range entries {
		if e.Outcome == nil {
			continue
		}
		if before, twice := found[e.Outcome.Of]; twice {
			t.Errorf("seq %d has two outcomes: %v and %v", e.Outcome.Of, before.Kind, e.Kind)
		}
		found[e.Outcome.Of] = e
	}
	return found
}

// soundFrom audits a setup from the newest checkpoint in a folder on.
func soundFrom(t *testing.T, s *streamtest.Setup, dir string) {
	t.Helper()
	f, _, err := (&checkpoint.Store{Dir: filepath.Join(dir, s.Name)}).Newest()
	if err != nil {
		t.Fatal(err)
	}
	h, proc, err := model.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	limits := state.LabelsConfig{Limits: labels.Limits{Examples: 1000}} // labels were taken away
	if s.Config.Labels != nil {
		limits = *s.Config.Labels
	}
	from := verify.FromCheckpoint(&h, proc, topologyOf(t, s))
	if err := from.Wait(f, &h, limits.Limits); err != nil {
		t.Fatal(err)
	}
	found, err := verify.Audit{Log: s.Client(t), Model: s.Name, Labels: limits, From: from}.Run(t.Context())
	if err != nil || !found.OK() {
		t.Errorf("verify: %v, %+v", err, found)
	}
}

// TestEventGone: a label of an event that the input no longer holds makes the outcome gone, which learns nothing, says
// what the label record says, and settles the id; also when it is made again.
func TestEventGone(t *testing.T) {
	t.Parallel()
	for name, byKey := range map[string]bool{model.JoinID: false, model.JoinKey: true} {
		t.Run(name, func(t *testing.T) {
			s, later := goneSetup(t, func(s *streamtest.Setup) { s.Config.ModelConfig.Late.Join = name })
			old, from := copyState(t, s), copyState(t, s)
			records := at(later, labelsOf(1, 7, 1)...)
			records = append(records, at(later.Add(time.Minute/2), `{"id":"e1","label":1}`)...)
			for i, n := range []byte("1711") {
				records[i].Key = kafka.NewBytes([]byte{'k', n})
			}
			s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, records...)
			for _, dir := range []string{s.Dir, old} {
				s.Dir = dir
				st := s.MustRun(t).Status()
				c := st.Counts.Labels
				if c.Outcomes["gone"] != 1 || c.Outcomes["labelled"] != 1 || c.Repeats != 1 ||
					c.Rejected["conflicting-label"] != 1 || learned(st) != 1 || st.Late.Waiting != 8 {
					t.Errorf("%+v, %+v", c, st.Score)
				}
			}
			soundFrom(t, s, from)
			all := outcomesOf(t, s)
			gone := all[2]
			o := gone.Outcome
			if o == nil || o.Kind != journal.Gone || o.Offset != 1 || o.Scored || o.Updated ||
				string(o.Label) != "-1" || o.LabelOffset != 0 ||
				o.Delay != later.Sub(time.UnixMilli(o.Time)).Milliseconds() {
				t.Fatalf("%+v", o)
			}
			if key, id := string(gone.Record.Key), string(o.ID); byKey && (key != "k1" || id != "") ||
				!byKey && (key != "" || id != `"e1"`) {
				t.Errorf("key %q, id %q", key, id)
			}
			if string(all[8].Record.Key) != "k7" || string(all[8].Outcome.ID) != `"e7"` {
				t.Errorf("%+v", all[8])
			}
		})
	}
}

// TestEventGoneWithoutLabel: what is assumed of an event that is gone is expired, and nobody knows its id.
func TestEventGoneWithoutLabel(t *testing.T) {
	t.Parallel()
	s, later := goneSetup(t, func(s *streamtest.Setup) { s.Config.ModelConfig.Late.Assume = "-1" })
	old, from := copyState(t, s), copyState(t, s)
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(later.Add(time.Hour/2), labelsOf(9)...)...)
	for _, dir := range []string{s.Dir, old} {
		s.Dir = dir
		st := s.MustRun(t).Status()
		c := st.Counts.Labels
		if c.Outcomes["expired"] != 5 || c.Outcomes["assumed"] != 4 || c.Outcomes["labelled"] != 1 ||
			learned(st) != 5 {
			t.Errorf("%+v, %+v", c, st.Score)
		}
	}
	soundFrom(t, s, from)
	for of, e := range outcomesOf(t, s) {
		if gone := of <= 5; gone != (e.Record.Key == nil) || gone != (e.Outcome.ID == nil) ||
			gone != (e.Kind == journal.Expired) {
			t.Errorf("seq %d: %+v, key %q", of, e.Outcome, e.Record.Key)
		}
	}
}

// TestEventGoneThatWasLearned: an outcome behind the checkpoint was learned from an event that the input no longer
// holds: a stop that an operator can pass. Its prediction has that one outcome then, and no other.
func TestEventGoneThatWasLearned(t *testing.T) {
	t.Parallel()
	for name, assume := range map[string]string{"labelled": "", "assumed": "1"} {
		t.Run(name, func(t *testing.T) {
			ids, after := []int{1, 2, 7}, 20*time.Second
			if assume != "" {
				ids, after = []int{9}, 68*time.Second // the other is late
			}
			s, begin := lateSetup(t, 1, 1, 1), time.Now().Add(-time.Hour)
			s.Config.ModelConfig.Late.Assume = assume
			s.Cluster.ProduceRecords(t, s.Name, 0, at(begin, unlabelled(0, 10)...)...)
			s.MustRun(t)
			old := copyState(t, s)
			s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(begin.Add(after), labelsOf(ids...)...)...)
			s.MustRun(t)
			before := len(outcomesOf(t, s))
			s.Cluster.DeleteRecords(t, s.Name, 0, 5)
			s.Dir = old
			wantStop(t, s, stops.InputGone, "input partition 0 offset ", "no longer holds that record")
			advised(t, s, stops.InputGone)
			s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(begin.Add(after), labelsOf(1)...)...)
			st, n := s.MustRun(t).Status(), len(outcomesOf(t, s))
			if n != before || st.Late.Waiting != 10-before || len(st.Counts.Labels.Rejected) != 1 {
				t.Errorf("%d outcomes, %d before, %d wait, %+v", n, before, st.Late.Waiting, st.Counts.Labels)
			}
		})
	}
}

// TestEventGoneInATornFlight: an outcome that the last flight lacks cannot be made anew without its event.
func TestEventGoneInATornFlight(t *testing.T) {
	t.Parallel()
	s, begin := lateSetup(t, 1, 1, 1), time.Now().Add(-time.Hour)
	s.Config.CheckpointInterval, s.Config.CheckpointEvery = time.Hour, 10 // at seq 10 and 20
	var held atomic.Bool
	gate := make(chan struct{})
	s.Adjust = func(task *stream.Task) {
		task.Journal = &cutJournal{Journal: task.Journal, left: 1,
			ready: func() {
				if held.Load() {
					<-gate
				}
			},
			keep: func(_ int, b *topics.Batch) int {
				if b.Topic == topics.Output {
					return b.Records.Len()
				}
				return 0
			}}
	}
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin, unlabelled(0, 10)...)...)
	task, _, done := live(t, s)
	streamtest.Await(t, "a checkpoint of the first ten", func() bool { return task.Status().Saved.Seq == 10 })
	held.Store(true) // one flight waits, and the next one gets all that follows
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin.Add(10*time.Second), unlabelled(10, 11)...)...)
	streamtest.Await(t, "one more", func() bool { return task.Status().Seq == 11 })
	s.Cluster.ProduceRecords(t, s.Kafka.Labels, 0, at(begin.Add(20*time.Second), labelsOf(1, 2, 7)...)...)
	streamtest.Await(t, "the labels", func() bool { return task.Status().Seq == 14 })
	s.Cluster.ProduceRecords(t, s.Name, 0, at(begin.Add(30*time.Second), unlabelled(11, 15)...)...)
	streamtest.Await(t, "all", func() bool { return task.Status().Seq == 18 })
	close(gate)
	if err := ended(t, done); !errors.Is(err, errPlug) {
		t.Fatal(err)
	}
	s.Adjust, s.Config.UntilEnd = nil, true
	s.Cluster.DeleteRecords(t, s.Name, 0, 5)
	wantStop(t, s, stops.InputGone, "seq 12 learns from input partition 0 offset 1")
	accepted(t, s, stops.InputGone)
	outcomesOf(t, s)
}
