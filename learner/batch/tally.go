package batch

import "math"

// tally counts how good weights are on the examples.
type tally struct {
	mistakes int     // of the examples trained on: the prediction is wrong
	apart    int     // of the examples trained on: y·s > 0
	onPlane  int     // of the examples trained on: s = 0
	least    float64 // of the examples trained on: y·s
	loss     float64 // L = -Σ y·s over the mistakes
	heldOut  int     // of the held-out examples: the prediction is wrong
}

// tallyOf counts. At score 0 the prediction is +1, so a negative example is mistaken; it adds nothing to the loss.
func tallyOf(s *set, trained int, margin func(i int) float64) (t tally) {
	t.least = math.Inf(1)
	for i := range s.rows() {
		m := margin(i)
		mistaken := mistaken(m, s.label(i))
		if i >= trained {
			if mistaken {
				t.heldOut++
			}
			continue
		}
		t.least = min(t.least, m)
		if m == 0 {
			t.onPlane++
		}
		switch {
		case mistaken:
			t.mistakes++
			t.loss -= m
		case m > 0:
			t.apart++
		}
	}
	return t
}

// mistaken reports whether the prediction is wrong: of score 0 it is +1.
func mistaken(margin, label float64) bool { return margin < 0 || margin == 0 && label < 0 }

// better prefers fewer mistakes, then more examples with y·s > 0.
func (t tally) better(than tally) bool {
	if t.mistakes != than.mistakes {
		return t.mistakes < than.mistakes
	}
	return t.apart > than.apart
}
