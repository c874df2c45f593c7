package checkpoint

import (
	"fmt"
	"iter"
	"math"
)

// Section is named bytes to save.
type Section struct {
	Name string // 1 to 64 ASCII letters, digits, '.', '_' and '-'; unique in a file
	Size int64  // bytes
	// Append appends the bytes from..to to dst. Save calls it in ascending order, once for each byte that it writes.
	Append func(dst []byte, from, to int64) ([]byte, error)
	// Changed yields the ranges from..to outside of which the section is as it was when the Base was saved, in
	// ascending order and without overlap. nil means all of it.
	Changed iter.Seq2[int64, int64]
}

// Bytes is a section of bytes in memory.
func Bytes(name string, data []byte) Section {
	return Section{Name: name, Size: int64(len(data)), Append: func(dst []byte, from, to int64) ([]byte, error) {
		return append(dst, data[from:to]...), nil
	}}
}

// whole makes all of a section changed.
func (s Section) whole() Section {
	s.Changed = func(yield func(from, to int64) bool) {
		if s.Size > 0 {
			yield(0, s.Size)
		}
	}
	return s
}

// pieces yields the pieces that hold what has changed.
func (s *Section) pieces(yield func(from, to int64) bool) {
	var from, to int64 // not yet yielded
	for a, b := range s.Changed {
		if a != to {
			if from < to && !yield(from, to) {
				return
			}
			from = a
		}
		for to = b; to-from >= maxPiece; from += maxPiece {
			if !yield(from, from+maxPiece) {
				return
			}
		}
	}
	if from < to {
		yield(from, to)
	}
}

// plan counts the pieces of a section and their bytes in a file. It refuses ranges that make no pieces.
func (s *Section) plan() (pieces uint32, bytes int64, err error) {
	end, count := int64(0), int64(0)
	for from, to := range s.Changed {
		if from < end || to <= from || to > s.Size {
			return 0, 0, fmt.Errorf("section %s: bytes %d to %d changed after byte %d of %d", s.Name, from, to, end,
				s.Size)
		}
		end = to
	}
	for from, to := range s.pieces {
		count++
		bytes += pieceHead + to - from + sumSize
	}
	if count > math.MaxUint32 {
		return 0, 0, fmt.Errorf("section %s has %d pieces", s.Name, count)
	}
	return uint32(count), bytes, nil
}
