package source

import (
	"bytes"

	"rosenblatt/stream/event"
)

// ahead is a value that was read before it is returned.
type ahead struct {
	line  int // its first
	text  []byte
	fault *event.Error
}

// Ahead returns the first n values that Next and Lines have not yet returned, fewer at the end of the file or before an
// error, which Next returns in its place. They stay valid.
func (s *File) Ahead(n int) [][]byte {
	waiting := s.ahead
	for s.ahead = nil; len(waiting) < n; {
		value, err := s.Next()
		if err != nil {
			break
		}
		waiting = append(waiting, ahead{s.first, bytes.Clone(value), s.Fault()})
	}
	s.ahead = waiting
	values := make([][]byte, min(n, len(waiting)))
	for i := range values {
		values[i] = waiting[i].text
	}
	return values
}
