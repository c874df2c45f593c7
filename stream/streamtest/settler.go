package streamtest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"

	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// LabelPartitions is how many partitions a Settler pretends that the labels have.
const LabelPartitions = 3

// Settler is a stream.Settler that ends the waiting of predictions at random moments, in ways that only the journal
// tells. Of a kind it takes the lowest waiting one, by a label the lowest of the label's partition; what it labels it
// learns once more. Every eleventh record repeats an id.
type Settler struct {
	r       *rand.Rand
	decoder *event.Decoder
	waiting []waiting
	repeat  *waiting // the last prediction, if it is of a repeated id
	labels  [LabelPartitions]int64
}

type waiting struct {
	seq       int64
	partition int32
	record    topics.Record
	score     float64
}

// labelPartition is the partition that the label would come in.
func (w *waiting) labelPartition() int32 { return int32(w.record.Offset % LabelPartitions) }

// NewSettler makes a settler of nothing. Without r it only follows a journal.
func NewSettler(o event.Options, r *rand.Rand) (*Settler, error) {
	d, err := event.New(o)
	return &Settler{r: r, decoder: d}, err
}

// Follow notes an entry of a journal; r is the record of a prediction.
func (x *Settler) Follow(e *journal.Entry, r *topics.Record) {
	if e.Outcome != nil {
		x.settled(e.Outcome)
		return
	}
	x.Predicted(e.Seq, e.Partition, r, nil, &model.Outcome{Score: e.Score})
}

// Predicted implements stream.Settler.
func (x *Settler) Predicted(seq int64, p int32, r *topics.Record, _ *event.Example, o *model.Outcome) {
	w := waiting{seq, p, topics.Record{Offset: r.Offset, Key: bytes.Clone(r.Key),
		Value: bytes.Clone(r.Value)}, o.Score}
	x.repeat = nil
	if r.Offset%11 == 5 {
		x.repeat = &w
		return
	}
	x.waiting = append(x.waiting, w)
}

// Make implements stream.Settler.
func (x *Settler) Make(k journal.Kind, partition int32, p *model.Processor) *journal.Outcome {
	if k == journal.Foreign {
		if k, partition = x.due(); k == journal.Foreign {
			return nil
		}
	}
	w := x.find(k, partition)
	if w == nil {
		return nil
	}
	o := &journal.Outcome{Kind: k, Of: w.seq, ID: []byte(`"i"`), Key: w.record.Key, Prediction: []byte("1"),
		Score: w.score, Partition: w.partition, Offset: w.record.Offset, Time: 1000 + w.seq}
	if k.ByLabel() {
		o.LabelPartition, o.LabelOffset, o.Delay = partition, x.labels[partition], 7
	}
	if k.ByLabel() || k == journal.Assumed {
		o.Label = []byte("-1")
	}
	if k == journal.Labelled || k == journal.Assumed {
		now := x.predict(w, p)
		o.Scored, o.ScoreNow, o.Updated, o.Mistake = true, now.Score, now.Updated, now.Mistake
	}
	return o
}

// due picks what comes next, at random.
func (x *Settler) due() (journal.Kind, int32) {
	switch {
	case x.repeat != nil:
		return journal.DuplicateID, x.repeat.partition
	case len(x.waiting) == 0, len(x.waiting) < 20 && x.r.IntN(3) > 0:
		return journal.Foreign, 0
	}
	k := journal.Labelled + journal.Kind(x.r.IntN(int(journal.Evicted-journal.Labelled)+1))
	if !k.ByLabel() {
		return k, 0
	}
	return k, x.waiting[x.r.IntN(len(x.waiting))].labelPartition()
}

func (x *Settler) find(k journal.Kind, partition int32) *waiting {
	if k == journal.DuplicateID {
		return x.repeat
	}
	for i := range x.waiting {
		if !k.ByLabel() || x.waiting[i].labelPartition() == partition {
			return &x.waiting[i]
		}
	}
	return nil
}

func (x *Settler) predict(w *waiting, p *model.Processor) *model.Outcome {
	var e event.Example
	arena := x.decoder.Decode(w.record.Key, w.record.Value, nil, &e)
	o, rejected := p.Predict(&e, e.Features(arena))
	if rejected != nil {
		panic(fmt.Sprintf("seq %d was predicted, and is rejected: %v", w.seq, rejected))
	}
	return o
}

// Settled implements stream.Settler.
func (x *Settler) Settled(o *journal.Outcome, p *model.Processor) {
	if o.Scored {
		w := x.find(o.Kind, o.LabelPartition)
		p.Learn(&w.record, x.predict(w, p))
	}
	x.settled(o)
}

func (x *Settler) settled(o *journal.Outcome) {
	if o.Kind.ByLabel() {
		x.labels[o.LabelPartition]++
	}
	if o.Kind == journal.DuplicateID {
		x.repeat = nil
	}
	x.waiting = slices.DeleteFunc(x.waiting, func(w waiting) bool { return w.seq == o.Of })
}
