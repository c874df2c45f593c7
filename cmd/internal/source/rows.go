package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"rosenblatt/stream/event"
)

// maxRowLines is how many lines a row may have. A quote that does not close within them is taken for a mistake of its
// line alone.
const maxRowLines = 100

// join reads the lines of a row that goes on after its first line. If no row comes of them, the first line is one, for
// the decoder to reject, and the others are read again.
func (s *File) join(line []byte) ([]byte, error) {
	s.row = append(s.row[:0], line...)
	first := len(line)
	for n := 1; ; n++ {
		line, err := s.line()
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		s.row = append(s.row, line...)
		more, wrong := false, true
		if err == nil && n < maxRowLines && len(s.row) <= MaxLine {
			more, wrong = s.rows.More(line)
		}
		//mutation:lone-quote
		if wrong {
			s.unread(s.row[first:], s.first)
			return s.row[:first], nil
		}
		if !more {
			s.span()
			return s.row, nil
		}
	}
}

// unread has lines read again after line number last.
func (s *File) unread(lines []byte, last int) {
	if s.taping {
		s.tape = s.tape[:len(s.tape)-len(lines)]
	}
	s.back = append(bytes.Clone(lines), s.back...)
	s.read = last
}

// peek returns the next rows, without their ends, which are still to be read: one, and up to most of those that are in
// memory.
func (s *File) peek(most int) (rows [][]byte) {
	last, first := s.read, s.first
	s.tape, s.taping = s.tape[:0], true
	for len(rows) < most && (len(rows) == 0 || len(s.back) > 0 || s.in.Buffered() > 0) {
		row, err := s.skipBlank()
		if err != nil {
			s.later = err
			break
		}
		rows = append(rows, bytes.Clone(row))
	}
	s.taping = false
	tape := s.tape
	s.tape = nil
	s.unread(tape, last)
	s.first = first
	return rows
}

// skipBlank reads the next row that is not blank.
func (s *File) skipBlank() (row []byte, err error) {
	for err == nil && len(bytes.Trim(row, s.table.BlankBytes())) == 0 {
		row, err = s.value()
	}
	return row, err
}

// notedSpans is how many rows of several lines are noted one by one.
const notedSpans = 3

// span notes a row of several lines. Most often a text has line ends, but where quotes are characters, such a row
// swallows others.
func (s *File) span() {
	if s.taping || s.options.Note == nil {
		return
	}
	s.spans++
	remedy := "--quote none takes quotes as characters"
	switch whole := !s.swallowed && s.whole(); {
	case whole:
		s.swallowed = true
		//mutation:swallowed-rows
		remedy = "each of these has as many cells as there are columns: are quotes characters there? Then say " + remedy
	case s.spans > notedSpans:
		return
	}
	s.options.Note(fmt.Sprintf("%s:%d: a cell spans lines %d to %d; %s", s.path, s.first, s.first, s.read, remedy))
}

// whole reports whether each line of the row would be one of its own if quotes were characters.
func (s *File) whole() bool {
	plain := s.table.Dialect
	plain.Quote = event.NoQuote
	for line := range bytes.Lines(s.row) {
		if cells, err := plain.Cells(line); err != nil || len(cells) != len(s.table.Columns) {
			return false
		}
	}
	return true
}

// noteSpans says at the end how many rows have several lines.
func (s *File) noteSpans() {
	if s.spans > notedSpans && s.options.Note != nil {
		s.options.Note(fmt.Sprintf("%s: %d rows have a cell that spans lines", s.path, s.spans))
	}
}
