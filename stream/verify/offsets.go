package verify

import (
	"maps"
	"slices"
)

// offsets is a set of offsets, 64 to a word.
type offsets map[int64]uint64

// add puts an offset in; false when it was there.
func (s offsets) add(offset int64) bool {
	word, bit := offset>>6, uint64(1)<<(offset&63)
	if s[word]&bit != 0 {
		return false
	}
	s[word] |= bit
	return true
}

// take takes an offset out; false when it was not there.
func (s offsets) take(offset int64) bool {
	word, bit := offset>>6, uint64(1)<<(offset&63)
	if len(s) == 0 || s[word]&bit == 0 {
		return false
	}
	if s[word] &^= bit; s[word] == 0 {
		delete(s, word)
	}
	return true
}

func (s offsets) sorted() (out []int64) {
	for _, word := range slices.Sorted(maps.Keys(s)) {
		for bit := range int64(64) {
			if s[word]&(1<<bit) != 0 {
				out = append(out, word<<6+bit)
			}
		}
	}
	return out
}
