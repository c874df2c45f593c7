package generate

// SEA is the stream of Street and Kim, "A streaming ensemble algorithm (SEA) for large-scale classification" (KDD
// 2001): three uniform features from 0 to 10, of which the third is irrelevant; the label is +1 if f0 + f1 is at most
// the bound of the concept: 8, 9, 7 and 9.5, then (here) from the beginning.
type SEA struct {
	Noise float64 // the share of labels that are flipped, 0 to 0.5
	Drift float64 // changes of concept per event, 0 or 1e-9 to 1
	Seed  uint64

	position
	values [3]float64
}

// bounds of the concepts, in units.
var bounds = [...]int64{8 * unit, 9 * unit, 7 * unit, 95 * unit / 10}

func (s *SEA) check() error {
	if err := checkNoise(s.Noise, "labels"); err != nil {
		return err
	}
	return checkConcepts(s.Drift)
}

// Next implements Stream.
func (s *SEA) Next() Event {
	n := s.begin(s.Seed)
	var sum int64
	for i := range s.values {
		k := int64(s.below(10*unit + 1))
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
	return Event{n, label, s.values[:]}
}
