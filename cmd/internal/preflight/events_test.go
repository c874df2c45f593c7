package preflight

import "testing"

// TestNewest: a hundred events are read where there are as many, wherever they are, and the newest of each partition.
func TestNewest(t *testing.T) {
	for _, c := range []struct {
		starts, ends, sizes []int64
	}{
		{[]int64{0}, []int64{1000}, []int64{100}},
		{[]int64{7}, []int64{17}, []int64{10}},
		{[]int64{0, 0, 0, 0}, []int64{1000, 1000, 1000, 1000}, []int64{25, 25, 25, 25}},
		{[]int64{0, 0, 5, 0}, []int64{10, 1000, 5, 1000}, []int64{10, 65, 0, 25}},
		{[]int64{0, 990, 0}, []int64{3, 1000, 0}, []int64{3, 10, 0}},
		{[]int64{0, 0, 0}, []int64{500, 500, 500}, []int64{34, 34, 34}},
		{nil, nil, nil},
	} {
		for p, part := range newest(c.starts, c.ends, 100) {
			if part.To != c.ends[p] || part.To-part.From != c.sizes[p] {
				t.Errorf("%d to %d: %+v", c.starts, c.ends, part)
			}
		}
	}
}
