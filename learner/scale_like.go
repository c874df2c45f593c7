package learner

import "math"

// Scales is how a model scales features.
type Scales scaler

// Scales is the model's own.
func (t *table) Scales() *Scales { return (*Scales)(&t.scaler) }

// ScaleLike says that another model has predicted the example of the next Predict, and has not learned it yet. What
// both have met alike is scaled alike: then it is taken from there. The bits are the same.
func (t *table) ScaleLike(other *Scales) { t.scaler.like = (*scaler)(other) }

// scaledLike is scaleStandard where another scaler has scaled x with the same statistics. It reports whether it has;
// if not, x is as it was.
func (s *scaler) scaledLike(o *scaler, x []Feature) bool {
	if len(o.scaled) != len(x) || o.moves != s.moves || *o.examples() != *s.examples() {
		return false
	}
	staged, theirs, stats, of := s.staged[:len(x)], o.staged[:len(x)], s.stats, o.stats
	for i := range x {
		if x[i].Kind == Indicator {
			continue
		}
		at := plainWidth * int(x[i].Slot)
		mine, his := stats[at:][:plainWidth], of[at:][:plainWidth]
		//mutation:scaled-like-another
		if theirs[i].raw != x[i].Value || o.scaled[i].Slot != x[i].Slot || differ(mine[0], his[0]) ||
			differ(mine[1], his[1]) || differ(mine[2], his[2]) {
			return false
		}
		staged[i] = theirs[i]
	}
	copy(x, o.scaled)
	s.scaled = x
	return true
}

func differ(a, b float64) bool { return math.Float64bits(a) != math.Float64bits(b) }
