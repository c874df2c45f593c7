package stream

import (
	"cmp"
	"slices"

	"rosenblatt/stream/event"
	"rosenblatt/stream/topics"
)

// deadLetters are those that were found of records that are still to be read, by partition, in the order of the
// records: a look at the first of each is enough to drop what was passed.
type deadLetters map[readPartition][]deadLetter

// readPartition is a partition of a topic that the task reads.
type readPartition struct {
	topic     topics.Topic // Input or Labels
	partition int32
}

type deadLetter struct {
	record    int64 // its offset
	reason    event.Reason
	partition int32 // of the dead-letter topic
	offset    int64
}

func (l deadLetters) find(at topics.Place) (of readPartition, i int, found bool) {
	of = readPartition{at.Topic, at.Partition}
	i, found = slices.BinarySearchFunc(l[of], at.Offset, func(d deadLetter, record int64) int {
		return cmp.Compare(d.record, record)
	})
	return of, i, found
}

// add keeps the dead letter of a record, the later one of two.
func (l deadLetters) add(at topics.Place, d deadLetter) {
	d.record = at.Offset
	of, i, found := l.find(at)
	if found {
		l[of][i] = d
		return
	}
	l[of] = slices.Insert(l[of], i, d) // most often at the end
}

// has reports whether a record has a dead letter.
func (l deadLetters) has(at topics.Place) bool {
	_, _, found := l.find(at)
	return found
}

// isOf reports whether a record has a dead letter for a reason.
func (l deadLetters) isOf(at topics.Place, reason event.Reason) bool {
	of, i, found := l.find(at)
	return found && l[of][i].reason == reason
}

// take removes the dead letter of a record that is passed, which is most often the first one.
func (l deadLetters) take(at topics.Place) (d deadLetter, found bool) {
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
func (l deadLetters) drop(of readPartition, n int) {
	if l[of] = l[of][n:]; len(l[of]) == 0 {
		delete(l, of)
	}
}

// deadLetterFloor returns upper, lowered in each dead-letter partition to the first dead letter of a record
// at or above its position.
func (s *state) deadLetterFloor(upper []int64) []int64 {
	floor := slices.Clone(upper)
	for of, all := range s.dead {
		//mutation:label-dead-letter-floor
		from := s.positionsOf(of.topic)[of.partition]
		for i := range all {
			if d := &all[i]; d.record >= from {
				floor[d.partition] = min(floor[d.partition], d.offset)
			}
		}
	}
	return floor
}

// passDead moves positions of the input past dead-lettered offsets. Label records are passed when they are read: each
// moves label time. A follower reads on instead.
func (s *state) passDead() {
	for of, all := range s.dead {
		if of.topic != topics.Input {
			continue
		}
		at := &s.positions[of.partition]
		for i := 0; i < len(all) && all[i].record <= *at; i++ {
			if all[i].record == *at {
				*at++
			}
		}
	}
	s.dropDead()
}

// dropDead counts and drops the dead letters below positions.
func (s *state) dropDead() {
	for of, all := range s.dead {
		at, n := s.positionsOf(of.topic)[of.partition], 0
		for ; n < len(all) && all[n].record < at; n++ {
			//mutation:dropped-counted
			s.counts.Of(of.topic).Reject(all[n].reason)
		}
		if n > 0 {
			s.dead.drop(of, n)
		}
	}
}
