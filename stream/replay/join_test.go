package replay

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// mixed is a source of events and label records in the order in which they act.
type mixed struct {
	all []mixedRecord
	at  int
	r   *rand.Rand
}

type mixedRecord struct {
	topics.Record
	label bool
}

func (m *mixed) Fill(_ context.Context, b *Block) error {
	for n := m.r.IntN(50); n >= 0 && !b.Full(); n-- {
		if m.at == len(m.all) {
			return io.EOF
		}
		r := m.all[m.at]
		m.at++
		r.Value = b.Copy(r.Value)
		if r.label {
			b.Labels, b.Before = append(b.Labels, r.Record), append(b.Before, int32(len(b.Records)))
		} else {
			b.Records = append(b.Records, r.Record)
		}
	}
	return nil
}

func (m *mixed) Done() (done, total int64) { return int64(m.at), int64(len(m.all)) }

func (m *mixed) Where(b *Block, i int) string { return fmt.Sprintf("event %d", b.Records[i].Offset) }

// labelRecords are the options of label records.
func labelRecords() event.Options {
	o := options()
	o.WeightField = "weight"
	return o
}

// stir takes the labels out of a stretch: most come later in any order, some never, some twice, some with a weight or
// with another value the second time. Some ids are there twice.
func stir(seed uint64, records []topics.Record) *mixed {
	r := rand.New(rand.NewPCG(seed, 7))
	m := &mixed{r: r}
	var late []mixedRecord
	send := func(now int64, all bool) {
		for i := 0; i < len(late); i++ {
			if all || r.IntN(60) == 0 {
				x := late[i]
				x.Timestamp = now
				m.all = append(m.all, x)
				late = append(late[:i], late[i+1:]...)
				i--
			}
		}
	}
	for i, e := range records {
		id, text := fmt.Sprintf("e%d", i-i%30/29), string(e.Value)
		begin, rest, labelled := strings.Cut(strings.TrimPrefix(text, `{"label":`), ",")
		if r.IntN(10) > 0 { // else it bears its label
			text = "{" + rest
		}
		text = fmt.Sprintf(`{"id":%q,%s`, id, text[1:])
		e.Value = []byte(text)
		m.all = append(m.all, mixedRecord{Record: e})
		for n := r.IntN(10); labelled && begin != "null" && n > 0; n -= 7 {
			label := []string{begin, "1", `-1,"weight":0.5`}[max(r.IntN(9)-6, 0)]
			value := fmt.Sprintf(`{"id":%q,"label":%s}`, id, label)
			late = append(late, mixedRecord{topics.Record{Offset: e.Offset, Value: []byte(value)}, true})
		}
		send(e.Timestamp, false)
	}
	send(math.MaxInt32, true)
	return m
}

// joinedNaive is a replay with maps, and nothing but a processor.
type joinedNaive struct {
	*testing.T
	proc    *model.Processor
	events  *event.Decoder
	late    *event.Decoder
	waiting []naiveWaiting
	settled map[string]bool
	seen    []prediction
	trained bool
	end     map[labels.Outcome]int64
}

type naiveWaiting struct {
	id     string
	record topics.Record
	first  model.Outcome
}

func (n *joinedNaive) predict(r topics.Record, e *event.Example, label *event.Example) model.Outcome {
	arena := n.events.Decode(&r, nil, e)
	if label != nil {
		e.Label, e.Family = label.Label, label.Family
		if label.Weight >= 0 {
			e.Weight = label.Weight
		}
	}
	o, rejected := n.proc.Predict(e, e.Features(arena))
	if (rejected == nil) != (e.Rejected == nil) {
		n.Fatalf("%s is refused: %v", r.Value, rejected)
	}
	return *o
}

func (n *joinedNaive) event(r topics.Record, limit int) {
	var e event.Example
	o := n.predict(r, &e, nil)
	if e.Rejected != nil {
		return
	}
	n.seen = append(n.seen, prediction{r.Offset, math.Float64bits(o.Score)})
	o.Untrained = !n.trained && e.Label == 0
	n.trained = n.trained || e.Label != 0
	id := string(e.ID)
	known := n.settled[id]
	for _, w := range n.waiting {
		known = known || w.id == id
	}
	switch {
	case e.Label != 0:
		n.proc.Learn(&r, &o)
		if !known {
			n.settled[id] = true
		}
	case known:
		n.proc.Learn(&r, &o)
		n.end[labels.Duplicate]++
	default:
		n.waiting = append(n.waiting, naiveWaiting{id, r, o})
	}
	for len(n.waiting) > limit {
		n.stop(0, labels.Evicted)
	}
}

func (n *joinedNaive) stop(i int, o labels.Outcome) naiveWaiting {
	w := n.waiting[i]
	n.waiting = append(n.waiting[:i:i], n.waiting[i+1:]...)
	n.settled[w.id] = true
	n.end[o]++
	if o != labels.Labelled {
		w.first.Family = n.proc.Family
		n.proc.Learn(nil, &w.first)
	}
	return w
}

