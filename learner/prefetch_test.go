package learner

import (
	"math/bits"
	"testing"
)

// TestPrefetchChangesNothing learns the same examples in a table that is prefetched and in one that is not. Where a
// processor has no way to prefetch, the two are the same.
func TestPrefetchChangesNothing(t *testing.T) {
	small := bits.Len(largeTable) - 2
	for _, scale := range []string{ScaleNone, ScaleStandard, ScaleMaxAbs} {
		for _, learner := range []string{"perceptron", "dual:budget=20"} {
			without, with := newModel(t, learner, scale, small), newModel(t, learner, scale, small+1)
			examples := append(stream(31, 300, 30, small), example{label: 1},
				example{x: []Feature{{Slot: 1<<small - 1, Print: 1, Value: 1}}, label: -1})
			for i, e := range examples {
				if want, got := step(t, without, e), step(t, with, e); got != want {
					t.Fatalf("%s, scale %s, example %d: score %x, want %x", learner, scale, i, got, want)
				}
			}
		}
	}
}
