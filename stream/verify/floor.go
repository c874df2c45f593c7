package verify

import (
	"errors"
	"fmt"

	"rosenblatt/stream/model"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// Floor is what a checkpoint shows to be in the topics if it was read before them: every seq up to its own, and for
// each record below its positions a prediction or a dead letter.
type Floor struct {
	Seq            int64   `json:"seq"`
	Epoch          int64   `json:"epoch"`
	Positions      []int64 `json:"positions"`
	LabelPositions []int64 `json:"labelPositions,omitempty"`

	reached map[topics.Topic][]topics.Reached // up to where, by leader epoch, input and labels were read
}

// FloorOf is the floor that a checkpoint shows.
func FloorOf(h *model.Header) *Floor {
	return &Floor{Seq: h.Seq, Epoch: h.Epoch, Positions: h.Positions, LabelPositions: h.LabelPositions,
		reached: map[topics.Topic][]topics.Reached{topics.Input: h.Reached(topics.Input),
			topics.Labels: h.Reached(topics.Labels)}}
}

// at is the floor's position in a partition of the input or the labels; without a floor, 0.
func (f *Floor) at(t topics.Topic, partition int) int64 {
	switch {
	case f == nil:
		return 0
	case t == topics.Labels:
		return at(f.LabelPositions, partition, 0)
	}
	return at(f.Positions, partition, 0)
}

// conclude accounts for what is behind the last predictions.
func (a *auditor) conclude() error {
	a.concluding = true
	if err := a.concludeLabels(); err != nil {
		return err
	}
	if err := a.missingEnd(); err != nil {
		return err
	}
	for _, in := range a.inputs {
		if in.begin == Unknown {
			continue
		}
		if err := a.concludeInput(in); err != nil {
			return err
		}
		a.strayDeadLetters(in)
		a.result.Pending += in.end - in.pos
		a.result.Offsets += in.end - max(in.begin, in.start)
	}
	return nil
}

// concludeLabels accounts for the label records behind the last outcomes.
func (a *auditor) concludeLabels() error {
	if a.late == nil {
		return nil
	}
	if err := a.await(nil); err != nil {
		return err
	}
	if a.Floor != nil {
		a.late.epoch = max(a.late.epoch, a.Floor.Epoch)
	}
	r := a.result.Labels
	for _, p := range a.late.partitions {
		if p.begin == Unknown {
			continue
		}
		//mutation:verify-floor-of-labels
		if err := a.force(p, a.Floor.at(topics.Labels, int(p.Partition))); err != nil {
			return err
		}
		for offset := range p.deadLetters {
			if offset >= p.begin && offset < p.pos {
				a.withDeadLetter(Finding{Kind: NoInput, Label: &Place{a.top.Labels.Name, p.Partition, offset},
					What: noRecord}, sought{epoch: anyEpoch})
			}
		}
		r.Pending += p.end - p.pos
		r.Offsets += p.end - p.begin
	}
	r.Waiting = int64(a.late.Waiting.Len())
	return nil
}

// missingEnd is a finding about the last seqs below the floor.
func (a *auditor) missingEnd() error {
	if a.Floor == nil || a.highest >= a.Floor.Seq {
		return nil
	}
	from, to := a.highest+1, a.Floor.Seq
	if err := a.checkKept(from); err != nil {
		return err
	}
	a.found(to-from+1, Finding{Kind: Hole, Seq: from, What: fmt.Sprintf("no predictions have seq %d to %d:"+
		" the output ends before them, and the checkpoint is of seq %d", from, to, to)})
	return nil
}

func (a *auditor) concludeInput(in *input) error {
	if a.Floor != nil {
		in.epoch = a.Floor.Epoch
		if _, err := a.pass(in, a.Floor.at(topics.Input, int(in.Number)), everyRecord); err != nil {
			return err
		}
	}
	in.epoch = unknownEpoch
	if err := a.passLastDead(in); err != nil {
		return err
	}
	if in.pos >= in.stable {
		return nil
	}
	// The next record is pending, but the offsets before it may hold none.
	to := in.stable
	ok, err := a.more(in)
	if _, stopped := errors.AsType[*stops.Error](err); stopped {
		return nil // nor does the audit need it
	}
	if ok {
		to = in.record.Offset
	}
	a.gap(in, to)
	return err
}

// passLastDead accounts for the records behind the floor up to the last dead letter. Predictions of those between may
// be on their way.
func (a *auditor) passLastDead(in *input) error {
	for in.pos < in.lastDead {
		ok, err := a.more(in)
		if err != nil || !ok || in.record.Offset >= in.lastDead {
			return err
		}
		if a.decided(in) {
			if o := a.account(in); o != nil {
				a.disputed(in, o)
			}
		} else {
			a.result.Pending++
		}
		a.take(in)
	}
	return nil
}

// decided reports whether a record behind the last prediction has a dead letter, must have one, or needs none.
func (a *auditor) decided(in *input) bool {
	offset, e := in.record.Offset, in.Example()
	return in.dead.at(offset) != notDead || e.Rejected != nil && offset < in.sent || e.Skip ||
		topics.Skips(a.From.Skipped, in.Number, offset)
}