func (n *joinedNaive) label(r topics.Record) {
	var l, e event.Example
	n.late.Decode(&r, nil, &l)
	for i := range n.waiting {
		if n.waiting[i].id == string(l.ID) {
			w := n.stop(i, labels.Labelled)
			o := n.predict(w.record, &e, &l)
			o.Prediction, o.Score, o.Mistake = w.first.Prediction, w.first.Score, w.first.Prediction != o.Label
			o.Baselines, o.Untrained, n.trained = w.first.Baselines, w.first.Untrained, true
			if o.LabelProbability = w.first.Probability; o.Mistake && o.Probable {
				o.LabelProbability = 1 - w.first.Probability
			}
			n.proc.Learn(&w.record, &o)
			return
		}
	}
}

// TestJoin compares labels in records of their own with a replay of nothing but a processor and a list.
func TestJoin(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		records := stretch(seed, 2000)
		source := stir(seed, records)
		limit, learner := []int{1 << 20, 100}[seed%2], []string{"perceptron", "logistic"}[seed/2]
		n := &joinedNaive{T: t, proc: processor(t, learner), settled: map[string]bool{},
			end: map[labels.Outcome]int64{}}
		n.events = decoderOf(t, n.proc)
		var err error
		if n.late, err = event.NewLabels(labelRecords(), false); err != nil {
			t.Fatal(err)
		}
		for _, r := range source.all {
			if r.label {
				n.label(r.Record)
			} else {
				n.event(r.Record, limit)
			}
		}
		for _, others := range [][]string{{}, {"pa1", "arow"}} { // alone, and beside others
			source.at = 0
			var got []prediction
			late := &Labels{Limits: labels.Limits{Wait: 1 << 40, Examples: limit, Settled: 10_000},
				Decode: labelRecords(),
				Where:  func(int32, *topics.Record) string { return "label" }}
			all := []Learner{seen(t, learner, &got)}
			for _, name := range others {
				all = append(all, Learner{Name: name, Processor: processor(t, name)})
			}
			result := mustRun(t, source, Config{Labels: late, Learners: all})
			same(t, result.Learners[0].Processor, got, n.proc, n.seen)
			for _, o := range labels.Outcomes() {
				if result.Labels.Outcomes[o] != n.end[o] {
					t.Errorf("seed %d: %s %d, want %d", seed, o, result.Labels.Outcomes[o], n.end[o])
				}
			}
			if result.Labels.Waiting != int64(len(n.waiting)) || n.end[labels.Labelled] < 100 {
				t.Errorf("seed %d: %d wait, want %d; %v", seed, result.Labels.Waiting, len(n.waiting), n.end)
			}
		}
	}
}

// A label acts before it moves time: one that comes when its event has waited too long is learned if no label came
// between.
func TestLabelActsFirst(t *testing.T) {
	t.Parallel()
	unlabelled := func(id string, time int64) mixedRecord {
		return mixedRecord{topics.Record{Timestamp: time, Value: fmt.Appendf(nil, `{"id":%q,"x":1}`, id)}, false}
	}
	label := func(id string, time int64) mixedRecord {
		return mixedRecord{topics.Record{Timestamp: time, Value: fmt.Appendf(nil, `{"id":%q,"label":1}`, id)}, true}
	}
	source := &mixed{r: rand.New(rand.NewPCG(1, 1)), all: []mixedRecord{unlabelled("a", 0), unlabelled("b", 0),
		unlabelled("c", 500),
		label("b", 2000), label("a", 2001), label("c", 2002)}}
	late := &Labels{Limits: labels.Limits{Wait: 1000, Examples: 10, Settled: 10}, Decode: labelRecords(),
		Where: func(int32, *topics.Record) string { return "label" }}
	r := mustRun(t, source, Config{Labels: late, Learners: []Learner{{Name: "pa", Processor: processor(t, "pa")}}})
	if end := r.Labels.Outcomes; end[labels.Labelled] != 1 || end[labels.Expired] != 2 ||
		r.Labels.Rejected[event.LateLabel] != 2 {
		t.Errorf("%+v, want b labelled, a and c expired", r.Labels)
	}
}

// Labels in records of their own are for one pass without a delay.
func TestJoinAlone(t *testing.T) {
	t.Parallel()
	for _, c := range []Config{{Passes: 2}, {Shuffle: true}, {Delay: Delay{Examples: 1}}} {
		c.Labels, c.Decode = &Labels{Decode: options()}, options()
		c.Learners = []Learner{{Processor: processor(t, "pa")}}
		if _, err := Run(t.Context(), &values{}, c); err == nil {
			t.Errorf("no error for %+v", c)
		}
	}
}
