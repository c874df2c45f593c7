package verify

import (
	"fmt"
	"math"

	"rosenblatt/stream/stops"
)

// hole is a run of seqs that no answer had so far.
type hole struct {
	from, to int64 // both included
	taken    int64 // of them, that turned up later
	finding  *Finding
}

// judge audits the next answer.
func (a *auditor) judge(t *tail) error {
	h := &t.head
	if h.seq > a.result.Seq+1 {
		if err := a.hole(t); err != nil {
			return err
		}
	}
	if int(h.partition) >= len(a.lanes) || h.offset >= a.lanes[h.partition].end {
		a.advance(h)
		a.found(1, a.about(t, NoInput, "an answer to a record that is not there"))
		return nil
	}
	l := a.lanes[h.partition]
	if l.begin == Unknown {
		l.begin, l.pos = h.offset, h.offset
	}
	switch {
	case h.offset < l.pos:
		a.again(t, l)
		return nil
	case h.seq <= a.result.Seq:
		a.back(t, fmt.Sprintf("seq %d stands behind seq %d", h.seq, a.result.Seq))
	}
	a.advance(h)
	return a.answer(t, l)
}

// advance notes the answer as the last one.
func (a *auditor) advance(h *answer) {
	a.result.Seq = h.seq
	if a.result.Epochs[0] == 0 {
		a.result.Epochs[0] = h.epoch
	}
}

// back tells of an answer whose seq is lower than one before. What was missed between the two is due again.
func (a *auditor) back(t *tail, what string) {
	a.found(1, a.about(t, Order, what))
	for i := len(a.holes) - 1; i >= 0; i-- {
		g := a.holes[i]
		if g.to < t.head.seq {
			break
		}
		n := g.to - max(g.from, t.head.seq) + 1
		g.to -= n
		a.settle(g.finding, n, g.to < g.from)
	}
}

// hole tells of seqs that no answer has. What answers them may still be learned in time where one partition alone
// lacks answers.
func (a *auditor) hole(t *tail) error {
	from, to := a.result.Seq+1, t.head.seq-1
	if err := a.checkKept(from); err != nil {
		return err
	}
	what := fmt.Sprintf("no answer has seq %d: seq %d stands where it is due", from, t.head.seq)
	if to > from {
		what = fmt.Sprintf("no answers have seq %d to %d: seq %d stands where they are due", from, to, t.head.seq)
	}
	if a.top.Output.Compacted {
		what += "; the topic is compacted, so Kafka may have deleted them"
	}
	f := a.found(to-from+1, Finding{Kind: Hole, Seq: from, Output: a.outputPlace(t.partition, t.offset()), What: what})
	a.holes = append(a.holes, &hole{from: from, to: to, finding: f})
	for n := from; n <= to; n++ {
		ok, err := a.fillHole()
		if err != nil || !ok {
			return err
		}
	}
	return nil
}

// fillHole passes one record that lacks its answer: of all partitions the one that came first.
func (a *auditor) fillHole() (bool, error) {
	var first *tail
	oldest := int64(math.MaxInt64)
	for _, t := range a.tails {
		if !t.have || int(t.head.partition) >= len(a.lanes) || a.lanes[t.head.partition].begin == Unknown {
			continue
		}
		l := a.lanes[t.head.partition]
		stuck, err := a.pass(l, min(t.head.offset, l.end), 0)
		if err != nil {
			return false, err
		}
		if stuck && l.feed.record().Timestamp < oldest {
			first, oldest = t, l.feed.record().Timestamp
		}
	}
	if first == nil {
		return false, nil
	}
	l := a.lanes[first.head.partition]
	_, err := a.pass(l, l.feed.record().Offset+1, 1)
	return true, err
}

// again tells of an answer to a record that was passed.
func (a *auditor) again(t *tail, l *lane) {
	h := &t.head
	if h.seq > a.result.Seq {
		a.advance(h)
	}
	if miss := l.missing[h.offset]; miss != nil {
		delete(l.missing, h.offset)
		a.settle(miss, 1, true)
		a.foundSeq(h.seq)
		what := fmt.Sprintf("the answer stands behind that of input partition %d offset %d", l.partition, l.pos-1)
		if h.seq < a.result.Seq {
			what = fmt.Sprintf("seq %d stands behind seq %d", h.seq, a.result.Seq)
		}
		a.found(1, a.about(t, Order, what))
		return
	}
	what := "the record was answered or dead-lettered before"
	if h.offset < l.begin {
		what = fmt.Sprintf("the record lies before the audit's start (offset %d), where all was answered or dead-lettered", l.begin)
	}
	a.found(1, a.about(t, Duplicate, what))
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
func (a *auditor) answer(t *tail, l *lane) error {
	h := &t.head
	if _, err := a.pass(l, h.offset, math.MaxInt64); err != nil {
		return err
	}
	ok, err := a.more(l)
	if err != nil {
		return err
	}
	if !ok || l.feed.record().Offset != h.offset {
		return a.absent(t, l)
	}
	defer l.take()
	if l.letters.take(h.offset) {
		a.withLetter(a.about(t, Duplicate, "the record is answered, and it is dead-lettered"))
	}
	a.result.Predictions++
	switch o, rejected := a.predict(l); {
	case l.example().Skip:
		a.found(1, a.about(t, Differs, "the record is null and passed by, as the model is told to"))
	case rejected != nil:
		a.found(1, a.about(t, Differs, fmt.Sprintf("the model rejects the record: %s (%s)", rejected.Reason, rejected.Message())))
	default:
		a.compare(t, l, o)
		a.From.Processor.Learn(l.feed.record(), o)
	}
	return nil
}

// about is a finding about the answer at hand.
func (a *auditor) about(t *tail, kind Kind, what string) Finding {
	h := &t.head
	return Finding{Kind: kind, Seq: h.seq, Output: a.outputPlace(t.partition, t.offset()), Input: a.inputPlace(h.partition, h.offset), What: what}
}

// absent tells of an answered record that its partition does not hold.
func (a *auditor) absent(t *tail, l *lane) error {
	h, why := &t.head, ""
	switch {
	case h.offset < l.start:
		why = fmt.Sprintf("that partition begins at offset %d: the record is no longer kept", l.start)
	case a.top.Input.Compacted:
		why = "that topic is compacted: Kafka has deleted the record"
	default:
		a.found(1, a.about(t, NoInput, "an answer to a record that is not there"))
		return nil
	}
	return stop(stops.InputGone, fmt.Sprintf("seq %d answers %s partition %d offset %d, and %s", h.seq, a.top.Input.Name, h.partition, h.offset, why),
		"give --from-checkpoint FILE, of a checkpoint of a later seq")
}
