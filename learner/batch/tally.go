package batch

// tally is what weights are worth on the examples.
type tally struct {
	mistakes int     // of the examples trained on: the prediction is wrong
	apart    int     // of the examples trained on: y·s > 0
	loss     float64 // L = -Σ y·s over the mistakes
	held     int     // of the examples held out: the prediction is wrong
}

// tallied counts a state. The prediction is +1 at score 0, so a negative example is mistaken there and a positive one is not,
// though it is not on its side either; it adds nothing to the loss.
func tallied(s *set, trained int, margin func(i int) float64) (t tally) {
	for i := range s.rows() {
		m := margin(i)
		mistaken := m < 0 || m == 0 && s.label(i) < 0
		switch {
		case i >= trained:
			if mistaken {
				t.held++
			}
			continue
		case mistaken:
			t.mistakes++
			t.loss -= m
		case m > 0:
			t.apart++
		}
	}
	return t
}

// better says whether t is the better one to keep: fewer mistakes, then more examples apart.
func (t tally) better(than tally) bool {
	if t.mistakes != than.mistakes {
		return t.mistakes < than.mistakes
	}
	return t.apart > than.apart
}
