package learner

import "math"

// Norm is ‖w‖ of the weights that the next score uses, of the slots that learned examples have had. |s|/‖w‖ is
// the distance of an example from the separator, where it has no other slots. With a kernel other than linear it
// is 0.
func (m *Model) Norm() float64 { return m.lengthOf(m.currentWeight()) }

// Norm is Model.Norm of a class; in ovo 0, for a class has no vector of its own.
func (m *Multi) Norm(class int) float64 {
	if m.spec.Scheme == OVO {
		return 0
	}
	return m.lengthOf(m.separators[class].currentWeight())
}

// lengthOf scales by the largest weight: squares may overflow.
func (t *table) lengthOf(weight func(slot uint32) float64) float64 {
	largest, sum := 0.0, 0.0
	for slot, print := range t.prints {
		if print != 0 {
			largest = max(largest, math.Abs(weight(uint32(slot))))
		}
	}
	if largest == 0 {
		return 0
	}
	for slot, print := range t.prints {
		if print != 0 {
			w := weight(uint32(slot)) / largest
			sum += float64(w * w)
		}
	}
	return largest * math.Sqrt(sum)
}
