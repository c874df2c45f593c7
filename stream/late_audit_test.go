package stream_test

import (
	"bytes"
	"math"
	"testing"

	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/model"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// lateAudit makes the whole journal of a setup with labels again, with code of its own, and compares.
type lateAudit struct {
	t        testing.TB
	s        *streamtest.Setup
	proc     *model.Processor
	events   *event.Decoder
	labels   *event.Decoder
	input    []map[int64]topics.Record
	label    []map[int64]topics.Record
	waiting  map[string]*lateEvent // by id
	known    map[string]bool       // ids that were ever predicted
	last     *lateEvent            // the prediction before
	trained  bool                  // an example was learned
	resets   *streamtest.Resets
	used     map[place]string // what became of records
	outcomes map[journal.Kind]int
	rejected map[string]int
}

type place struct {
	topic     topics.Topic
	partition int32
	offset    int64
}

type lateEvent struct {
	id        string
	seq       int64
	at        place
	duplicate bool
	untrained bool
	outcome   model.Outcome
}

// auditLate audits a setup. A record may have one use only.
func auditLate(t testing.TB, s *streamtest.Setup) *lateAudit {
	t.Helper()
	a := &lateAudit{t: t, s: s, waiting: map[string]*lateEvent{}, known: map[string]bool{}, used: map[place]string{},
		outcomes: map[journal.Kind]int{}, rejected: map[string]int{},
		resets: streamtest.NewResets(&s.Config.ModelConfig)}
	var err error
	if a.proc, err = s.Config.NewProcessor(); err != nil {
		t.Fatal(err)
	}
	if a.events, err = event.New(s.Config.ModelConfig.Decode); err != nil {
		t.Fatal(err)
	}
	fixed := s.Config.ModelConfig.Late
	if a.labels, err = event.NewLabels(fixed.Decode, fixed.ByKey()); err != nil {
		t.Fatal(err)
	}
	var entries []journal.Entry
	entries, a.input = entriesOf(t, s)
	a.readLabels()
	for i := range entries {
		e := &entries[i]
		if e.Seq != int64(i+1) {
			t.Fatalf("seq %d where %d is due", e.Seq, i+1)
		}
		if a.last != nil && a.last.duplicate && e.Kind != journal.DuplicateID {
			t.Fatalf("seq %d, %v, is behind the prediction of a duplicate", e.Seq, e.Kind)
		}
		if e.Outcome == nil {
			a.predict(e)
		} else {
			a.settle(e)
		}
	}
	a.deadLetters()
	a.complete()
	return a
}

func (a *lateAudit) readLabels() {
	c := a.s.Client(a.t)
	top, err := c.Topology(a.t.Context())
	if err != nil {
		a.t.Fatal(err)
	}
	for p, b := range top.Labels.Partitions {
		a.label = append(a.label, map[int64]topics.Record{})
		for _, r := range streamtest.Read(a.t, c, topics.Labels, int32(p), b) {
			a.label[p][r.Offset] = r
		}
	}
}

func (a *lateAudit) use(at place, what string) {
	a.t.Helper()
	if before := a.used[at]; before != "" {
		a.t.Fatalf("%v became %s, and now %s", at, before, what)
	}
	a.used[at] = what
}

// id is the id of an event or of a label record, empty without one.
func (a *lateAudit) id(e *event.Example, r *topics.Record) string {
	switch {
	case a.s.Config.ModelConfig.Late.ByKey():
		return string(r.Key)
	case e.ID != nil:
		return string(event.AppendIDKey(nil, e))
	}
	return ""
}

func (a *lateAudit) predict(e *journal.Entry) {
	a.t.Helper()
	at := place{topics.Input, e.Partition, e.Offset}
	a.use(at, "a prediction")
	a.outcomes[journal.Predicted]++
	r := a.input[e.Partition][e.Offset]
	var x event.Example
	arena := a.events.Decode(&r, nil, &x)
	o, rejected := a.proc.Predict(&x, x.Features(arena))
	if rejected != nil || math.Float64bits(o.Score) != math.Float64bits(e.Score) {
		a.t.Fatalf("seq %d: score %v, computed again %v, %v", e.Seq, e.Score, o.Score, rejected)
	}
	id, labelled := a.id(&x, &r), x.Label != 0 || x.Class != nil
	a.last = &lateEvent{id: id, seq: e.Seq, at: at, outcome: *o, untrained: !labelled && !a.trained}
	published, err := journal.ParsePrediction(e.Record.Value)
	if err != nil || published.Untrained != a.last.untrained || o.Untrained != a.last.untrained {
		a.t.Fatalf("seq %d is untrained: %v, want %v; %v", e.Seq, published.Untrained, a.last.untrained, err)
	}
	if a.trained = a.trained || labelled; labelled && a.resets.Learned(false, o.Mistake) {
		a.trained = false
	}
	if labelled || id == "" || a.known[id] {
		a.last.duplicate = !labelled && id != ""
		a.proc.Learn(&r, o)
	} else {
		a.waiting[id] = a.last
	}
	if id != "" {
		a.known[id] = true
	}
}

func (a *lateAudit) settle(e *journal.Entry) {
	a.t.Helper()
	o := e.Outcome
	a.outcomes[o.Kind]++
	if o.Kind == journal.DuplicateID {
		if !a.last.duplicate || o.Of != a.last.seq {
			a.t.Fatalf("seq %d is a duplicate of %d: %+v", e.Seq, o.Of, a.last)
		}
		a.last = nil
		return
	}
	a.last = nil
	w := a.of(o)
	if w == nil || w.at != (place{topics.Input, o.Partition, o.Offset}) ||
		math.Float64bits(w.outcome.Score) != math.Float64bits(o.Score) || w.untrained != o.Untrained {
		a.t.Fatalf("seq %d is the outcome %v of %d, which does not wait for it: %+v", e.Seq, o.Kind, o.Of, w)
	}
	delete(a.waiting, w.id)
	var label event.Example
	if o.Kind.ByLabel() {
		at := place{topics.Labels, o.LabelPartition, o.LabelOffset}
		a.use(at, o.Kind.String())
		r := a.label[o.LabelPartition][o.LabelOffset]
		a.labels.Decode(&r, nil, &label)
		if id := a.id(&label, &r); id != w.id {
			a.t.Fatalf("seq %d: the label is of %s, the event is %s", e.Seq, id, w.id)
		}
	}
	a.learn(e, w, &label)
}

// of returns the waiting event that an outcome is of.
func (a *lateAudit) of(o *journal.Outcome) *lateEvent {
	for _, w := range a.waiting {
		if w.seq == o.Of {
			return w
		}
	}
	return nil
}

func (a *lateAudit) learn(e *journal.Entry, w *lateEvent, label *event.Example) {
	a.t.Helper()
	o := e.Outcome
	if o.Kind == journal.Assumed {
		x, err := a.labels.ReadLabel(a.s.Config.ModelConfig.Late.Assume)
		if err != nil {
			a.t.Fatal(err)
		}
		label = &x
	}
	if o.Kind != journal.Labelled && o.Kind != journal.Assumed {
		a.proc.Learn(nil, &w.outcome)
		return
	}
	r := a.input[o.Partition][o.Offset]
	var x event.Example
	arena := a.events.Decode(&r, nil, &x)
	x.Label, x.Class, x.Family = label.Label, label.Class, label.Family
	if label.Weight >= 0 {
		x.Weight = label.Weight
	}
	now, rejected := a.proc.Predict(&x, x.Features(arena))
	if rejected != nil || math.Float64bits(now.Score) != math.Float64bits(o.ScoreNow) || now.Updated != o.Updated {
		a.t.Fatalf("seq %d: score now %v, computed again %v, updated %v %v, %v", e.Seq, o.ScoreNow, now.Score,
			o.Updated, now.Updated, rejected)
	}
	a.proc.SetPrediction(&w.outcome)
	if now.Mistake != o.Mistake || !bytes.Equal(e.Record.Key, r.Key) {
		a.t.Fatalf("seq %d: mistake %v, key %s: %v, %s", e.Seq, o.Mistake, e.Record.Key, now.Mistake, r.Key)
	}
	mistake := now.Mistake
	a.proc.Learn(&r, now)
	a.trained = !a.resets.Learned(w.untrained, mistake)
}

func (a *lateAudit) deadLetters() {
	a.t.Helper()
	c := a.s.Client(a.t)
	for _, r := range streamtest.Read(a.t, c, topics.DeadLetters, 0, topologyOf(a.t, a.s).DeadLetters.Partitions[0]) {
		l, ok := journal.ParseDeadLetter(&r)
		if !ok {
			a.t.Fatal("no dead letter")
		}
		at := place{topics.Input, l.Partition, l.Offset}
		if l.Topic == a.s.Kafka.Labels {
			at.topic = topics.Labels
		}
		a.use(at, l.Reason.String())
		a.rejected[l.Reason.String()]++
	}
}

func topologyOf(t testing.TB, s *streamtest.Setup) *topics.Topology {
	t.Helper()
	top, err := s.Client(t).Topology(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return top
}

// complete checks that each record was used, or is the repeat of a label.
func (a *lateAudit) complete() {
	a.t.Helper()
	for topic, all := range map[topics.Topic][]map[int64]topics.Record{topics.Input: a.input, topics.Labels: a.label} {
		for p, records := range all {
			for offset := range records {
				if a.used[place{topic, int32(p), offset}] != "" {
					continue
				}
				if topic == topics.Input {
					a.t.Fatalf("input %d/%d has neither prediction nor dead letter", p, offset)
				}
				a.rejected["repeat"]++
			}
		}
	}
}
