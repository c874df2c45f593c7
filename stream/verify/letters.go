package verify

import (
	"math"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/topics"
)

// readLetters puts this model's dead letters into the sets of the input's partitions.
func (a *auditor) readLetters() error {
	for q, b := range a.top.DeadLetters.Partitions {
		if b.Start > at(a.From.Ends.DeadLetters, q, 0) { // letters of any partition may be gone: the topic may have been narrower once
			for _, l := range a.lanes {
				l.unkept = math.MaxInt64
			}
		}
	}
	for q := range a.top.DeadLetters.Partitions {
		if err := a.eachLetter(int32(q), a.addLetter); err != nil {
			return err
		}
	}
	return nil
}

// eachLetter calls visit for this model's dead letters in a partition.
func (a *auditor) eachLetter(partition int32, visit func(partition int32, l *journal.DeadLetter)) error {
	b := a.top.DeadLetters.Partitions[partition]
	from := max(at(a.From.Ends.DeadLetters, int(partition), 0), b.Start)
	part := topics.Part{Partition: partition, From: from, To: b.End}
	c := topics.NewCursor(a, topics.DeadLetters, part, blockRecords)
	for l, err := range journal.DeadLetters(a.ctx, c, a.Model, a.top.Input.Name) {
		if err != nil {
			return err
		}
		visit(partition, &l)
	}
	return nil
}

func (a *auditor) addLetter(partition int32, l *journal.DeadLetter) {
	letter := &Place{a.top.DeadLetters.Name, partition, l.Own}
	if int(l.Partition) >= len(a.lanes) || l.Offset >= a.lanes[l.Partition].end {
		a.found(1, Finding{Kind: NoInput, DeadLetter: letter, Input: a.inputPlace(l.Partition, l.Offset), What: "a dead letter of a record that is not there"})
		return
	}
	lane := a.lanes[l.Partition]
	lane.unkept = min(lane.unkept, l.Offset)
	if l.Offset < lane.begin {
		return // of before
	}
	if !lane.letters.add(l.Offset) {
		a.found(1, Finding{Kind: Duplicate, DeadLetter: letter, Input: a.inputPlace(l.Partition, l.Offset), What: "a second dead letter of one record"})
	}
}

// withLetter is a finding about a record that has a dead letter. Where that stands is looked for at the end: the sets
// do not say.
func (a *auditor) withLetter(f Finding) {
	kept := a.found(1, f)
	a.sought = append(a.sought, kept)
}

// locate finds the dead letters that findings speak of.
func (a *auditor) locate() error {
	if len(a.sought) > perKind {
		a.sought = a.sought[:perKind]
	}
	if len(a.sought) == 0 {
		return nil
	}
	for q := range a.top.DeadLetters.Partitions {
		err := a.eachLetter(int32(q), func(partition int32, l *journal.DeadLetter) {
			for _, f := range a.sought {
				if f.DeadLetter == nil && f.Input.Partition == l.Partition && f.Input.Offset == l.Offset {
					f.DeadLetter = &Place{a.top.DeadLetters.Name, partition, l.Own}
				}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// strayLetters tells of dead letters whose records were passed and are not there.
func (a *auditor) strayLetters() {
	for _, l := range a.lanes {
		for _, offset := range l.letters.sorted() {
			if offset >= l.pos {
				break // of a record behind the last answer
			}
			a.withLetter(Finding{Kind: NoInput, Input: a.inputPlace(l.partition, offset), What: "a dead letter of a record that is not there"})
		}
	}
}
