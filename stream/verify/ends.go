package verify

import (
	"fmt"

	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// readEnds requests the ends, in this order: those up to which is audited; those below which all that belongs to it is;
// and those of the input, below which every record predicted or dead-lettered by then is.
func (a *auditor) readEnds() error {
	first, err := a.Log.Topology(a.ctx)
	if err != nil {
		return err
	}
	for _, t := range topics.Written {
		for _, b := range first.Of(t).Partitions {
			*a.stable.Of(t) = append(*a.stable.Of(t), b.End)
		}
	}
	if a.top, err = a.Log.Topology(a.ctx); err != nil {
		return err
	}
	for _, t := range a.top.Journal() { // a partition that was added since is for the next audit
		state := a.top.Of(t)
		state.Partitions = state.Partitions[:len(*a.stable.Of(t))]
	}
	last, err := a.Log.Topology(a.ctx)
	if err != nil {
		return err
	}
	a.top.Input, a.top.Labels = last.Input, last.Labels
	return a.checkEnds()
}

const whyCut = "find out why the log was cut (unclean leader election, restored backup)"

// checkEnds stops where output or input end before what is known to be in them.
func (a *auditor) checkEnds() error {
	for _, t := range a.top.Journal() {
		for p, b := range a.top.Of(t).Partitions {
			if from := at(*a.From.Ends.Of(t), p, 0); from > b.End {
				return stop(stops.JournalGone, fmt.Sprintf("topic %s partition %d ends at offset %d, and the"+
					" checkpoint knows of entries up to %d", a.top.Of(t).Name, p, b.End, from), whyCut)
			}
		}
	}
	for _, t := range a.top.Read() {
		for p, b := range a.top.Of(t).Partitions {
			if from := max(at(a.From.positions(t), p, 0), a.Floor.at(t, p)); from > b.End {
				return stop(stops.BeyondEnd, fmt.Sprintf("topic %s partition %d ends at offset %d, and the model had"+
					" read it up to %d", a.top.Of(t).Name, p, b.End, from), whyCut)
			}
		}
	}
	return a.checkReplaced()
}

// checkReplaced stops where records that the floor's checkpoint was made of are others now.
func (a *auditor) checkReplaced() error {
	if a.Floor == nil {
		return nil
	}
	for _, t := range a.top.Read() {
		reached := a.Floor.reached[t]
		reached = reached[:min(len(reached), len(a.top.Of(t).Partitions))]
		ends, err := a.Log.EpochEnds(a.ctx, t, reached)
		if err != nil {
			return err
		}
		for p, end := range ends {
			//mutation:verify-replaced
			if end >= 0 && end < reached[p].Offset {
				at := reached[p]
				return stop(stops.BeyondEnd, stops.ReplacedAt(stops.BeyondEnd, a.top.Of(t).Name, int32(p), at.Offset,
					at.Leader, end).What, whyCut)
			}
		}
	}
	return nil
}
