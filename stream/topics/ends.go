package topics

import "slices"

// Ends are the offsets from which recovery reads the topics that a task writes, one for each partition. Invariant, with
// the seq and positions saved with them: a prediction of the model is below its partition's end if and only if its seq
// is not above the saved one, and each dead letter of a record at or above the saved positions is at or above its
// partition's end.
type Ends struct {
	Output      []int64 `json:"answerEnds"`
	DeadLetters []int64 `json:"letterEnds"`
}

// Ends are the offsets right after the fence's markers.
func (f *Fence) Ends() Ends {
	e := Ends{slices.Clone(f.Output), slices.Clone(f.DeadLetters)}
	for _, offsets := range [][]int64{e.Output, e.DeadLetters} {
		for i := range offsets {
			offsets[i]++
		}
	}
	return e
}

// Clone returns a copy.
func (e Ends) Clone() Ends { return Ends{slices.Clone(e.Output), slices.Clone(e.DeadLetters)} }

// Advance raises each end to that of to where it is lower, and reports whether one of the output was.
func (e Ends) Advance(to Ends) (moved bool) {
	for i, end := range to.Output {
		moved = moved || end > e.Output[i]
		e.Output[i] = max(e.Output[i], end)
	}
	for i, end := range to.DeadLetters {
		e.DeadLetters[i] = max(e.DeadLetters[i], end)
	}
	return moved
}
