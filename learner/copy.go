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
		copy(to[i].Float64, from.Float64)
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
	copy(dst, src)
	return dst
}
