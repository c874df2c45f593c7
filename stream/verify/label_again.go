package verify

import (
	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
)

// A record is passed as a repeat as soon as its event has that label. The daemon may get to it later: when it has
// forgotten the id, and another event with the same id waits, the record is the label of that event. So it is with one
// whose dead letter may be no longer kept.

// leftNothing reports whether the label of an outcome may be a record that was passed and left nothing in the topics.
// Below the audit's start nobody knows what did, but an outcome of a later epoch can be of such a record alone: its
// process took over without having read the checkpoint that the audit begins with.
func (a *auditor) leftNothing(p *labelPartition, e *journal.Entry) bool {
	offset := e.Outcome.LabelOffset
	known := p.silent.at(offset) != notDead
	//mutation:verify-label-below-start
	if offset < p.begin { // a known one was used
		return !known && a.From.Epoch > 0 && e.Epoch > a.From.Epoch
	}
	return known
}

// endedByPassed finds the label of an outcome among the records that were passed and left nothing in the topics.
func (a *auditor) endedByPassed(e *journal.Entry, p *labelPartition) (x ending, err error) {
	r, err := p.again.At(a.ctx, e.Outcome.LabelOffset, p.stable)
	if err != nil {
		return x, err
	}
	var label *event.Example
	if r != nil {
		label = p.again.Label().Example
	}
	if r == nil || label.Rejected != nil || label.Skip { // compaction has removed it since
		f := a.about(e, NoLabel, "its label does not exist")
		x.wrong = &f
		return x, nil
	}
	verdict, waits := a.late.Waiting.Find(p.again.ID(), labels.LabelOf(label))
	if verdict != labels.Waits {
		x.wrong = a.endsNone(e)
		return x, nil
	}
	return ending{example: *waits, at: p, record: r, label: label}, nil
}

// usedPassed counts a record that was passed as one that an outcome is of.
func (a *auditor) usedPassed(p *labelPartition, offset int64) {
	r := a.result.Labels
	if offset < p.begin {
		p.silent.add(offset, asGiven) // once
		return
	}
	if p.silent.at(offset) == asGiven {
		r.Unkept--
	} else {
		r.Repeats--
	}
	r.Used++
	//mutation:verify-label-of-two
	p.silent.remove(offset)
}
