// Package source reads files of examples line by line, as the values that records of a topic would have.
//
// Open finds a file's format by its ending or by what --format says, and unpacks .gz and .zst. Next then gives one
// value after the other, unparsed: what is in a value is for stream/decode to judge, so that a broken line in a file is
// rejected just as it would be in a topic. Only what makes it impossible to tell the values apart is an error here,
// with file and line.
//
// The header row of a csv file is no value; Columns gives its names, which is what --columns wants.
package source

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/event"
)

// MaxLine is the length in bytes that a value may have. It is far over what a broker takes by default.
const MaxLine = 16 << 20

// File is a file of examples that is being read. Open and From make one. Not for use by several goroutines at once.
type File struct {
	path    string
	format  event.Format
	packed  string // ".gz", ".zst" or ""
	doubted bool   // a .json file whose first value is yet to show that it is one object on a line
	from    io.Reader
	file    *os.File // nil when it is not ours to close and rewind
	unpack  io.Closer
	in      *bufio.Reader
	columns []string
	read    int    // lines read so far
	first   int    // the last value's first line
	long    []byte // a line longer than in's buffer
	row     []byte // a csv row of several lines
	ends    []int  // scratch of Lines
	err     error  // why there is no more
}

// Open starts reading the file at path. The format is the name of one of event.Formats, or "" for the format that has
// the path's ending, before a .gz or .zst. "-" is standard input, which needs a format and is not unpacked. The header
// row of a table is read at once. Every error is an *Error; an unknown format is a usage error, too.
func Open(path, format string, stdin io.Reader) (*File, error) {
	if path == "-" {
		return From(stdin, "standard input", format)
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, &Error{Path: path, Err: errFolder}
	}
	f, err := choose(path, format)
	if err != nil {
		return nil, &cli.UsageError{Err: &Error{Path: path, Err: err}}
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, opening(path, err)
	}
	packed, left := packing(path)
	s := &File{path: path, format: f, packed: packed, from: file, file: file}
	s.doubted = f.Name == event.JSON && strings.EqualFold(filepath.Ext(left), ".json")
	if err := s.begin(); err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// From reads r instead of a file; name is its name in errors. The format must be given.
func From(r io.Reader, name, format string) (*File, error) {
	f, err := choose("", format)
	if err != nil {
		return nil, &cli.UsageError{Err: &Error{Path: name, Err: err}}
	}
	s := &File{path: name, format: f, from: r}
	if err := s.begin(); err != nil {
		return nil, err
	}
	return s, nil
}

// begin sets the source up at its start.
func (s *File) begin() error {
	s.read, s.first, s.err = 0, 0, nil
	plain, err := s.unpacked()
	if err != nil {
		return s.reading(err)
	}
	if s.in == nil {
		s.in = bufio.NewReaderSize(nil, bufferBytes)
	}
	s.in.Reset(plain)
	if s.format.Cells != nil {
		return s.header()
	}
	return nil
}

func (s *File) unpacked() (io.Reader, error) {
	s.release()
	switch s.packed {
	case ".gz":
		z, err := gzip.NewReader(s.from)
		if err == io.EOF {
			err = io.ErrUnexpectedEOF // an empty file is no gzip file
		}
		if err != nil {
			return nil, err
		}
		s.unpack = z
		return z, nil
	case ".zst":
		z, err := zstd.NewReader(s.from, zstd.WithDecoderConcurrency(1)) // no goroutines of its own
		if err != nil {
			return nil, err
		}
		s.unpack = z.IOReadCloser()
		return z, nil
	}
	return s.from, nil
}

// header reads a csv file's first row.
func (s *File) header() error {
	row, err := s.Next()
	if err == io.EOF {
		return &Error{Path: s.path, Err: fmt.Errorf("%w: the first row must name the columns", ErrNoHeader)}
	}
	if err != nil {
		return err
	}
	names, err := s.format.Cells(append(bytes.Clone(row), "\r\n"...))
	if err != nil {
		err = fmt.Errorf("%w: the first row must name the columns (%w)", ErrNoHeader, err)
		return &Error{Path: s.path, Line: s.first, Err: err}
	}
	s.columns = names
	return nil
}

// Next gives the next value: a line without its end, or in csv a row, which may hold line ends between quotes. Empty
// lines and lines of spaces are passed over. At the end the error is io.EOF, else an *Error; after an error nothing
// more comes. The memory is used again by the following call.
func (s *File) Next() ([]byte, error) {
	for s.err == nil {
		value, err := s.value()
		if err != nil {
			s.err = s.reading(err)
			break
		}
		text := bytes.Trim(value, " \t")
		if len(text) == 0 {
			continue
		}
		if s.doubted && (text[0] == '[' || string(text) == "{") {
			s.err = s.fault(fmt.Errorf("%w: make it so with jq -c . or, if it is an array, jq -c '.[]'", ErrNotLines))
			break
		}
		s.doubted = false
		return value, nil
	}
	return nil, s.err
}

// Lines gives values at a stroke, if the next ones are plain: whole lines that are in the buffer, neither begin with a
// blank nor end with a CR, and in csv have no quotes. They lie in text, and ends are the offsets of the line feeds
// behind each. There are no more than most, and text is no longer than room. None means no more than that Next is to be
// called. The memory is used again by the following call.
func (s *File) Lines(most, room int) (text []byte, ends []int) {
	if s.read == 0 || s.doubted || s.err != nil {
		return nil, nil
	}
	ahead, err := s.in.Peek(min(s.in.Buffered(), room))
	if err != nil {
		return nil, nil // it cannot be: so much is there
	}
	if s.format.Quoted {
		if quote := bytes.IndexByte(ahead, '"'); quote >= 0 {
			ahead = ahead[:quote]
		}
	}
	s.ends = s.ends[:0]
	from := 0
	for len(s.ends) < most {
		n := bytes.IndexByte(ahead[from:], '\n')
		if n < 1 || ahead[from] <= ' ' || ahead[from+n-1] == '\r' {
			break
		}
		s.ends = append(s.ends, from+n)
		from += n + 1
	}
	_, _ = s.in.Discard(from) // so much is there
	s.read += len(s.ends)
	s.first = s.read
	return ahead[:from], s.ends
}

// Packed tells whether the file is being unpacked.
func (s *File) Packed() bool { return s.packed != "" }

// Taken is how far a file was read, in bytes of the file as it is, packed or not: somewhat farther than what Next gave.
// It is 0 for what is no file of its own.
func (s *File) Taken() int64 {
	if s.file == nil {
		return 0
	}
	n, err := s.file.Seek(0, io.SeekCurrent)
	if err != nil { // a pipe has no place
		return 0
	}
	return n
}

// Line is the number of the line, counted from 1, on which the last value begins. In a file that is read again it
// begins anew.
func (s *File) Line() int { return s.first }

// Columns are the names in the header row of a csv file, nil in every other format. The caller may keep them.
func (s *File) Columns() []string { return slices.Clone(s.columns) }

// Format is the source's format, one of event.Formats.
func (s *File) Format() string { return s.format.Name }

// Rewind starts over at the first value. What is no file can be read only once: ErrOnce.
func (s *File) Rewind() error {
	once := &Error{Path: s.path, Err: fmt.Errorf("%w: to repeat it, save it to a file first", ErrOnce)}
	if s.file == nil {
		return once
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil { // a pipe with a name
		return once
	}
	return s.begin()
}

// Close gives the file back. Standard input and the reader given to From stay open.
func (s *File) Close() error {
	s.release()
	s.err = os.ErrClosed
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

func (s *File) release() {
	if s.unpack != nil {
		_ = s.unpack.Close() // all that it can say was said when it was read
		s.unpack = nil
	}
}
