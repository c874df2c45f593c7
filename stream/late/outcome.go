package late

import (
	"rosenblatt/stream/event"
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
		return l.begin(kind, e, k, p)
	case k == nil:
		return nil
	}
	o, _ := l.learned(kind, e, k, &l.assumed, p)
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
	return l.Waiting.Due(&l.Clock, l.fixed.Assume != "")
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
		if o, rejected := l.learned(journal.Assumed, e, k, &l.assumed, p); rejected == nil {
			return o
		}
	}
	if outcome == labels.Assumed { // the event is gone, or the model refuses the label
		outcome = labels.Expired
	}
	return l.begin(journal.KindOf(outcome), e, k, p)
}

// MakeLabelled makes the outcome of a label record whose example waits: learned with the event's features, or gone
// without them. The model may refuse the label.
func (l *Labels) MakeLabelled(e *labels.Example, k *labels.Kept, label *LabelRecord, p *model.Processor) (
	o *journal.Outcome, rejected *event.Error) {
	if k != nil {
		o, rejected = l.learned(journal.Labelled, e, k, label.Example, p)
	} else {
		o, rejected = l.gone(e, label, p)
	}
	if rejected == nil {
		o.LabelPartition, o.LabelOffset = label.Partition, label.Record.Offset
		o.Delay = label.Record.Timestamp - e.Time
	}
	return o, rejected
}

// LabelRecord is a label record and what it says.
type LabelRecord struct {
	Partition int32
	Record    *topics.Record
	Example   *event.Example
}

// begin makes an outcome from which nothing is learned.
func (l *Labels) begin(kind journal.Kind, e *labels.Example, k *labels.Kept, p *model.Processor) *journal.Outcome {
	l.ending = ending{example: e, kept: k, made: journal.Outcome{Kind: kind, Of: e.Seq, Score: e.Score,
		Untrained: e.Untrained, Partition: e.Partition, Offset: e.Offset, Time: e.Time}}
	o, s := &l.ending.made, &l.scratch
	s.outcome = model.Outcome{Prediction: int(e.Prediction), Family: p.Family}
	s.text = p.AppendPrediction(s.text[:0], l.options, &s.outcome)
	o.Prediction = s.text
	if k != nil {
		o.Key = k.Record.Key
		if k.Example.ID != nil {
			o.ID = l.text(event.AppendID(l.scratch.text, &k.Example))
		}
	}
	return o
}

// text returns what was appended to the texts of the outcome.
func (l *Labels) text(longer []byte) []byte {
	from := len(l.scratch.text)
	l.scratch.text = longer
	return longer[from:len(longer):len(longer)]
}

// learned makes an outcome with a label: scored is the published prediction, the present model is updated.
func (l *Labels) learned(kind journal.Kind, e *labels.Example, k *labels.Kept, label *event.Example,
	p *model.Processor) (*journal.Outcome, *event.Error) {
	x := &l.scratch.example
	*x = k.Example
	x.Label, x.Class, x.Family = label.Label, label.Class, label.Family
	if label.Weight >= 0 {
		x.Weight = label.Weight
	}
	now, rejected := p.Predict(x, k.Features)
	if rejected != nil {
		return nil, rejected
	}
	o := l.begin(kind, e, k, p)
	o.ScoreNow = now.Score
	was := p.Published(e)
	//mutation:published-scored
	p.SetPrediction(&was)
	o.Label = l.text(p.AppendLabel(l.scratch.text, l.options, x, now))
	o.Scored, o.Mistake, o.Updated = true, now.Mistake, now.Updated
	l.ending.now, l.ending.label = now, labels.LabelOf(label)
	return o, nil
}

// gone makes the outcome of a label whose event the input no longer holds.
func (l *Labels) gone(e *labels.Example, label *LabelRecord, p *model.Processor) (*journal.Outcome, *event.Error) {
	x := &l.scratch.example
	*x = *label.Example
	x.Weight = 1
	now, rejected := p.Predict(x, nil) // whether the label fits those before
	if rejected != nil {
		return nil, rejected
	}
	o := l.begin(journal.Gone, e, nil, p)
	o.Label = l.text(p.AppendLabel(l.scratch.text, l.options, x, now))
	if l.fixed.ByKey() {
		o.Key = label.Record.Key
	} else {
		o.ID = l.text(event.AppendID(l.scratch.text, label.Example))
	}
	l.ending.label = labels.LabelOf(label.Example)
	return o, nil
}

// LastLearned is the event whose outcome was learned last; without a value, its features alone are kept.
func (l *Labels) LastLearned() (record *topics.Record, now *model.Outcome) {
	return &l.ending.kept.Record, l.ending.now
}

// Learn implements Pending.
func (l *Labels) Learn(o *journal.Outcome, p *model.Processor) {
	x := &l.ending
	l.Counts.AddOutcome(o.Kind.Outcome())
	l.drop(x.example.Seq)
	if o.Kind == journal.DuplicateID { // it was counted when it was predicted
		l.Duplicate = nil
		return
	}
	if x.now != nil {
		//mutation:names-without-record
		p.Learn(x.kept.Named(), x.now)
	} else {
		l.scratch.outcome = p.Published(x.example)
		p.Learn(nil, &l.scratch.outcome)
	}
	if o.Kind.ByLabel() {
		l.Counts.Read++
		l.Counts.Delays.Add(o.Delay)
	}
	l.Waiting.End(x.example, o.Kind.Outcome(), x.label)
}
