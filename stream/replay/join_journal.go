package replay

import (
	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
)

// outcome is an outcome of a journal.
type outcome struct {
	kind   journal.Kind
	of     int64 // seq of the prediction
	label  int32 // its label record in the block; -1 if it has none
	before int32 // the record of the block before which it comes
}

// follow returns the steps of a block of a journal.
func (j *joiner) follow(b *Block) []step {
	j.steps = make([]step, 0, len(b.Records)+len(b.outcomes))
	at := 0
	for i := range b.Records {
		for ; at < len(b.outcomes) && int(b.outcomes[at].before) <= i; at++ {
			j.followOutcome(b, &b.outcomes[at])
		}
		j.followPrediction(b, i)
	}
	for ; at < len(b.outcomes); at++ {
		j.followOutcome(b, &b.outcomes[at])
	}
	return j.steps
}

func (j *joiner) followPrediction(b *Block, i int) {
	e, r, number := &b.Examples[i], &b.Records[i], int64(0)
	switch {
	case e.Rejected != nil || e.Skip || e.Label != 0 || e.Class != nil:
	case j.ids.ID(e, r) == labels.ID{}:
		j.joined.NoID++
	default:
		number = b.Seqs[i]
		j.cache.Put(number, e, b.Features(i), r)
		j.open++
	}
	j.steps = append(j.steps, step{i: int32(i), number: number})
}

func (j *joiner) followOutcome(b *Block, o *outcome) {
	kept, ok := j.cache.Take(o.of)
	if !ok {
		return // the journal lacks its prediction
	}
	s := step{i: max(o.label, 0), number: o.of, outcome: o.kind.Outcome()}
	var label *event.Example
	switch o.kind {
	case journal.Labelled:
		label = &b.labels.Examples[o.label]
	case journal.Assumed:
		label = &j.assumed
	}
	if s.label = label; label != nil {
		s.kept = &kept
	}
	if o.kind.ByLabel() {
		j.joined.Records++
		j.joined.Delays.Add(b.Labels[o.label].Timestamp - kept.Record.Timestamp)
	}
	j.steps = append(j.steps, s)
	j.joined.Outcomes[s.outcome]++
	j.open--
}
