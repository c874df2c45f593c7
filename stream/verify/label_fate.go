package verify

import (
	"cmp"
	"fmt"

	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/schema"
)

// fate is what became of a label record.
type fate uint8

const (
	undecided    fate = iota // it has an outcome, or is not read yet, or something is wrong
	used                     // by an outcome
	repeated                 // its event has that label already
	deadLettered             // for a reason that holds now
	unkept                   // rejected, and its dead letter is no longer kept
	nullSkipped              // a null value, as --tombstones says
)

// fateOf says what can have become of a partition's next record by now, other than an outcome.
func (a *auditor) fateOf(p *labelPartition) fate {
	e, lost := p.example, p.record.Offset < p.unkept
	if d, dead := p.deadLetters[p.record.Offset]; dead {
		if a.explains(p, d) {
			return deadLettered
		}
		return undecided
	}
	switch {
	case e.Skip:
		return nullSkipped
	case e.Rejected != nil && lost:
		return unkept
	case e.Rejected != nil:
		return undecided
	}
	label := labels.LabelOf(e)
	switch verdict, _ := a.late.Waiting.Find(p.id, label); {
	case verdict == labels.Repeat, verdict != labels.Waits && a.late.own.same(p.id, label):
		return repeated
	case (verdict == labels.Conflicting || verdict == labels.Late) && lost:
		return unkept
	}
	return undecided
}

// lost reports whether the next record of a partition may have had a dead letter that is no longer kept. Its event may
// still come, or have come later.
func (p *labelPartition) lost() bool {
	return !p.dead() && p.record.Offset < p.unkept
}

// dead reports whether the next record of a partition has a dead letter.
func (p *labelPartition) dead() bool {
	_, dead := p.deadLetters[p.record.Offset]
	return dead
}

// explains reports whether a dead letter can have been written by now. What another process decided than the one that
// wrote last is taken as given, unless the record alone decides: what that had learned and ended ahead is nowhere.
func (a *auditor) explains(p *labelPartition, d deadLabel) bool {
	switch basisOf(d.reason, int64(d.epoch), a.From.Configured) {
	case asGiven:
		return true
	case byEvent:
		return p.example.Rejected != nil || p.example.Skip ||
			a.otherSchema(schema.PlaceOf(p.record, true), int64(d.epoch))
	}
	newest := a.late.epoch
	switch {
	case p.example.Rejected != nil, p.example.Skip, int64(d.epoch) != newest && newest > 0:
		return true
	}
	label := labels.LabelOf(p.example)
	verdict, x := a.late.Waiting.Find(p.id, label)
	switch d.reason {
	case event.NoExample:
		return verdict != labels.Waits // a settled id may have been forgotten
	case event.ConflictingLabel:
		return verdict == labels.Conflicting || a.late.own.other(p.id, label)
	case event.LateLabel:
		return verdict == labels.Late
	}
	return verdict == labels.Waits && a.refused(p, x) != nil
}

// refused says why the model refuses the next record of a partition, the label of an example that waits; nil if it does
// not. An event that cannot be read is an error where it is learned.
func (a *auditor) refused(p *labelPartition, x *labels.Example) *event.Error {
	p.refusable = true
	k, err := a.event(x)
	if err != nil {
		return nil
	}
	_, rejected := a.late.Predict(k, p.example, a.From.Processor)
	return rejected
}

// unexplained is a finding about the next record of a partition, which was read and has no outcome.
func (a *auditor) unexplained(p *labelPartition) error {
	e := p.example
	d, dead := p.deadLetters[p.record.Offset]
	verdict, x := labels.NoExample, (*labels.Example)(nil)
	why := event.OK
	if e.Rejected != nil {
		why = e.Rejected.Reason
	} else if verdict, x = a.late.Waiting.Find(p.id, labels.LabelOf(e)); verdict != labels.Waits {
		why = reasonOf[verdict]
	} else if rejected := a.refused(p, x); rejected != nil {
		why = rejected.Reason
	}
	f := Finding{Kind: NoDeadLetter, Label: a.labelPlace(p)}
	switch {
	case why == event.OK && x != nil:
		return a.passedOver(p, x, dead)
	case dead:
		f.Kind, f.What = Differs, "reason not as computed"
		f.Fields = []Field{{"reason", d.reason.String(), cmp.Or(why.String(), "none")}}
		delete(p.deadLetters, p.record.Offset)
		a.withDeadLetter(f, sought{epoch: anyEpoch})
	default:
		f.What = fmt.Sprintf("neither an outcome nor dead-lettered, and the label is rejected: %s", why)
		a.found(1, f)
	}
	return nil
}

// reasonOf says for what reason a label is dead-lettered.
var reasonOf = map[labels.Verdict]event.Reason{labels.NoExample: event.NoExample, labels.Late: event.LateLabel,
	labels.Conflicting: event.ConflictingLabel}

// passedOver is a finding about the label of a waiting example that was read. If a seq is missing for it, it was
// learned.
func (a *auditor) passedOver(p *labelPartition, x *labels.Example, dead bool) error {
	f := Finding{Kind: LabelPassed, Seq: x.Seq, Label: a.labelPlace(p), Input: a.inputPlace(x.Partition, x.Offset),
		What: fmt.Sprintf("the label of seq %d, which waits, was read without an outcome", x.Seq)}
	if dead {
		f.What += ", and is dead-lettered"
		delete(p.deadLetters, p.record.Offset)
		a.withDeadLetter(f, sought{reason: true, epoch: anyEpoch})
		return nil
	}
	a.unend(x.Seq, a.found(1, f))
	k, err := a.event(x)
	if err != nil {
		return err
	}
	if k != nil {
		if o, rejected := a.late.Predict(k, p.example, a.From.Processor); rejected == nil {
			was := a.From.Processor.Published(x)
			a.From.Processor.SetPrediction(&was)
			o.Waiting = a.late.Waiting.Others(x)
			a.late.EndBeside(x, o)
			a.From.Processor.Learn(&k.Record, o)
		}
	}
	return a.end(x.Seq, x.ID, labels.Labelled, labels.LabelOf(p.example))
}

func (a *auditor) labelPlace(p *labelPartition) *Place {
	return &Place{a.top.Labels.Name, p.Partition, p.record.Offset}
}
