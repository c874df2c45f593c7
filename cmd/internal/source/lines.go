package source

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

var byteOrderMark = []byte("\xef\xbb\xbf") // U+FEFF in UTF-8

// value reads the next line or row, without its end.
func (s *File) value() ([]byte, error) {
	s.first = s.read + 1
	line, err := s.line()
	if err != nil {
		return nil, err
	}
	if len(line) > 0 && line[0] == byteOrderMark[0] { // of the file, or of one that was appended to it
		line = bytes.TrimPrefix(line, byteOrderMark)
	}
	if s.rows != nil && s.rows.Begin(line) {
		line, err = s.join(line)
		if err != nil {
			return nil, err
		}
	}
	if line = trimEnd(line); len(line) > MaxLine {
		return nil, s.tooLong()
	}
	if s.refused != nil {
		s.refused = nil
	}
	if s.charset != nil {
		line, s.refused = s.undecoded(line)
	}
	return line, nil
}

// bufferBytes is the size of a read.
const bufferBytes = 128 << 10

// line reads the next line with its end, which the last one may lack.
func (s *File) line() (line []byte, err error) {
	switch {
	case len(s.back) > 0:
		n := bytes.IndexByte(s.back, '\n') + 1
		if n == 0 {
			n = len(s.back)
		}
		line, s.back = s.back[:n], s.back[n:]
	case s.later != nil:
		return nil, s.later
	default:
		s.back = nil
		if line, err = s.fileLine(); err != nil {
			return nil, err
		}
	}
	s.read++
	if s.taping {
		s.tape = append(s.tape, line...)
	}
	return line, nil
}

// fileLine reads the next line of the file.
func (s *File) fileLine() ([]byte, error) {
	if s.plain != nil {
		if err := s.decodeText(); err != nil {
			return nil, err
		}
	}
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
	if s.charset != nil {
		part = s.decodeLine(part)
	}
	return part, nil
}

func (s *File) tooLong() error {
	return s.fault(fmt.Errorf("%w: over %d bytes; are all line ends still there?", ErrTooLong, MaxLine))
}

func (s *File) fault(err error) error { return &Error{Path: s.path, Line: s.first, Err: err} }

// trimEnd removes one line end: LF, CRLF or, on the last line, CR.
func trimEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}
