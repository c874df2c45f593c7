package event

import (
	"github.com/cespare/xxhash/v2"

	"rosenblatt/learner"
	"rosenblatt/stream/internal/number"
)

// limit is the largest magnitude of a value or a weight. It leaves room for sums of squares within float64. number.At
// reads no larger one.
const limit = number.Large

// add adds a feature to the current event. Values of the same name are summed.
func (s *sink) add(name []byte, v float64, k learner.Kind) {
	if len(s.prefixes) != 0 || s.options.Seed != 0 {
		s.addHashed(s.prefixedSum(name), name, v, k, false)
		return
	}
	s.addHashed(xxhash.Sum64(name), name, v, k, false) // sum, inlined by hand: this is the hottest path
}

// addOnce adds an indicator unless its name is present.
func (s *sink) addOnce(name []byte) {
	s.addHashed(s.prefixedSum(name), name, 1, learner.Indicator, true)
}

// addHashed is add or, with once, addOnce, of a name whose hash is known.
func (s *sink) addHashed(h uint64, name []byte, v float64, k learner.Kind, once bool) {
	if !(v >= -limit && v <= limit) {
		s.outOfRange(name, v)
		return
	}
	if k == learner.Numeric && len(s.options.Log) > 0 && !s.crosses.making() {
		v = s.logged(name, v)
	}
	place, found := s.seen.find(h)
	if found {
		if !once {
			s.addTo(int(s.seen.entries[place].index), name, v)
		}
		return
	}
	index := len(s.arena) - s.start
	if index >= s.options.MaxFeatures {
		if s.unfit.replacedBy(TooManyFeatures) {
			s.unfit.add(TooManyFeatures, -1, "feature %v: more than %d features; raise the limit or send fewer",
				quoted(name), s.options.MaxFeatures)
		}
		return
	}
	s.arena = append(s.arena, learner.Feature{Slot: s.slot(h), Print: fingerprint(h), Kind: k, Value: v})
	s.seen.put(place, h, index)
	if s.seen.full() {
		s.seen.grow()
	}
	if s.crosses != nil {
		s.crosses.note(name, nil, index)
	}
	if s.visit != nil {
		s.visit(name, index)
	}
}

// addTo adds v to the feature at index.
func (s *sink) addTo(index int, name []byte, v float64) {
	f := &s.arena[s.start+index]
	f.Value += v
	if !(f.Value >= -limit && f.Value <= limit) {
		s.outOfRange(name, f.Value)
	}
}

func (s *sink) outOfRange(name []byte, v float64) {
	if s.unfit.replacedBy(OutOfRange) {
		s.unfit.add(OutOfRange, -1, "feature %v: %g is over %g in magnitude; scale it down where it is produced",
			quoted(name), v, limit)
	}
}

// discard drops the features found so far and what is wrong with them.
func (s *sink) discard() {
	s.arena = s.arena[:s.start]
	s.seen.reset()
	//mutation:cross-discarded
	s.crosses.reset()
	s.unfit = Error{}
	//mutation:values-discarded
	if s.notes != nil {
		s.notes.reset()
	}
}

// addWord adds the indicator `name=word`.
func (s *sink) addWord(f *field, word []byte) { s.addIndicator(f, WordValue, word) }

func (s *sink) addIndicator(f *field, kind ValueKind, word []byte) {
	if s.notes != nil {
		s.noteWord(f, kind, word)
	}
	end := s.hold(f)
	s.name = append(append(s.name[:end], '='), word...)
	s.add(s.name[s.base:], 1, learner.Indicator)
}
