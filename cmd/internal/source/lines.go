package source

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// value reads the next line or row, without its end.
func (s *File) value() ([]byte, error) {
	s.first = s.read + 1
	line, err := s.line()
	if err != nil {
		return nil, err
	}
	if s.first == 1 {
		line = bytes.TrimPrefix(line, byteOrderMark)
	}
	if s.format.Quoted && openQuote(line, s.delimiter(), false) {
		line, err = s.join(line)
		if err != nil {
			return nil, err
		}
	}
	if line = trimEnd(line); len(line) > MaxLine {
		return nil, s.tooLong()
	}
	return line, nil
}

// bufferBytes is the size of a read.
const bufferBytes = 128 << 10

// join reads until the quoted field that is open after line is closed.
func (s *File) join(line []byte) ([]byte, error) {
	s.row = append(s.row[:0], line...)
	for open := true; open; {
		if len(s.row) > MaxLine {
			return nil, s.tooLong()
		}
		line, err := s.line()
		if errors.Is(err, io.EOF) {
			return nil, s.fault(fmt.Errorf("%w: close the quote in this row, and double quotes in the text",
				ErrOpenQuote))
		}
		if err != nil {
			return nil, err
		}
		s.row = append(s.row, line...)
		open = openQuote(line, s.delimiter(), true)
	}
	return s.row, nil
}

// line reads the next line with its end, which the last one may lack.
func (s *File) line() ([]byte, error) {
	part, err := s.in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		s.long = s.long[:0]
		for errors.Is(err, bufio.ErrBufferFull) {
			if s.long = append(s.long, part...); len(s.long) > MaxLine+len("\r\n") {
				return nil, s.tooLong()
			}
			part, err = s.in.ReadSlice('\n')
		}
		s.long = append(s.long, part...)
		part = s.long
	}
	if errors.Is(err, io.EOF) && len(part) > 0 {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	s.read++
	return part, nil
}

func (s *File) tooLong() error {
	do := "are all line ends still there?"
	if s.format.Quoted {
		do = "is a quote open that never closes?"
	}
	return s.fault(fmt.Errorf("%w: over %d bytes; %s", ErrTooLong, MaxLine, do))
}

func (s *File) fault(err error) error { return &Error{Path: s.path, Line: s.first, Err: err} }

// trimEnd removes one line end: LF, CRLF or, on the last line, CR.
func trimEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}

// openQuote reports whether a quoted field is open after b, given whether one is open before it. As in RFC 4180, a
// field that begins with a quote is quoted, and two quotes inside mean one.
func openQuote(b []byte, delimiter byte, open bool) bool {
	for at := 0; ; {
		next := bytes.IndexByte(b[at:], '"')
		if next < 0 {
			return open
		}
		quote := at + next
		at = quote + 1
		switch {
		case open && at < len(b) && b[at] == '"':
			at++
		case open:
			open = false
		default:
			open = quote == 0 || b[quote-1] == delimiter
		}
	}
}
