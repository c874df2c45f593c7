package learner

import "unsafe"

// largeTable is from how many slots on asking is worth its time: below, caches hold what examples need.
const largeTable = 1 << 19

// prefetch asks memory for what x needs of the tables that all learners have. It is all under way at once then, while the first
// features are computed with; Predict and Learn would wait for one slot after the other.
func (t *table) prefetch(x []Feature, weights []float64) {
	if len(t.prints) < largeTable {
		return
	}
	switch stats := t.scaler.stats; t.scaler.mode {
	case standard: // a slot's three numbers may lie on two cache lines
		prefetchRows(x, unsafe.Pointer(&stats[0]), width*unsafe.Sizeof(stats[0]))
		prefetchRows(x, unsafe.Pointer(&stats[width-1]), width*unsafe.Sizeof(stats[0]))
	case maxabs:
		prefetchRows(x, unsafe.Pointer(&stats[0]), unsafe.Sizeof(stats[0]))
	}
	if len(weights) > 0 {
		prefetchRows(x, unsafe.Pointer(unsafe.SliceData(weights)), unsafe.Sizeof(weights[0]))
	}
	prefetchRows(x, unsafe.Pointer(unsafe.SliceData(t.prints)), unsafe.Sizeof(t.prints[0]))
}
