// Package source reads files of examples as the values that records of a topic would have.
//
// Open chooses the format by the file's ending or by name, and decompresses gzip, zstd and bzip2. Next does not parse
// values, so that the decoder (stream/event) rejects a malformed line as it would in a topic. Only what prevents
// splitting the file into values is an error here.
//
// The header row of a csv file is not a value: see Table.
package source

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/avro"
	"rosenblatt/stream/event"
)

// MaxLine is the maximum length of a value in bytes.
const MaxLine = 16 << 20

// File is an open file of examples. It serves one goroutine at a time.
type File struct {
	path      string
	options   Options
	format    event.Format
	ending    string // that of a packed file, as packing.ending, or ""
	packed    bool
	check     bool // a .json file: the first value must be an object on one line
	from      io.Reader
	file      *os.File // nil if the caller owns from
	unpacker  io.Closer
	in        *bufio.Reader
	table     Table
	notes     []string
	ahead     []ahead              // values that are still to be returned
	arff      *arff                // what the header of such a file says
	objects   *avro.Container      // of an Avro file; nil of another one
	refused   *event.Error         // Fault: by its header or its encoding
	body      int                  // of a table, the line before its first event
	rows      *event.Rows          // nil if each line is a value
	spans     int                  // rows of several lines
	swallowed bool                 // one of them is noted whose lines would be rows
	charset   *event.Charset       // of the text; nil: UTF-8
	decoded   []byte               // a line in UTF-8
	lacking   map[int]*event.Error // lines that are still to be returned, and what the charset lacks of them
	plain     io.Reader            // of what is not decoded yet; nil once it is
	read      int                  // lines read
	first     int                  // the last value's first line
	long      []byte               // a line longer than in's buffer
	row       []byte               // a row of several lines
	back      []byte               // lines that were read and are to be read again
	tape      []byte               // the lines read while taping
	taping    bool
	later     error // the end behind back
	ends      []int // scratch of Lines
	err       error // the end
}

// Options says how a file is read.
type Options struct {
	Format string // one of Formats; empty: by the ending of the file's name
	// Usual is the format where neither Format nor the ending says it; empty: that is an error.
	Usual string

	Dialect event.Dialect // of a table
	// DelimiterGiven says that the delimiter of Dialect is meant; else it is a tab for .tsv, or what the first rows
	// show.
	DelimiterGiven bool
	NoHeader       bool // the first row of a table is an event
	// Columns are the names of the columns, with NoHeader or in place of a header that has not one for each cell. If
	// they are empty, the header names them, or they are c1, c2 ...
	Columns []string

	Encoding string // of the text, a name as event.FindEncoding takes it; empty: UTF-8, or UTF-16 with its mark

	// Note is called, while the file is read, with what may be wrong with it; nil if nobody wants to know.
	Note func(text string)
}

