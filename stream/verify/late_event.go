package verify

import (
	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// id returns the id of an event or of a label record; false if it has none.
func (a *auditor) id(e *event.Example, r *topics.Record) (id labels.ID, named bool) {
	by := event.Example{ID: e.ID, IDIsJSON: e.IDIsJSON}
	if a.late.byKey {
		by = event.Example{ID: r.Key}
	}
	if by.ID == nil {
		return id, false
	}
	a.late.key = event.AppendIDKey(a.late.key[:0], &by)
	return labels.NewID(a.late.key), true
}

// idOf returns the id that an outcome names; false if it names none.
func (a *auditor) idOf(e *journal.Entry) (labels.ID, bool) {
	return a.id(&event.Example{ID: e.Outcome.ID, IDIsJSON: true}, e.Record)
}

// event returns the event of a waiting example; nil if the input no longer holds it. e is the outcome that ends its
// waiting, or nil.
func (a *auditor) event(x *labels.Example, e *journal.Entry) (k *labels.Kept, err error) {
	l := a.late
	if x.Seq == l.spareSeq {
		return l.spare, nil
	}
	if kept, ok := l.cache.Take(x.Seq); ok {
		// Features that were dropped are in the record; an event that has none may be kept without it.
		if k = &kept; len(k.Features) == 0 && k.Record.Value != nil {
			l.decode(k)
		}
	} else if k, err = a.readEvent(x, e); k == nil {
		return nil, err
	}
	l.spare, l.spareSeq = k, x.Seq
	return k, nil
}

// decode decodes an event of which the record is kept alone.
func (l *late) decode(k *labels.Kept) {
	k.Features = l.events.Decode(&k.Record, nil, &k.Example)
}

// predictLabel predicts an event again, with a label and with its weight if that has one; without the event, k is nil,
// and only the label is checked.
func (a *auditor) predictLabel(k *labels.Kept, label *event.Example) (*model.Outcome, *event.Error) {
	e := *label
	if k == nil {
		e.Weight = 1
		return a.From.Processor.Predict(&e, nil)
	}
	e = k.Example
	e.Label, e.Class, e.Family = label.Label, label.Class, label.Family
	if label.Weight >= 0 {
		e.Weight = label.Weight
	}
	return a.From.Processor.Predict(&e, k.Features)
}
