package generate

// The defaults of SEA: the noise of the paper, and a new concept each 10,000 events (there: each 15,000).
const (
	DefaultSEANoise = 0.1
	DefaultSEADrift = 0.0001
)

// SEA is the stream of Street and Kim, "A streaming ensemble algorithm (SEA) for large-scale classification" (KDD 2001):
// three features drawn evenly from 0 to 10, of which the third means nothing; the label is +1 where f0 + f1 is at most a
// bound, which jumps from 8 to 9, to 7 and to 9.5, and here then on from the beginning; and some labels are turned around.
//
// Its labels are not equally frequent: +1 are 32, 40.5, 24.5 and 45.125 of 100 in the four concepts, before the noise.
//
// Everything said of Hyperplane holds here too: an event is computed from its number, and the fields are set before the
// first one.
type SEA struct {
	Noise float64 // the part of the labels that are turned around, 0 to 0.5
	Drift float64 // jumps of the bound with each event, 0 or 1e-9 to 1: 0.0001 is a jump each 10,000 events
	Seed  uint64  // another seed is other points; the bounds are always the same

	place
	values [3]float64
}

// bounds of the concepts, in units of a ten-thousandth.
var bounds = [...]int64{8 * unit, 9 * unit, 7 * unit, 95 * unit / 10}

// Check tells whether the fields are in their ranges. A stream whose fields are not makes no sense.
func (s *SEA) Check() error {
	if err := checkNoise(s.Noise, "labels"); err != nil {
		return err
	}
	return checkConcepts(s.Drift)
}

// Next makes the next event.
func (s *SEA) Next() Event {
	n := s.begin(s.Seed)
	var sum int64
	for i := range s.values {
		k := int64(below(&s.pcg, 10*unit+1))
		s.values[i] = float64(k) / unit
		if i < 2 {
			sum += k
		}
	}
	label := -1
	if sum <= bounds[concept(n, s.Drift)%int64(len(bounds))] {
		label = 1
	}
	if s.happens(s.Noise) {
		label = -label
	}
	return Event{Number: n, Label: label, Features: s.values[:]}
}
