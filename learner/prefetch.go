package learner

import "unsafe"

// largeTable is from how many slots on asking is worth its time: below, caches hold what examples need.
const largeTable = 1 << 19

// prefetch asks memory for what x needs of the tables that all learners have. It is all under way at once then, while the first
// features are computed with; Predict and Learn would wait for one slot after the other.
func (m *Model) prefetch(x []Feature) {
	if len(m.prints) < largeTable {
		return
	}
	switch stats := m.scaler.stats; m.scaler.mode {
	case standard: // a slot's three numbers may lie on two cache lines
		prefetchRows(x, unsafe.Pointer(&stats[0]), width*unsafe.Sizeof(stats[0]))
		prefetchRows(x, unsafe.Pointer(&stats[width-1]), width*unsafe.Sizeof(stats[0]))
	case maxabs:
		prefetchRows(x, unsafe.Pointer(&stats[0]), unsafe.Sizeof(stats[0]))
	}
	if len(m.weights) > 0 {
		prefetchRows(x, unsafe.Pointer(unsafe.SliceData(m.weights)), unsafe.Sizeof(m.weights[0]))
	}
	prefetchRows(x, unsafe.Pointer(unsafe.SliceData(m.prints)), unsafe.Sizeof(m.prints[0]))
}
