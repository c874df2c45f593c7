package learner

// CopyTo makes dst a model of its own with the same state, in dst's memory where that fits (a zero Model will do). Its cost
// is that of copying the columns, but for the names: they are shared, since neither model ever writes to those both have.
// The example at hand stays behind.
func (m *Model) CopyTo(dst *Model) {
	if dst.method == nil || dst.spec != m.spec {
		dst.method = newMethod(m.spec, len(m.prints))
	}
	dst.spec = m.spec
	dst.scaler.mode = m.scaler.mode
	dst.scaler.stats = copyInto(dst.scaler.stats, m.scaler.stats)
	dst.weights = copyInto(dst.weights, m.weights)
	dst.prints = copyInto(dst.prints, m.prints)
	dst.bias, dst.time, dst.clock = m.bias, m.time, m.clock
	dst.met, dst.collisions, dst.known = m.met, m.collisions, 0
	m.names.copyTo(&dst.names)
	dst.phase, dst.scored = idle, false
	to := dst.tables()
	for i, from := range m.tables() {
		copyAll(to[i].Float64, from.Float64)
	}
	if d, ok := m.method.(*dual); ok {
		d.copyTo(dst.method.(*dual))
	}
}

// copyInto copies src into dst, or into new memory where the lengths differ.
func copyInto[T any](dst, src []T) []T {
	if len(dst) != len(src) {
		dst = make([]T, len(src))
	}
	copyAll(dst, src)
	return dst
}

// copyStep is how many elements are copied at a time. A goroutine cannot be stopped within a copy, and while the garbage collector wants it to
// stop, it keeps a processor busy: with half a gigabyte, for all of the copy.
const copyStep = 1 << 17

// copyAll copies src into dst, which is as long.
func copyAll[T any](dst, src []T) {
	for len(src) > 0 {
		n := copyPiece(dst, src)
		dst, src = dst[n:], src[n:]
	}
}

// copyPiece copies the beginning of src. A call of its own is where the goroutine may be stopped.
//
//go:noinline
func copyPiece[T any](dst, src []T) int { return copy(dst, src[:min(len(src), copyStep)]) }