// Open opens the file at path, and reads the first row of a table. The path "-" means standard input, which needs a
// format. Errors are an *Error; that of an unknown format is a *cli.UsageError too.
func Open(path string, o Options, stdin io.Reader) (*File, error) {
	if path == "-" {
		return From(stdin, "standard input", o)
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, &Error{Path: path, Err: errFolder}
	}
	f, err := choose(path, o.Format, o.Usual)
	if err != nil {
		return nil, unknown(path, err)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, opening(path, err)
	}
	packed, left := byEnding(path)
	s := &File{path: path, options: o, format: f, ending: packed, from: file, file: file}
	s.check = f.Name == event.JSON && strings.EqualFold(filepath.Ext(left), ".json")
	if err := s.begin(); err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// From is Open for a reader, with a name for errors.
func From(r io.Reader, name string, o Options) (*File, error) {
	f, err := choose("", o.Format, o.Usual)
	if err != nil {
		return nil, &cli.UsageError{Err: &Error{Path: name, Err: err}}
	}
	s := &File{path: name, options: o, format: f, from: r}
	if err := s.begin(); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *File) begin() error {
	s.read, s.first, s.spans, s.err, s.later, s.back, s.ahead = 0, 0, 0, nil, nil, nil, nil
	s.lacking, s.refused = nil, nil
	s.release()
	if s.in == nil {
		s.in = bufio.NewReaderSize(nil, bufferBytes)
	}
	s.plain = &unpacked{file: s}
	s.in.Reset(s.plain)
	if s.format.Name == event.Avro {
		return s.beginAvro()
	}
	if s.file == nil && s.format.Cells == nil && s.format.Name != ARFF { // what is written to it may begin later
		return nil
	}
	if err := s.decodeText(); err != nil {
		return s.reading(err)
	}
	switch {
	case s.format.Cells != nil:
		return s.beginTable()
	case s.format.Name == ARFF:
		return s.beginARFF()
	}
	return nil
}

// Next returns the next value: a line without its end, or in csv a row, which may have line ends between quotes. It
// skips blank lines and comments. At the end the error is io.EOF, else an *Error, and so for all further calls. The
// value is valid until the next call of Next or Lines.
func (s *File) Next() ([]byte, error) {
	if len(s.ahead) > 0 {
		next := s.ahead[0]
		s.ahead, s.first, s.refused = s.ahead[1:], next.line, next.fault
		return next.text, nil
	}
	if s.objects != nil {
		return s.object()
	}
	for s.err == nil {
		value, err := s.value()
		if err != nil {
			s.err = s.reading(err)
			s.noteSpans()
			break
		}
		text := value
		if len(value) == 0 || value[0] <= ' ' || s.check || s.arff != nil { // blanks before or behind it may matter
			text = bytes.Trim(value, s.table.BlankBytes())
		}
		//mutation:comment-lines
		if len(text) == 0 || s.comment(text) {
			continue
		}
		if s.check && (text[0] == '[' || string(text) == "{") {
			s.err = s.fault(fmt.Errorf("%w: convert it with jq -c . or, if it is an array, jq -c '.[]'", ErrNotLines))
			break
		}
		s.check = false
		if s.arff != nil {
			why := s.refused
			value = s.arff.event(text)
			s.refused = cmp.Or(why, s.arff.fault)
		}
		return value, nil
	}
	return nil, s.err
}

// comment reports whether a line without blanks before it is a comment.
func (s *File) comment(line []byte) bool {
	return s.format.Comment != "" && bytes.HasPrefix(line, []byte(s.format.Comment))
}

// Lines returns several values at once if the next ones are simple: complete lines in the buffer that do not begin with
// a blank, in csv complete rows. ends are the offsets in text of the line feeds; a CR before one is not part of the
// value. There are at most most values and room bytes. If there are none, the caller must use Next. They are valid
// until the next call.
func (s *File) Lines(most, room int) (text []byte, ends []int) {
	if s.read == 0 || s.check || s.arff != nil || s.objects != nil || s.err != nil || s.back != nil ||
		s.charset != nil || len(s.ahead) > 0 {
		return nil, nil
	}
	ahead, _ := s.in.Peek(min(s.in.Buffered(), room)) // it is buffered
	s.ends = s.ends[:0]
	from := 0
	for len(s.ends) < most {
		n := bytes.IndexByte(ahead[from:], '\n')
		if n < 1 || ahead[from] <= ' ' || ahead[from] == byteOrderMark[0] ||
			s.rows != nil && s.rows.Begin(ahead[from:from+n]) || s.comment(ahead[from:]) {
			break
		}
		s.ends = append(s.ends, from+n)
		from += n + 1
	}
	_, _ = s.in.Discard(from) // it is buffered
	s.read += len(s.ends)
	s.first = s.read
	return ahead[:from], s.ends
}

// Packed reports whether the file is compressed.
func (s *File) Packed() bool { return s.packed }

// Taken returns how many bytes of the file were read, compressed or not, with those that are buffered; 0 if unknown.
func (s *File) Taken() int64 {
	if s.file == nil {
		return 0
	}
	n, err := s.file.Seek(0, io.SeekCurrent)
	if err != nil { // a pipe
		return 0
	}
	return n
}

// Line returns the number, from 1, of the last value's first line; of an Avro file, that of the object.
func (s *File) Line() int { return s.first }

// Format returns the name of the format of the values.
func (s *File) Format() string {
	if s.format.Name == ARFF {
		return event.JSON
	}
	return s.format.Name
}

// FileFormat returns the name of the format of the file, as in Options.
func (s *File) FileFormat() string { return s.format.Name }

// Rewind continues at the first value. The error wraps ErrOnce unless this is a regular file.
func (s *File) Rewind() error {
	once := &Error{Path: s.path, Err: fmt.Errorf("%w: to repeat it, save it to a file first", ErrOnce)}
	if s.file == nil {
		return once
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil { // a named pipe
		return once
	}
	return s.begin()
}

// Close closes the file, but not standard input or the reader given to From.
func (s *File) Close() error {
	s.release()
	s.err = os.ErrClosed
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

func (s *File) release() {
	if s.unpacker != nil {
		_ = s.unpacker.Close() // it was only read
		s.unpacker = nil
	}
}
