package verify

import (
	"math"

	"rosenblatt/stream/journal"
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
		}
	}
	return a.eachDeadLetter(a.addDeadLetter)
}

func (a *auditor) eachDeadLetter(visit func(partition int32, l *journal.DeadLetter)) error {
	for q, b := range a.top.DeadLetters.Partitions {
		part := topics.Part{Partition: int32(q), From: max(at(a.From.Ends.DeadLetters, q, 0), b.Start), To: b.End}
		c := topics.NewCursor(a, topics.DeadLetters, part, blockRecords)
		for l, err := range journal.DeadLetters(a.ctx, c, a.Model, a.top.Input.Name) {
			if err != nil {
				return err
			}
			visit(part.Partition, &l)
		}
	}
	return nil
}

func (a *auditor) addDeadLetter(partition int32, l *journal.DeadLetter) {
	own, record := &Place{a.top.DeadLetters.Name, partition, l.Own}, a.inputPlace(l.Partition, l.Offset)
	if int(l.Partition) >= len(a.inputs) || l.Offset >= a.inputs[l.Partition].end {
		a.found(1, Finding{Kind: NoInput, DeadLetter: own, Input: record, What: noRecord})
		return
	}
	in := a.inputs[l.Partition]
	in.unkept = min(in.unkept, l.Offset)
	if l.Offset < in.begin {
		return // of before
	}
	if !in.dead.add(l.Offset) {
		a.found(1, Finding{Kind: Duplicate, DeadLetter: own, Input: record, What: "a second dead letter of one record"})
	}
}

// withDeadLetter is a finding about a record with a dead letter, whose place is found at the end: the sets do not hold
// it.
func (a *auditor) withDeadLetter(f Finding) {
	a.sought = append(a.sought, a.found(1, f))
}

func (a *auditor) locate() error {
	a.sought = a.sought[:min(len(a.sought), perKind)]
	if len(a.sought) == 0 {
		return nil
	}
	return a.eachDeadLetter(func(partition int32, l *journal.DeadLetter) {
		for _, f := range a.sought {
			if f.DeadLetter == nil && f.Input.Partition == l.Partition && f.Input.Offset == l.Offset {
				f.DeadLetter = &Place{a.top.DeadLetters.Name, partition, l.Own}
			}
		}
	})
}

// strayDeadLetters finds the dead letters of records that were passed and do not exist.
func (a *auditor) strayDeadLetters() {
	for _, in := range a.inputs {
		for _, offset := range in.dead.sorted() {
			if offset >= in.pos {
				break // of a record after the last prediction
			}
			a.withDeadLetter(Finding{Kind: NoInput, Input: a.inputPlace(in.partition, offset), What: noRecord})
		}
	}
}
