package daemon

import "testing"

// TestNewest: a hundred records are read where there are as many, wherever they are, and the newest of each partition,
// or of some.
func TestNewest(t *testing.T) {
	for _, c := range []struct {
		starts, ends, sizes []int64
	}{
		{[]int64{0}, []int64{1000}, []int64{100}},
		{[]int64{7}, []int64{17}, []int64{10}},
		{[]int64{0, 0, 0, 0}, []int64{1000, 1000, 1000, 1000}, []int64{25, 25, 25, 25}},
		{[]int64{0, 0, 5, 0}, []int64{10, 1000, 5, 1000}, []int64{10, 56, 0, 34}},
		{[]int64{0, 990, 0}, []int64{3, 1000, 0}, []int64{3, 10, 0}},
		{[]int64{0, 0, 0}, []int64{500, 500, 500}, []int64{34, 34, 34}},
		{nil, nil, nil},
	} {
		sizes := make([]int64, len(c.ends))
		for _, part := range (Sample{Records: 100}).newest(c.starts, c.ends) {
			if sizes[part.Partition] = part.To - part.From; part.To != c.ends[part.Partition] {
				t.Errorf("%d to %d: %+v", c.starts, c.ends, part)
			}
		}
		for p := range sizes {
			if sizes[p] != c.sizes[p] {
				t.Errorf("%d to %d: %d, want %d", c.starts, c.ends, sizes, c.sizes)
			}
		}
		few, n := Sample{Records: 100, Partitions: 2}.newest(c.starts, c.ends), int64(0)
		for _, part := range few {
			n += part.To - part.From
		}
		if len(few) > 2 || n > 100 {
			t.Errorf("of two partitions of %d to %d: %+v", c.starts, c.ends, few)
		}
	}
}
