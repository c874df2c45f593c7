package state

import (
	"cmp"
	"slices"

	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/topics"
)

// DeadLetters are those that were found of records that are still to be read, by partition, in the order of the
// records: a look at the first of each is enough to drop what was passed.
type DeadLetters map[topics.PartitionOf][]DeadLetter

// DeadLetter is one of them.
type DeadLetter struct {
	Record    int64 // its offset
	Reason    event.Reason
	Partition int32 // of the dead-letter topic
	Offset    int64
}

func (l DeadLetters) find(at topics.Place) (of topics.PartitionOf, i int, found bool) {
	of = topics.PartitionOf{Topic: at.Topic, Partition: at.Partition}
	i, found = slices.BinarySearchFunc(l[of], at.Offset, func(d DeadLetter, record int64) int {
		return cmp.Compare(d.Record, record)
	})
	return of, i, found
}

// Add keeps the dead letter of a record, the later one of two.
func (l DeadLetters) Add(at topics.Place, d DeadLetter) {
	d.Record = at.Offset
	of, i, found := l.find(at)
	if found {
		l[of][i] = d
		return
	}
	l[of] = slices.Insert(l[of], i, d) // most often at the end
}

// Has reports whether a record has a dead letter.
func (l DeadLetters) Has(at topics.Place) bool {
	_, _, found := l.find(at)
	return found
}

// isOf reports whether a record has a dead letter for a reason.
func (l DeadLetters) isOf(at topics.Place, reason event.Reason) bool {
	of, i, found := l.find(at)
	return found && l[of][i].Reason == reason
}

// Take removes the dead letter of a record that is passed, which is most often the first one.
func (l DeadLetters) Take(at topics.Place) (d DeadLetter, found bool) {
	of, i, found := l.find(at)
	switch {
	case !found:
		return d, false
	case i == 0:
		d = l[of][0]
		l.drop(of, 1)
	default:
		d = l[of][i]
		l[of] = slices.Delete(l[of], i, i+1)
	}
	return d, true
}

// drop removes the first n dead letters of a partition.
func (l DeadLetters) drop(of topics.PartitionOf, n int) {
	if l[of] = l[of][n:]; len(l[of]) == 0 {
		delete(l, of)
	}
}

// DeadLetterFloor returns upper, lowered in each dead-letter partition to the first dead letter of a record
// at or above its position.
func (s *State) DeadLetterFloor(upper []int64) []int64 {
	floor := slices.Clone(upper)
	for of, all := range s.Dead {
		//mutation:label-dead-letter-floor
		from := s.PositionsOf(of.Topic)[of.Partition]
		for i := range all {
			if d := &all[i]; d.Record >= from {
				floor[d.Partition] = min(floor[d.Partition], d.Offset)
			}
		}
	}
	return floor
}

// PassDead moves positions of the input past dead-lettered offsets. Label records are passed when they are read: each
// moves label time. A follower reads on instead.
func (s *State) PassDead() {
	for of, all := range s.Dead {
		if of.Topic != topics.Input {
			continue
		}
		at := &s.Positions[of.Partition]
		for i := 0; i < len(all) && all[i].Record <= *at; i++ {
			if all[i].Record == *at {
				*at++
			}
		}
	}
	s.DropDead()
}

// DropDead counts and drops the dead letters below positions.
func (s *State) DropDead() {
	for of, all := range s.Dead {
		at, n := s.PositionsOf(of.Topic)[of.Partition], 0
		for ; n < len(all) && all[n].Record < at; n++ {
			//mutation:dropped-counted
			s.Counts.Of(of.Topic).Reject(all[n].Reason)
		}
		if n > 0 {
			s.Dead.drop(of, n)
		}
	}
}

// IsAhead reports whether a record is at or above its partition's position.
func IsAhead(at topics.Place, positions []int64) bool {
	return int(at.Partition) < len(positions) && at.Offset >= positions[at.Partition]
}

// SkipLabel is Skip of a label record. One whose event did not wait any longer counts for its label.
func (s *State) SkipLabel(at topics.Place, r *topics.Record, e *event.Example, id labels.ID) bool {
	//mutation:late-counted-again
	if s.Dead.isOf(at, event.LateLabel) && e.Rejected == nil {
		s.Labels().CountLate(e, r, id)
	}
	return s.Skip(at, e)
}
