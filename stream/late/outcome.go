package late

import (
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// Make implements Pending. A label record's outcome is made by MakeLabelled.
func (l *Labels) Make(kind journal.Kind, _ int32, p *model.Processor) *journal.Outcome {
	e := l.Next(kind)
	if e == nil {
		return nil
	}
	k, _ := l.Features(e)
	switch {
	case kind != journal.Assumed:
		return l.MakeUnlabelled(kind, e, k, p)
	case k == nil:
		return nil
	}
	o, _ := l.MakeAssumed(e, k, p)
	return o
}

// Next returns the example whose outcome of a kind is next, nil if there is none. It is not for labels.
func (l *Labels) Next(kind journal.Kind) *labels.Example {
	if kind == journal.DuplicateID {
		return l.Duplicate
	}
	return l.Waiting.First()
}

// due returns the example whose outcome is due now, and which one.
func (l *Labels) due() (*labels.Example, labels.Outcome) {
	if l.Duplicate != nil {
		return l.Duplicate, labels.Duplicate
	}
	e := l.Waiting.First()
	switch {
	case e == nil:
		return nil, 0
	case l.fixed == nil, e.Seq <= l.replaced:
		return e, labels.Evicted
	}
	return l.Waiting.Due(&l.Clock, l.Assumes())
}

// MakeDue implements Pending: it makes the outcome once its event is there.
func (l *Labels) MakeDue(p *model.Processor) *journal.Outcome {
	e, outcome := l.due()
	if outcome == 0 {
		return nil
	}
	k, known := l.Features(e)
	if !known {
		l.Want(e)
		return nil
	}
	if outcome == labels.Assumed && k != nil {
		if o, rejected := l.MakeAssumed(e, k, p); rejected == nil {
			return o
		}
	}
	if outcome == labels.Assumed { // the event is gone, or the model refuses the label
		outcome = labels.Expired
	}
	return l.MakeUnlabelled(journal.KindOf(outcome), e, k, p)
}

// LastLearned is the event whose outcome was learned last; without a value, its features alone are kept.
func (l *Labels) LastLearned() (record *topics.Record, now *model.Outcome) {
	return &l.last.kept.Record, l.last.now
}

// Learn implements Pending.
func (l *Labels) Learn(o *journal.Outcome, p *model.Processor) {
	x := &l.last
	l.Counts.AddOutcome(o.Kind.Outcome())
	l.Drop(x.example.Seq)
	if o.Kind == journal.DuplicateID { // it was counted when it was predicted
		l.Duplicate = nil
		return
	}
	if x.now != nil {
		//mutation:slices-of-waiting-counted
		x.now.Slices = l.Waiting.Slices(x.example)
		//mutation:others-that-wait
		x.now.Waiting = l.Waiting.Others(x.example)
		l.EndBeside(x.example, x.now)
		//mutation:names-without-record
		p.Learn(x.kept.Named(), x.now)
	} else {
		l.outcome = p.Published(x.example)
		l.EndBeside(x.example, &l.outcome)
		p.Learn(nil, &l.outcome)
	}
	if o.Kind.ByLabel() {
		l.Counts.Read++
		l.Counts.Delays.Add(o.Delay)
	}
	l.Waiting.End(x.example, o.Kind.Outcome(), x.label)
}
