package streamtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/late"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// LabelPartitions is how many partitions a Pending pretends that the labels have.
const LabelPartitions = 3

// Pending is a stream.Pending that ends the waiting of predictions at random moments, in ways that only the journal
// tells. Of a kind it takes the lowest waiting one, by a label the lowest of the label's partition; what it labels it
// learns once more. Every eleventh record repeats an id.
type Pending struct {
	r       *rand.Rand
	decoder *event.Decoder
	pendingState

	Learned func(untrained, mistake bool) // is told of each label that is learned; nil: nobody is
}

type pendingState struct {
	Waiting []waiting
	Repeat  *waiting // the last prediction, if it is of a repeated id
	Labels  [LabelPartitions]int64
}

type waiting struct {
	Seq        int64
	Partition  int32
	Offset     int64
	Key, Value []byte
	Score      float64
}

// labelPartition is the partition that the label would come in.
func (w *waiting) labelPartition() int32 { return int32(w.Offset % LabelPartitions) }

// NewPending makes the Pending that a checkpoint holds, an empty one of none. Without r it only follows a journal.
func NewPending(o event.Options, r *rand.Rand, from *checkpoint.File) (*Pending, error) {
	d, err := event.New(o)
	if err != nil {
		return nil, err
	}
	x := &Pending{r: r, decoder: d}
	if from == nil {
		return x, nil
	}
	saved, ok := from.Section(PendingSection)
	if !ok {
		return nil, fmt.Errorf("no section %q", PendingSection)
	}
	return x, json.Unmarshal(saved, &x.pendingState)
}

// PendingSection holds a Pending in a checkpoint.
const PendingSection = "pending"

// Snapshot implements stream.Pending.
func (x *Pending) Snapshot() func() []checkpoint.Section {
	saved, err := json.Marshal(&x.pendingState)
	if err != nil {
		panic(err)
	}
	return func() []checkpoint.Section { return []checkpoint.Section{checkpoint.Bytes(PendingSection, saved)} }
}

// Predicted implements stream.Pending.
func (x *Pending) Predicted(p *late.Predicted) (waits bool) {
	r := p.Record
	w := waiting{p.Seq, p.Partition, r.Offset, bytes.Clone(r.Key), bytes.Clone(r.Value), p.Outcome.Score}
	x.Repeat = nil
	if r.Offset%11 == 5 {
		x.Repeat = &w
		return false
	}
	x.Waiting = append(x.Waiting, w)
	return false
}

// MakeDue implements stream.Pending.
func (x *Pending) MakeDue(p *model.Processor) *journal.Outcome {
	k, partition := x.due()
	if k == journal.Foreign {
		return nil
	}
	return x.Make(k, partition, p)
}

// Make implements stream.Pending.
func (x *Pending) Make(k journal.Kind, partition int32, p *model.Processor) *journal.Outcome {
	w := x.find(k, partition)
	if w == nil {
		return nil
	}
	o := &journal.Outcome{Kind: k, Of: w.Seq, ID: []byte(`"i"`), Key: w.Key, Prediction: []byte("1"),
		Score: w.Score, Partition: w.Partition, Offset: w.Offset, Time: 1000 + w.Seq}
	if k.ByLabel() {
		o.LabelPartition, o.LabelOffset, o.Delay = partition, x.Labels[partition], 7
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
func (x *Pending) due() (journal.Kind, int32) {
	switch {
	case x.Repeat != nil:
		return journal.DuplicateID, x.Repeat.Partition
	case len(x.Waiting) == 0, len(x.Waiting) < 20 && x.r.IntN(3) > 0:
		return journal.Foreign, 0
	}
	k := journal.Labelled + journal.Kind(x.r.IntN(int(journal.Evicted-journal.Labelled)+1))
	if !k.ByLabel() {
		return k, 0
	}
	return k, x.Waiting[x.r.IntN(len(x.Waiting))].labelPartition()
}

func (x *Pending) find(k journal.Kind, partition int32) *waiting {
	if k == journal.DuplicateID {
		return x.Repeat
	}
	for i := range x.Waiting {
		if !k.ByLabel() || x.Waiting[i].labelPartition() == partition {
			return &x.Waiting[i]
		}
	}
	return nil
}

func (x *Pending) predict(w *waiting, p *model.Processor) *model.Outcome {
	var e event.Example
	arena := x.decoder.Decode(&event.Record{Key: w.Key, Value: w.Value}, nil, &e)
	o, rejected := p.Predict(&e, e.Features(arena))
	if rejected != nil {
		panic(fmt.Sprintf("seq %d was predicted, and is rejected: %v", w.Seq, rejected))
	}
	return o
}

// Learn implements stream.Pending.
func (x *Pending) Learn(o *journal.Outcome, p *model.Processor) {
	if o.Scored {
		w := x.find(o.Kind, o.LabelPartition)
		out := x.predict(w, p)
		p.Learn(&topics.Record{Key: w.Key, Value: w.Value}, out)
		if x.Learned != nil && out.Labelled {
			x.Learned(out.Untrained, out.Mistake)
		}
	}
	if o.Kind.ByLabel() {
		x.Labels[o.LabelPartition]++
	}
	if o.Kind == journal.DuplicateID {
		x.Repeat = nil
	}
	x.Waiting = slices.DeleteFunc(x.Waiting, func(w waiting) bool { return w.Seq == o.Of })
}
