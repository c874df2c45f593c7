package learner

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
		return s.moves.settled(s.load(f.Slot), f.Value, s.settledExtent(f.Slot))
	}
	return overMax(f.Value, s.stats[f.Slot])
}

// settledExtent is that of a slot among the examples learned: no more will come.
func (s *scaler) settledExtent(slot uint32) extent {
	switch {
	case s.moves.always:
		return everything
	case s.moves.fades():
		return extent{half: s.presence(slot).examples / 2}
	}
	return extent{half: *s.examples() / 2}
}
