package learner

// presence is how many labelled examples a slot's values are of, with a half-life: the sum of the distances between
// examples that had the feature, in which each distance counts λ as much as the next one, as the values do. So count
// over examples is the share of the examples that had it lately. Without a half-life that sum would be all examples.
type presence struct {
	examples float64
	last     float64 // the number of the last example that had the feature, counted from 1
}

// with adds an example that has the feature. For a second value in it nothing fades.
func (p presence) with(keep, example float64) presence {
	if example == p.last {
		return p
	}
	return presence{float64(keep*p.examples) + (example - p.last), example}
}

func (s *scaler) presence(slot uint32) presence {
	at := s.stats[s.width*int(slot)+3:][:2]
	return presence{at[0], at[1]}
}

func (s *scaler) setPresence(slot uint32, p presence) {
	at := s.stats[s.width*int(slot)+3:][:2]
	at[0], at[1] = p.examples, p.last
}
