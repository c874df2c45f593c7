package learner

// copyStep is how many elements are copied at a time. A goroutine cannot be preempted within a copy, and the garbage
// collector may have stopped the others until then.
const copyStep = 1 << 17

func copyAll[T any](dst, src []T) {
	for len(src) > 0 {
		n := copyPiece(dst, src)
		dst, src = dst[n:], src[n:]
	}
}

// copyPiece copies the beginning of src. It is not inlined: the call is a preemption point.
//
//go:noinline
func copyPiece[T any](dst, src []T) int { return copy(dst, src[:min(len(src), copyStep)]) }
