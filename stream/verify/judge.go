package verify

import (
	"fmt"
	"math"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/stops"
)

// hole is a run of seqs that no prediction had so far.
type hole struct {
	from, to int64 // both included
	taken    int64 // of them, that turned up later
	finding  *Finding
}

// judge audits the next prediction.
func (a *auditor) judge(e *journal.Entry) error {
	if e.Order == journal.Hole {
		if err := a.hole(e); err != nil {
			return err
		}
	}
	if int(e.Partition) >= len(a.inputs) || e.Offset >= a.inputs[e.Partition].end {
		a.advance(e)
		a.found(1, a.about(e, NoInput, "a prediction for a record that does not exist"))
		return nil
	}
	in := a.inputs[e.Partition]
	if in.begin == Unknown {
		in.begin, in.pos = e.Offset, e.Offset
	}
	switch {
	case e.Offset < in.pos:
		a.again(e, in)
		return nil
	case e.Order != journal.Due && e.Order != journal.Hole:
		a.back(e, fmt.Sprintf("seq %d is behind seq %d", e.Seq, a.result.Seq))
	}
	a.advance(e)
	return a.recompute(e, in)
}

// advance makes the prediction the last one.
func (a *auditor) advance(e *journal.Entry) {
	a.result.Seq = e.Seq
	if a.result.Epochs[0] == 0 {
		a.result.Epochs[0] = e.Epoch
	}
}

// back is a finding about a prediction whose seq is lower than one before. What is missing between the two is due
// again.
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
	what := fmt.Sprintf("no prediction has seq %d: seq %d is in its place", from, e.Seq)
	if to > from {
		what = fmt.Sprintf("no predictions have seq %d to %d: seq %d is in their place", from, to, e.Seq)
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
	var first *input
	oldest := int64(math.MaxInt64)
	for _, e := range a.entries.Heads() {
		if e == nil || int(e.Partition) >= len(a.inputs) || a.inputs[e.Partition].begin == Unknown {
			continue
		}
		in := a.inputs[e.Partition]
		stuck, err := a.pass(in, min(e.Offset, in.end), 0)
		if err != nil {
			return false, err
		}
		if stuck && in.feed.record().Timestamp < oldest {
			first, oldest = in, in.feed.record().Timestamp
		}
	}
	if first == nil {
		return false, nil
	}
	_, err := a.pass(first, first.feed.record().Offset+1, 1)
	return true, err
}

// again is a finding about a prediction for a record that was passed.
func (a *auditor) again(e *journal.Entry, in *input) {
	if e.Seq > a.result.Seq {
		a.advance(e)
	}
	if miss := in.missing[e.Offset]; miss != nil {
		delete(in.missing, e.Offset)
		a.settle(miss, 1, true)
		a.foundSeq(e.Seq)
		what := fmt.Sprintf("the prediction is behind that of input partition %d offset %d", in.partition, in.pos-1)
		if e.Seq < a.result.Seq {
			what = fmt.Sprintf("seq %d is behind seq %d", e.Seq, a.result.Seq)
		}
		a.found(1, a.about(e, Order, what))
		return
	}
	what := "the record was answered or dead-lettered before"
	if e.Offset < in.begin {
		what = fmt.Sprintf("the record is before the audit's start (offset %d), where all was answered or"+
			" dead-lettered", in.begin)
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

// recompute computes a prediction again.
func (a *auditor) recompute(e *journal.Entry, in *input) error {
	if _, err := a.pass(in, e.Offset, math.MaxInt64); err != nil {
		return err
	}
	ok, err := a.more(in)
	if err != nil {
		return err
	}
	if !ok || in.feed.record().Offset != e.Offset {
		return a.absent(e, in)
	}
	defer in.take()
	if in.dead.take(e.Offset) {
		a.withDeadLetter(a.about(e, Duplicate, "the record is answered, and it is dead-lettered"))
	}
	a.result.Predictions++
	switch o, rejected := a.predict(in); {
	case in.example().Skip:
		a.found(1, a.about(e, Differs, "the record is null and passed by, as --tombstones says"))
	case rejected != nil:
		what := fmt.Sprintf("the model rejects the record: %s (%s)", rejected.Reason, rejected.Message())
		a.found(1, a.about(e, Differs, what))
	default:
		a.compare(e, in, o)
		a.From.Processor.Learn(in.feed.record(), o)
	}
	return nil
}

// about makes a finding about a prediction.
func (a *auditor) about(e *journal.Entry, kind Kind, what string) Finding {
	return Finding{Kind: kind, Seq: e.Seq, What: what,
		Output: a.outputPlace(e), Input: a.inputPlace(e.Partition, e.Offset)}
}

// absent is a finding, or the stop, for an answered record that its partition does not hold.
func (a *auditor) absent(e *journal.Entry, in *input) error {
	why := ""
	switch {
	case e.Offset < in.start:
		why = fmt.Sprintf("that partition begins at offset %d: the record is no longer kept", in.start)
	case a.top.Input.Compacted:
		why = "that topic is compacted: Kafka has deleted the record"
	default:
		a.found(1, a.about(e, NoInput, "a prediction for a record that does not exist"))
		return nil
	}
	return stop(stops.InputGone,
		fmt.Sprintf("seq %d answers %s partition %d offset %d, and %s",
			e.Seq, a.top.Input.Name, e.Partition, e.Offset, why),
		"give --from-checkpoint FILE, of a checkpoint of a later seq")
}
