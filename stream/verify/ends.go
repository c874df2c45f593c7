package verify

import (
	"fmt"

	"rosenblatt/stream/stops"
)

// readEnds requests the ends, in this order: those up to which is audited; those below which all that belongs to it is;
// and those of the input, below which every record predicted or dead-lettered by then is.
func (a *auditor) readEnds() error {
	first, err := a.Log.Topology(a.ctx)
	if err != nil {
		return err
	}
	for _, b := range first.Output.Partitions {
		a.stable = append(a.stable, b.End)
	}
	for _, b := range first.DeadLetters.Partitions {
		a.firstDead = append(a.firstDead, b.End)
	}
	if a.top, err = a.Log.Topology(a.ctx); err != nil {
		return err
	}
	a.top.Output.Partitions = a.top.Output.Partitions[:len(a.stable)] // one that was added since is for the next audit
	last, err := a.Log.Topology(a.ctx)
	if err != nil {
		return err
	}
	a.top.Input = last.Input
	return a.checkEnds()
}

const whyCut = "find out why the log was cut (unclean leader election, restored backup)"

// checkEnds stops where output or input end before what is known to be in them.
func (a *auditor) checkEnds() error {
	for p, b := range a.top.Output.Partitions {
		if from := at(a.From.Ends.Output, p, 0); from > b.End {
			return stop(stops.JournalGone, fmt.Sprintf("topic %s partition %d ends at offset %d, and the checkpoint"+
				" knows of predictions up to %d", a.top.Output.Name, p, b.End, from), whyCut)
		}
	}
	for p, b := range a.top.Input.Partitions {
		if from := max(at(a.From.Positions, p, 0), a.Floor.at(p)); from > b.End {
			return stop(stops.BeyondEnd, fmt.Sprintf("topic %s partition %d ends at offset %d, and the model had"+
				" read it up to %d", a.top.Input.Name, p, b.End, from), whyCut)
		}
	}
	return nil
}
