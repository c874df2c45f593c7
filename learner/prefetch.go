package learner

import "unsafe"

// largeTable is the number of slots from which prefetching pays: the caches hold what smaller tables need.
const largeTable = 1 << 19

// prefetch requests from memory what x needs of the tables and of weights, which may be nil. Otherwise Predict and
// Learn would wait for one slot after the other.
func (t *table) prefetch(x []Feature, weights []float64) {
	if len(t.prints) < largeTable {
		return
	}
	switch stats, width := t.scaler.stats, t.scaler.width; t.scaler.mode {
	case standard: // a slot's numbers may lie on two cache lines
		prefetchRows(x, unsafe.Pointer(&stats[0]), uintptr(width)*unsafe.Sizeof(stats[0]))
		prefetchRows(x, unsafe.Pointer(&stats[width-1]), uintptr(width)*unsafe.Sizeof(stats[0]))
	case maxabs:
		prefetchRows(x, unsafe.Pointer(&stats[0]), unsafe.Sizeof(stats[0]))
	}
	t.prefetchWeights(x, weights)
	prefetchRows(x, unsafe.Pointer(unsafe.SliceData(t.prints)), unsafe.Sizeof(t.prints[0]))
}

func (t *table) prefetchWeights(x []Feature, weights []float64) {
	if len(t.prints) >= largeTable && len(weights) > 0 {
		prefetchRows(x, unsafe.Pointer(unsafe.SliceData(weights)), unsafe.Sizeof(weights[0]))
	}
}
