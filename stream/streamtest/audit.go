package streamtest

import (
	"cmp"
	"math"
	"slices"
	"testing"
	"time"

	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/model"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// Read reads a partition's data records from offset 0 to its end.
func Read(t testing.TB, log topics.Log, topic topics.Topic, partition int32, b topics.Bounds) (out []topics.Record) {
	t.Helper()
	ctx := Timeout(t, 60*time.Second)
	c := topics.Run{Next: b.Start}
	reader := log.Open(topic, partition, b.Start)
	for c.Next < b.End {
		if err := reader.Read(ctx, &c, 5000); err != nil {
			t.Fatalf("read topic %d partition %d at %d: %v", topic, partition, c.Next, err)
		}
		out = append(out, c.Records...)
	}
	return out
}

// Outcome is what the topics hold.
type Outcome struct {
	Input       [][]topics.Record    // by partition
	Predictions []journal.Prediction // in order of seq
	Values      [][]byte             // their values
	DeadLetters []journal.DeadLetter // in order of the dead-letter topic
	Proc        *model.Processor     // after the last prediction, computed again
	Resets      int                  // how often the learner began anew
	Champions   map[int64]string     // who becomes the champion, by the seq of a batch's first prediction that says so
}

// Audit reads the setup's topics and checks the invariant: every input record has one prediction or one dead letter,
// seq has no hole and no duplicate, offsets rise within each partition, and every score is what learning in order of
// seq gives.
func (s *Setup) Audit(t testing.TB) *Outcome {
	t.Helper()
	c := s.Client(t)
	ctx := Timeout(t, 60*time.Second)
	top, err := c.Topology(ctx)
	if err != nil {
		t.Fatal(err)
	}
	o := &Outcome{Champions: map[int64]string{}}
	for p, b := range top.Input.Partitions {
		var records []topics.Record
		if p < len(s.Gone) {
			records = slices.Clone(s.Gone[p])
		}
		o.Input = append(o.Input, append(records, Read(t, c, topics.Input, int32(p), b)...))
	}
	s.collect(t, c, top, o)
	s.recompute(t, o)
	return o
}

func (s *Setup) collect(t testing.TB, c topics.Log, top *topics.Topology, o *Outcome) {
	t.Helper()
	type pair struct {
		a   journal.Prediction
		raw []byte
	}
	var all []pair
	for p, b := range top.Output.Partitions {
		last := int64(0)
		for _, r := range Read(t, c, topics.Output, int32(p), b) {
			a, err := journal.ParsePrediction(r.Value)
			if err != nil {
				t.Fatalf("output partition %d offset %d: %v", p, r.Offset, err)
			}
			if a.Seq <= last || a.Partition != int32(p) {
				t.Fatalf("output partition %d offset %d: seq %d after %d, of input partition %d", p, r.Offset, a.Seq,
					last, a.Partition)
			}
			last = a.Seq
			if name := championOf(t, r.Headers); name != "" {
				o.Champions[a.Seq] = name
			}
			all = append(all, pair{a, r.Value})
		}
	}
	slices.SortStableFunc(all, func(x, y pair) int { return cmp.Compare(x.a.Seq, y.a.Seq) })
	for i, x := range all {
		if x.a.Seq != int64(i+1) {
			t.Fatalf("seq %d where %d is due: a hole or a duplicate", x.a.Seq, i+1)
		}
		o.Predictions, o.Values = append(o.Predictions, x.a), append(o.Values, x.raw)
	}
	for p, b := range top.DeadLetters.Partitions {
		for _, r := range Read(t, c, topics.DeadLetters, int32(p), b) {
			if l, ok := journal.ParseDeadLetter(&r); ok && (l.Output == "" || l.Output == s.Output()) {
				o.DeadLetters = append(o.DeadLetters, l)
			}
		}
	}
}

// championOf is the learner that a record's headers make the champion; empty if they make none.
func championOf(t testing.TB, headers []byte) (name string) {
	t.Helper()
	all, err := recordbatch.ParseHeaders(headers)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range all {
		if h.Key == "rosenblatt.champion" {
			name = string(h.Value)
		}
	}
	return name
}

type at struct {
	partition int32
	offset    int64
}

func (s *Setup) recompute(t testing.TB, o *Outcome) {
	t.Helper()
	proc, err := s.Config.NewProcessor()
	if err != nil {
		t.Fatal(err)
	}
	d, err := event.New(s.Config.ModelConfig.Decode)
	if err != nil {
		t.Fatal(err)
	}
	records := map[at]*topics.Record{}
	for p := range o.Input {
		for i := range o.Input[p] {
			records[at{int32(p), o.Input[p][i].Offset}] = &o.Input[p][i]
		}
	}
	done, trained, resets := map[at]string{}, proc.Trained, NewResets(&s.Config.ModelConfig)
	last, several := map[int32]int64{}, len(s.Config.ModelConfig.Learners()) > 1
	for _, a := range o.Predictions {
		where := at{a.Partition, a.Offset}
		r := records[where]
		if r == nil || done[where] != "" || a.Offset < last[a.Partition] {
			t.Fatalf("seq %d of input %d/%d: exists %v, outcome before %q, last offset %d", a.Seq, a.Partition,
				a.Offset, r != nil, done[where], last[a.Partition])
		}
		done[where], last[a.Partition] = "predicted", a.Offset
		if name := o.Champions[a.Seq]; name != "" {
			if err := proc.Promote(name, a.Seq, 0); err != nil {
				t.Fatalf("seq %d: %v", a.Seq, err)
			}
		}
		var e event.Example
		arena := d.Decode(r, nil, &e)
		out, rejected := proc.Predict(&e, e.Features(arena))
		if rejected != nil || math.Float64bits(out.Score) != math.Float64bits(a.Score) {
			t.Fatalf("seq %d (input %d/%d): published %v, recomputed %v %v", a.Seq, a.Partition, a.Offset, a.Score,
				out.Score, rejected)
		}
		if has := a.Threshold != nil; has != out.HasThreshold || has && *a.Threshold != out.Threshold {
			t.Fatalf("seq %d: threshold %v, recomputed %v %v", a.Seq, a.Threshold, out.Threshold, out.HasThreshold)
		}
		labelled := e.Label != 0 || e.Class != nil
		untrained := !labelled && !trained
		if several && resets.on { // each begins anew by its own mistakes: see the oracle of the simulation
			untrained = out.Untrained
		}
		if a.Untrained != untrained {
			t.Fatalf("seq %d is untrained: %v, and an example was learned: %v", a.Seq, a.Untrained, trained)
		}
		trained = trained || labelled && e.Weight > 0 && !proc.NoLearn
		if labelled && resets.Learned(a.Untrained, out.Mistake) {
			trained = false
		}
		proc.Publish(out)
		proc.Learn(r, out)
	}
	s.finished(t, o, records, done)
	o.Proc, o.Resets = proc, resets.Count
}

// finished fails unless each record has one outcome: done has those with a prediction.
func (s *Setup) finished(t testing.TB, o *Outcome, records map[at]*topics.Record, done map[at]string) {
	t.Helper()
	for _, l := range o.DeadLetters {
		where := at{l.Partition, l.Offset}
		if records[where] == nil || done[where] != "" {
			t.Fatalf("dead letter of input %d/%d: exists %v, outcome before %q", l.Partition, l.Offset,
				records[where] != nil, done[where])
		}
		done[where] = "dead-lettered"
	}
	if skip := s.Config.ModelConfig.Decode.Tombstones == event.SkipTombstones; !skip && len(done) != len(records) {
		t.Fatalf("%d records of %d have an outcome", len(done), len(records))
	}
}
