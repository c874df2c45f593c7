package verify

import (
	"fmt"
	"math"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/stops"
)

// hole is a run of seqs that no answer had so far.
type hole struct {
	from, to int64 // both included
	taken    int64 // of them, that turned up later
	finding  *Finding
}

// judge audits the next answer.
func (a *auditor) judge(e *journal.Entry) error {
	if e.Order == journal.Hole {
		if err := a.hole(e); err != nil {
			return err
		}
	}
	if int(e.Partition) >= len(a.lanes) || e.Offset >= a.lanes[e.Partition].end {
		a.advance(e)
		a.found(1, a.about(e, NoInput, "an answer to a record that is not there"))
		return nil
	}
	l := a.lanes[e.Partition]
	if l.begin == Unknown {
		l.begin, l.pos = e.Offset, e.Offset
	}
	switch {
	case e.Offset < l.pos:
		a.again(e, l)
		return nil
	case e.Order != journal.Due && e.Order != journal.Hole:
		a.back(e, fmt.Sprintf("seq %d stands behind seq %d", e.Seq, a.result.Seq))
	}
	a.advance(e)
	return a.answer(e, l)
}

// advance notes the answer as the last one.
func (a *auditor) advance(e *journal.Entry) {
	a.result.Seq = e.Seq
	if a.result.Epochs[0] == 0 {
		a.result.Epochs[0] = e.Epoch
	}
}

// back tells of an answer whose seq is lower than one before. What was missed between the two is due again.
func (a *auditor) back(e *journal.Entry, what string) {
	a.found(1, a.about(e, Order, what))
	for i := len(a.holes) - 1; i >= 0; i-- {
		g := a.holes[i]
		if g.to < e.Seq {
			break
		}
		n := g.to - max(g.from, e.Seq) + 1
		g.to -= n
		a.settle(g.finding, n, g.to < g.from)
	}
}

// hole tells of seqs that no answer has. What answers them may still be learned in time where one partition alone
// lacks answers.
func (a *auditor) hole(e *journal.Entry) error {
	from, to := a.result.Seq+1, e.Seq-1
	if err := a.checkKept(from); err != nil {
		return err
	}
	what := fmt.Sprintf("no answer has seq %d: seq %d stands where it is due", from, e.Seq)
	if to > from {
		what = fmt.Sprintf("no answers have seq %d to %d: seq %d stands where they are due", from, to, e.Seq)
	}
	if a.top.Output.Compacted {
		what += "; the topic is compacted, so Kafka may have deleted them"
	}
	f := a.found(to-from+1, Finding{Kind: Hole, Seq: from, Output: a.outputPlace(e), What: what})
	a.holes = append(a.holes, &hole{from: from, to: to, finding: f})
	for n := from; n <= to; n++ {
		ok, err := a.fillHole()
		if err != nil || !ok {
			return err
		}
	}
	return nil
}

// fillHole passes one record that lacks its prediction: of all partitions the oldest.
func (a *auditor) fillHole() (bool, error) {
	var first *lane
	oldest := int64(math.MaxInt64)
	for _, e := range a.entries.Heads() {
		if e == nil || int(e.Partition) >= len(a.lanes) || a.lanes[e.Partition].begin == Unknown {
			continue
		}
		l := a.lanes[e.Partition]
		stuck, err := a.pass(l, min(e.Offset, l.end), 0)
		if err != nil {
			return false, err
		}
		if stuck && l.feed.record().Timestamp < oldest {
			first, oldest = l, l.feed.record().Timestamp
		}
	}
	if first == nil {
		return false, nil
	}
	_, err := a.pass(first, first.feed.record().Offset+1, 1)
	return true, err
}

// again tells of an answer to a record that was passed.
func (a *auditor) again(e *journal.Entry, l *lane) {
	if e.Seq > a.result.Seq {
		a.advance(e)
	}
	if miss := l.missing[e.Offset]; miss != nil {
		delete(l.missing, e.Offset)
		a.settle(miss, 1, true)
		a.foundSeq(e.Seq)
		what := fmt.Sprintf("the answer stands behind that of input partition %d offset %d", l.partition, l.pos-1)
		if e.Seq < a.result.Seq {
			what = fmt.Sprintf("seq %d stands behind seq %d", e.Seq, a.result.Seq)
		}
		a.found(1, a.about(e, Order, what))
		return
	}
	what := "the record was answered or dead-lettered before"
	if e.Offset < l.begin {
		what = fmt.Sprintf("the record lies before the audit's start (offset %d), where all was answered or dead-lettered", l.begin)
	}
	a.found(1, a.about(e, Duplicate, what))
}

// foundSeq notes that a seq thought missing was found.
func (a *auditor) foundSeq(seq int64) {
	for _, g := range a.holes {
		if g.from <= seq && seq <= g.to {
			g.taken++
			a.settle(g.finding, 1, g.taken > g.to-g.from)
			return
		}
	}
}

// answer computes an answer again.
func (a *auditor) answer(e *journal.Entry, l *lane) error {
	if _, err := a.pass(l, e.Offset, math.MaxInt64); err != nil {
		return err
	}
	ok, err := a.more(l)
	if err != nil {
		return err
	}
	if !ok || l.feed.record().Offset != e.Offset {
		return a.absent(e, l)
	}
	defer l.take()
	if l.letters.take(e.Offset) {
		a.withLetter(a.about(e, Duplicate, "the record is answered, and it is dead-lettered"))
	}
	a.result.Predictions++
	switch o, rejected := a.predict(l); {
	case l.example().Skip:
		a.found(1, a.about(e, Differs, "the record is null and passed by, as the model is told to"))
	case rejected != nil:
		a.found(1, a.about(e, Differs, fmt.Sprintf("the model rejects the record: %s (%s)", rejected.Reason, rejected.Message())))
	default:
		a.compare(e, l, o)
		a.From.Processor.Learn(l.feed.record(), o)
	}
	return nil
}

// about is a finding about the answer at hand.
func (a *auditor) about(e *journal.Entry, kind Kind, what string) Finding {
	return Finding{Kind: kind, Seq: e.Seq, Output: a.outputPlace(e), Input: a.inputPlace(e.Partition, e.Offset), What: what}
}

// absent tells of an answered record that its partition does not hold.
func (a *auditor) absent(e *journal.Entry, l *lane) error {
	why := ""
	switch {
	case e.Offset < l.start:
		why = fmt.Sprintf("that partition begins at offset %d: the record is no longer kept", l.start)
	case a.top.Input.Compacted:
		why = "that topic is compacted: Kafka has deleted the record"
	default:
		a.found(1, a.about(e, NoInput, "an answer to a record that is not there"))
		return nil
	}
	return stop(stops.InputGone, fmt.Sprintf("seq %d answers %s partition %d offset %d, and %s", e.Seq, a.top.Input.Name, e.Partition, e.Offset, why),
		"give --from-checkpoint FILE, of a checkpoint of a later seq")
}
