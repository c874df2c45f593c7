package journal

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// TestDigits: whatever number was written before, the next one is written as strconv writes it.
func TestDigits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var d digits
	n := int64(0)
	starts := []int64{0, -1, -2, 8, 9, 99, 100, 999_999, math.MaxInt64 - 3, math.MinInt64, 1795257554199}
	for i := range 200_000 {
		switch r.IntN(40) {
		case 0:
			n = starts[r.IntN(len(starts))]
		case 1:
			n = r.Int64() >> r.IntN(64)
		case 2, 3:
		case 4:
			n += int64(r.IntN(12)) // wraps at the end, as no offset does
		default:
			n++
		}
		if got, want := string(d.append([]byte("x"), n)), "x"+strconv.FormatInt(n, 10); got != want {
			t.Fatalf("step %d: %s, want %s", i, got, want)
		}
	}
}
