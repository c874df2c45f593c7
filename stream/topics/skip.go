package topics

import "slices"

// SkipRange passes records From to To (both included) of an input partition by, once.
type SkipRange struct {
	Partition int32 `json:"partition"`
	From      int64 `json:"from"`
	To        int64 `json:"to"`
}

// SkipTo is the first offset at or above this one that no range covers; ranges are taken in their order.
func SkipTo(ranges []SkipRange, partition int32, offset int64) int64 {
	for _, s := range ranges {
		if s.Partition == partition && s.From <= offset && offset <= s.To {
			offset = s.To + 1
		}
	}
	return offset
}

// Skips reports whether a range covers an offset.
func Skips(ranges []SkipRange, partition int32, offset int64) bool {
	return SkipTo(ranges, partition, offset) != offset
}

// AddSkips returns the ranges with those of more that are not among them.
func AddSkips(ranges, more []SkipRange) []SkipRange {
	out := slices.Clone(ranges)
	for _, s := range more {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
