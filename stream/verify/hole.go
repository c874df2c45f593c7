package verify

import (
	"fmt"
	"math"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/topics"
)

// hole is a run of seqs without a prediction so far.
type hole struct {
	from, to int64 // both included
	taken    int64 // of them, found later
	finding  *Finding
}

// back is a finding about a prediction whose seq is lower than one before. What is missing between them is due again.
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

// hole is a finding about seqs without a prediction. Where one partition alone lacks predictions, their records are
// learned in time.
func (a *auditor) hole(e *journal.Entry) error {
	from, to := a.result.Seq+1, e.Seq-1
	if err := a.checkKept(from); err != nil {
		return err
	}
	what := fmt.Sprintf("no entry has seq %d: seq %d is in its place", from, e.Seq)
	if to > from {
		what = fmt.Sprintf("no entries have seq %d to %d: seq %d is in their place", from, to, e.Seq)
	}
	if a.top.Of(e.Topic).Compacted {
		what += "; the topic is compacted, so Kafka may have deleted them"
	}
	f := a.found(to-from+1, Finding{Kind: Hole, Seq: from, Output: a.outputPlace(e), What: what})
	a.holes = append(a.holes, &hole{from: from, to: to, finding: f})
	limits := a.limits()
	for n := from; n <= to; n++ {
		ok, err := a.fillHole(limits)
		if err != nil || !ok {
			return err
		}
	}
	return nil
}

// lost is a finding about a prediction below the floor that the last flight lacks. The flight says of which partition.
func (a *auditor) lost(e *journal.Entry) error {
	if err := a.checkKept(e.Seq); err != nil {
		return err
	}
	f := a.found(1, Finding{Kind: Hole, Seq: e.Seq, What: fmt.Sprintf(
		"no entry has seq %d: its flight lacks it, and the checkpoint is of seq %d", e.Seq, a.Floor.Seq)})
	a.holes = append(a.holes, &hole{from: e.Seq, to: e.Seq, finding: f})
	a.result.Seq, a.highest, a.entries.Last = e.Seq, max(a.highest, e.Seq), e.Seq
	if e.Outcome != nil || int(e.Partition) >= len(a.inputs) || a.inputs[e.Partition].begin == Unknown {
		return nil
	}
	in := a.inputs[e.Partition]
	stuck, err := a.pass(in, a.limits()[e.Partition], 0)
	if err != nil || !stuck {
		return err
	}
	_, err = a.pass(in, in.record.Offset+1, 1)
	return err
}

// limits are the offsets up to which records must be accounted for: of the next prediction of each input partition,
// else the floor's position.
func (a *auditor) limits() []int64 {
	limits := make([]int64, len(a.inputs))
	for p := range limits {
		limits[p] = math.MaxInt64
	}
	for _, e := range a.entries.Heads() {
		if e != nil && e.Outcome == nil && int(e.Partition) < len(limits) {
			limits[e.Partition] = min(limits[e.Partition], e.Offset)
		}
	}
	for p := range limits {
		if limits[p] == math.MaxInt64 {
			limits[p] = a.Floor.at(topics.Input, p)
		}
	}
	return limits
}

// fillHole passes one record that lacks its prediction: of all partitions the oldest.
func (a *auditor) fillHole(limits []int64) (bool, error) {
	var first *input
	oldest := int64(math.MaxInt64)
	for p, in := range a.inputs {
		if in.begin == Unknown {
			continue
		}
		stuck, err := a.pass(in, limits[p], 0)
		if err != nil {
			return false, err
		}
		if stuck && in.record.Timestamp < oldest {
			first, oldest = in, in.record.Timestamp
		}
	}
	if first == nil {
		return false, nil
	}
	_, err := a.pass(first, first.record.Offset+1, 1)
	return true, err
}

func (a *auditor) foundSeq(seq int64) {
	for _, g := range a.holes {
		if g.from <= seq && seq <= g.to {
			g.taken++
			a.settle(g.finding, 1, g.taken > g.to-g.from)
			return
		}
	}
}
