package verify

import (
	"maps"
	"slices"

	"rosenblatt/stream/event"
)

// basis is what the reason of a dead letter was decided on.
type basis uint8

const (
	notDead basis = iota
	byEvent       // the event alone: the reason can be decided again at any time
	byModel       // the model too, as it was then
	asGiven       // what the topics do not hold: the dead letter is taken as given
)

// basisOf returns the basis of a dead letter; dead letters of epochs below configured are of another configuration.
func basisOf(reason event.Reason, epoch, configured int64) basis {
	if epoch < configured {
		return asGiven
	}
	switch reason {
	//mutation:unknown-as-given
	case event.PredictionTooLarge, event.Internal, event.UnknownSchema:
		return asGiven
	case event.BadLabel, event.TooManyClasses, event.Overflow,
		event.NoExample, event.ConflictingLabel, event.LateLabel:
		return byModel
	}
	return byEvent
}

// deadSet holds the basis of each dead-lettered offset of a partition, 32 offsets to a word.
type deadSet map[int64]uint64

func placeOf(offset int64) (word int64, shift uint64) { return offset >> 5, uint64(offset&31) * 2 }

// add puts an offset in; false when it was there.
func (s deadSet) add(offset int64, b basis) bool {
	word, shift := placeOf(offset)
	if s[word]>>shift&3 != 0 {
		return false
	}
	s[word] |= uint64(b) << shift
	return true
}

// at is the basis of an offset.
func (s deadSet) at(offset int64) basis {
	if len(s) == 0 {
		return notDead
	}
	word, shift := placeOf(offset)
	return basis(s[word] >> shift & 3)
}

// remove takes an offset out; false when it was not there.
func (s deadSet) remove(offset int64) bool {
	if s.at(offset) == notDead {
		return false
	}
	word, shift := placeOf(offset)
	if s[word] &^= 3 << shift; s[word] == 0 {
		delete(s, word)
	}
	return true
}

func (s deadSet) sorted() (out []int64) {
	for _, word := range slices.Sorted(maps.Keys(s)) {
		for i := range int64(32) {
			if offset := word<<5 + i; s.at(offset) != notDead {
				out = append(out, offset)
			}
		}
	}
	return out
}
