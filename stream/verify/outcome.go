package verify

import (
	"fmt"

	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/topics"
)

// ending is what an outcome says to have ended.
type ending struct {
	example labels.Example
	at      *labelPartition // of the label; nil without one
	record  *topics.Record  // the label: the next one of its partition, or one that was passed
	label   *event.Example  // of the record
	wrong   *Finding        // nothing was ended; else nil
}

// judgeOutcome audits an outcome.
func (a *auditor) judgeOutcome(e *journal.Entry) error {
	x, err := a.endedBy(e)
	if err != nil {
		return err
	}
	if x.wrong != nil {
		if e.Seq > a.result.Seq {
			a.advanceTo(e)
		}
		a.found(1, *x.wrong)
		return nil
	}
	a.advanceInOrder(e)
	a.checkEpoch(e)
	a.checkTime(e, &x.example)
	a.result.Labels.Outcomes[e.Kind.String()]++
	if err := a.recomputeOutcome(e, &x); err != nil {
		return err
	}
	if x.at == nil {
		return nil
	}
	x.at.time.held = true
	if x.record.Offset < x.at.pos {
		a.usedPassed(x.at, x.record.Offset)
		return nil
	}
	delete(x.at.deadLetters, x.record.Offset)
	x.at.judged, x.at.blind = false, false
	a.passLabel(x.at, used)
	return a.advance(x.at)
}

// endedBy finds the example that an outcome is of, and its label.
func (a *auditor) endedBy(e *journal.Entry) (x ending, err error) {
	l, of := a.late, e.Outcome.Of
	switch {
	case e.Kind.ByLabel():
		return a.endedByLabel(e)
	case e.Kind != journal.DuplicateID:
		waits := a.waitingAs(e)
		if waits == nil {
			x.wrong = a.endsNone(e)
			return x, nil
		}
		x.example = *waits
		//mutation:verify-order-of-ends
		return x, a.endLonger(waits.Seq)
	case l.next == nil || l.next.Seq != of:
		x.wrong = a.endsNone(e)
		return x, nil
	}
	x.example, l.Duplicate, l.next = *l.next, l.next, nil
	if verdict, _ := l.Waiting.Find(x.example.ID, 0); verdict == labels.NoExample {
		a.found(1, a.about(e, Differs, "its id neither waits nor is settled"))
	}
	return x, nil
}

// endedByLabel finds the label of an outcome, and the example that it is of.
func (a *auditor) endedByLabel(e *journal.Entry) (x ending, err error) {
	wrong := func(kind Kind, what string) (ending, error) {
		f := a.about(e, kind, what)
		return ending{wrong: &f}, nil
	}
	o := e.Outcome
	if int(o.LabelPartition) >= len(a.late.partitions) {
		return wrong(NoLabel, "the partition of its label does not exist")
	}
	p := a.late.partitions[o.LabelPartition]
	if p.begin == Unknown {
		p.beginAt(o.LabelOffset)
	}
	//mutation:verify-label-of-later
	if o.LabelOffset < p.pos && a.leftNothing(p, e) {
		return a.endedByPassed(e, p)
	}
	if o.LabelOffset < p.pos {
		if f := a.endsNone(e); f.Kind != Unpredicted {
			return ending{wrong: f}, nil
		}
		return wrong(NoLabel, "its label was read before")
	}
	if err := a.force(p, o.LabelOffset); err != nil {
		return x, err
	}
	ok, err := a.peek(p)
	switch {
	case err != nil:
		return x, err
	//mutation:verify-label-exists
	case !ok || p.record.Offset != o.LabelOffset:
		return wrong(NoLabel, "its label does not exist")
	case p.example.Rejected != nil:
		a.lack(p.lacks)
		return wrong(NoLabel, fmt.Sprintf("its label is rejected: %s (%s)", p.example.Rejected.Reason,
			p.example.Rejected.Message()))
	case p.example.Skip:
		return wrong(NoLabel, "its label is null")
	}
	verdict, waits := a.late.Waiting.Find(p.id, labels.LabelOf(p.example))
	switch verdict {
	case labels.NoExample:
		return wrong(Unpredicted, "no prediction waits for its label")
	case labels.Waits:
	default:
		return wrong(SecondOutcome, again)
	}
	if _, dead := p.deadLetters[o.LabelOffset]; dead {
		a.withDeadLetter(a.about(e, Duplicate, "the label has an outcome and is dead-lettered"),
			sought{epoch: anyEpoch})
	}
	p.judged = true
	return ending{example: *waits, at: p, record: p.record, label: p.example}, nil
}

