package verify

import (
	"cmp"
	"fmt"
	"math"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/model"
	"rosenblatt/stream/readahead"
	"rosenblatt/stream/schema"
	"rosenblatt/stream/topics"
)

const noRecord = "a dead letter of a record that does not exist"

// readDeadLetters puts this model's dead letters into the sets of the input's partitions.
func (a *auditor) readDeadLetters() error {
	for q, b := range a.top.DeadLetters.Partitions {
		// Dead letters of any partition may be gone: the topic may have had fewer partitions.
		if b.Start > at(a.From.Ends.DeadLetters, q, 0) {
			for _, in := range a.inputs {
				in.unkept = math.MaxInt64
			}
			for _, p := range a.labelPartitions() {
				p.unkept = math.MaxInt64
			}
		}
	}
	return a.eachDeadLetter(a.addDeadLetter)
}

func (a *auditor) eachDeadLetter(visit func(partition int32, l *journal.DeadLetter)) error {
	output := cmp.Or(a.From.Output, a.top.Output.Name) // the audited topic may be a copy
	writer := journal.Writer{Model: a.Model, Input: a.top.Input.Name, Labels: a.top.Labels.Name, Output: output}
	var all []*readahead.Cursor
	for q, b := range a.top.DeadLetters.Partitions {
		from := max(at(a.From.Ends.DeadLetters, q, 0), b.Start)
		all = append(all, a.read(topics.DeadLetters, int32(q), from, b.End))
	}
	for q, c := range all {
		for l, err := range journal.DeadLetters(a.ctx, c, writer) {
			if err != nil {
				return err
			}
			visit(int32(q), &l)
		}
	}
	return nil
}

func (a *auditor) addDeadLetter(partition int32, l *journal.DeadLetter) {
	own, record := &Place{a.top.DeadLetters.Name, partition, l.Own}, &Place{l.Topic, l.Partition, l.Offset}
	if l.Topic != a.top.Input.Name {
		a.addLabelLetter(own, record, l)
		return
	}
	if int(l.Partition) >= len(a.inputs) || l.Offset >= a.inputs[l.Partition].end {
		a.found(1, Finding{Kind: NoInput, DeadLetter: own, Input: record, What: noRecord})
		return
	}
	in := a.inputs[l.Partition]
	in.unkept = min(in.unkept, l.Offset)
	if l.Offset < max(in.begin, in.start) {
		return // of before, or of a record that is no longer kept
	}
	epoch := journal.EpochOf(l.Model)
	why := basisOf(l.Reason, epoch, a.From.Configured)
	if a.otherSchema(schema.Place{Partition: l.Partition, Offset: l.Offset}, epoch) {
		why = asGiven
	}
	if !in.dead.add(l.Offset, why) {
		a.found(1, Finding{Kind: Duplicate, DeadLetter: own, Input: record, What: "a second dead letter of one record"})
	}
	in.lastDead = max(in.lastDead, l.Offset+1)
	// The dead letters of a partition are written in the order of its records.
	if why != asGiven && l.Own < at(a.stable.DeadLetters, int(partition), 0) {
		in.sent = max(in.sent, l.Offset+1)
	}
}

// deadLettered counts the next record as dead-lettered.
func (a *auditor) deadLettered(in *input) {
	in.dead.remove(in.record.Offset)
	a.result.DeadLetters++
}

// disputed is a finding about the next record, which was dead-lettered and which the model predicts.
func (a *auditor) disputed(in *input, o *model.Outcome) {
	offset := in.record.Offset
	s := sought{reason: true, epoch: anyEpoch}
	if in.dead.at(offset) == byModel {
		s.epoch = in.epoch
	}
	a.deadLettered(in)
	a.withDeadLetter(Finding{Kind: NoPrediction, Input: a.inputPlace(in.Number, offset),
		What: fmt.Sprintf("dead-lettered, and the model predicts it with the score %v", o.Score)}, s)
}

// sought is a finding about a record with a dead letter that is found again at the end: the sets do not hold where it
// is and what it says.
type sought struct {
	finding *Finding
	reason  bool // the dead letter's reason may be wrong
	// epoch is that of the process that passed the record. It is the only one whose dead letters can be decided again
	// with the model, which has learned all that the process had. What another process had learned may not be in the
	// output: its dead letters are taken as given.
	epoch int64
}

const (
	anyEpoch     = -1 // the model has no part in the reason
	unknownEpoch = -2
)

func (a *auditor) withDeadLetter(f Finding, s sought) {
	s.finding = a.found(1, f)
	if a.kept[f.Kind] <= perKind || s.epoch != anyEpoch {
		a.sought[*cmp.Or(f.Label, f.Input)] = s
	}
}

func (a *auditor) locate() error {
	if len(a.sought) == 0 {
		return nil
	}
	return a.eachDeadLetter(func(partition int32, l *journal.DeadLetter) {
		s, ok := a.sought[Place{l.Topic, l.Partition, l.Offset}]
		if !ok || s.finding.DeadLetter != nil {
			return
		}
		s.finding.DeadLetter = &Place{a.top.DeadLetters.Name, partition, l.Own}
		if s.reason {
			s.finding.What += fmt.Sprintf("; its reason is %q", l.Reason)
		}
		if s.epoch != anyEpoch && s.epoch != journal.EpochOf(l.Model) {
			a.settle(s.finding, 1, true)
		}
	})
}

// strayDeadLetters finds the dead letters of records that do not exist.
func (a *auditor) strayDeadLetters(in *input) {
	for _, offset := range in.dead.sorted() {
		if topics.Skips(a.From.Skipped, in.Number, offset) {
			continue // it cannot be read again
		}
		a.withDeadLetter(Finding{Kind: NoInput, Input: a.inputPlace(in.Number, offset), What: noRecord},
			sought{epoch: anyEpoch})
	}
}
