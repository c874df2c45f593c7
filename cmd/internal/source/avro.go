package source

import (
	"errors"
	"io"

	"rosenblatt/stream/avro"
)

// beginAvro reads the header of a container file of Avro, whose objects are the values.
func (s *File) beginAvro() error {
	objects, err := avro.NewContainer(s.in)
	if err != nil {
		return s.reading(err)
	}
	s.objects, s.table.Schema = objects, objects.Schema()
	return nil
}

// object is Next for a container file.
func (s *File) object() ([]byte, error) {
	if s.err != nil {
		return nil, s.err
	}
	value, err := s.objects.Next()
	switch {
	case err == nil:
		s.read++
		s.first = s.read
		return value, nil
	case errors.Is(err, io.EOF):
		s.err = io.EOF
	default:
		s.first = s.read + 1
		s.err = s.fault(err)
	}
	return nil, s.err
}