const again = "the prediction has an outcome already, or its event a label"

// waitingAs returns the waiting example that an outcome without a label names, by its seq or else by its place; nil if
// there is none.
func (a *auditor) waitingAs(e *journal.Entry) *labels.Example {
	o := e.Outcome
	if x := a.late.Waiting.First(); x != nil && x.Seq == o.Of {
		return x
	}
	id, _ := a.idOf(e)
	_, x := a.late.Waiting.Find(id, 0)
	//mutation:verify-waits
	if x != nil && (x.Seq == o.Of || x.Partition == o.Partition && x.Offset == o.Offset) {
		return x
	}
	return nil
}

// endsNone is a finding about an outcome of an example that does not wait.
func (a *auditor) endsNone(e *journal.Entry) *Finding {
	l, of := a.late, e.Outcome.Of
	f := a.about(e, Unpredicted, fmt.Sprintf("no prediction of seq %d waits", of))
	if miss := l.unended[of]; miss != nil {
		delete(l.unended, of)
		a.settle(miss, 1, true)
		f.Kind, f.What = Order, "an outcome that belongs behind it is before it"
		return &f
	}
	if id, ok := a.idOf(e); ok {
		verdict, _ := l.Waiting.Find(id, 0)
		//mutation:verify-second-outcome
		if verdict != labels.NoExample && (verdict != labels.Waits || e.Kind == journal.DuplicateID) {
			f.Kind, f.What = SecondOutcome, again
		}
	}
	return &f
}

// endLonger is a finding about each example that waited longer than one whose waiting ended without a label.
func (a *auditor) endLonger(than int64) error {
	for {
		first := a.late.Waiting.First()
		if first.Seq >= than {
			return nil
		}
		if held := a.late.watched[first.ID]; len(held) > 0 { // the label was there
			if err := a.force(held[0], held[0].record.Offset+1); err != nil {
				return err
			}
			continue
		}
		f := a.found(1, Finding{Kind: NoOutcome, Seq: first.Seq, Input: a.inputPlace(first.Partition, first.Offset),
			What: fmt.Sprintf("the waiting of seq %d, which began later, ended before", than)})
		a.unend(first.Seq, f)
		if err := a.end(first.Seq, first.ID, labels.Expired, 0); err != nil {
			return err
		}
	}
}

// checkTime is a finding about waiting that ended too early.
func (a *auditor) checkTime(e *journal.Entry, x *labels.Example) {
	switch e.Kind {
	case journal.Evicted:
		atOnce := x.Seq <= a.From.Replaced || a.From.Config.Late == nil
		//mutation:verify-evicted
		if n := a.late.Waiting.Len(); n <= a.Labels.Examples && !atOnce {
			a.foundEarly(e, fmt.Sprintf("evicted, and only %d waited", n))
		}
	case journal.Assumed, journal.Expired:
		//mutation:verify-due
		if now, due := a.latestLabelTime(), x.Since+a.Labels.Wait; now <= due {
			what := fmt.Sprintf("due when every partition of labels is past time %d", due)
			if now != nothingPassed {
				what += fmt.Sprintf(", and one is at most at %d", now)
			}
			a.foundEarly(e, what)
		}
	}
}

// foundEarly notes waiting that ended too early, and where a later process may have had other limits.
func (a *auditor) foundEarly(e *journal.Entry, what string) {
	//mutation:limits-of-later
	if a.LimitsOf > 0 && e.Epoch > a.LimitsOf {
		what += fmt.Sprintf("; this outcome is of epoch %d, and the newest checkpoint at hand of epoch %d: the limits"+
			" since are not known, audit with a newer --state, or give them as they were (--label-wait,"+
			" --waiting-examples, --labels-idle)", e.Epoch, a.LimitsOf)
	}
	a.found(1, a.about(e, TooEarly, what))
}
