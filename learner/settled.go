package learner

import "math"

// Settled returns the values of x as scaled by the statistics as they are, of which x is a part already. Predict takes
// x in once more: so it is for training on the examples that the statistics are of, where each is to count once.
func (t *table) Settled(x []Feature) []float64 {
	values := make([]float64, len(x))
	for i, f := range x {
		values[i] = t.scaler.settled(f)
	}
	return values
}

func (s *scaler) settled(f Feature) float64 {
	switch {
	case f.Kind == Indicator || s.mode == plain:
		return f.Value
	case s.mode == standard:
		return s.moves.settled(s.load(f.Slot), f.Value)
	}
	return overMax(f.Value, s.stats[f.Slot])
}

// settled scales a value that the moments hold.
func (z *standardizer) settled(m moments, x float64) float64 {
	var scaled float64
	switch {
	case m.count >= 0:
		scaled = m.standardize(x)
	case x != m.mean: // it is held back: as next says
		scaled = math.Copysign(math.Sqrt(-m.count), x-m.mean)
	}
	if z.clip == 0 {
		return scaled
	}
	return max(-z.clip, min(z.clip, scaled))
}
