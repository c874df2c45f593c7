package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// The errors of a file, wrapped in an *Error.
var (
	ErrFormat   = errors.New("unknown format")       // neither --format nor the ending determines it
	ErrTooLong  = errors.New("the line is too long") // over MaxLine bytes
	ErrEmpty    = errors.New("the file is empty")
	ErrFirstRow = errors.New("the first row cannot be used")       // of csv: it is missing or malformed
	ErrNotLines = errors.New("this is not one object on a line")   // a .json file of one array or object
	ErrOnce     = errors.New("this can be read only once")         // Rewind of standard input or a pipe
	ErrPacked   = errors.New("the compressed data cannot be read") // gzip, zstd or bzip2: truncated or damaged
	ErrNotText  = errors.New("this is no text")                    // a packing or a format that is not read
)

var errFolder = errors.New("this is a folder: name a file in it")

// Error says where something is wrong, and what to do about it.
type Error struct {
	Path string // as given to Open, or the name given to From
	Line int    // from 1; 0 for the whole file
	Err  error
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.Path, e.Err)
	}
	return fmt.Sprintf("%s:%d: %v", e.Path, e.Line, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// opening returns an error of os.Open.
func opening(path string, err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		err = p.Err // Error has the path
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: check the path", err)
	}
	return &Error{Path: path, Err: err}
}

// reading returns an error of the next line; io.EOF as it is.
func (s *File) reading(err error) error {
	var known *Error
	if errors.Is(err, io.EOF) || errors.As(err, &known) {
		return err
	}
	var p *os.PathError
	if errors.As(err, &p) {
		err = p.Err
	} else if s.packed {
		err = fmt.Errorf("%w (%w): it is truncated or damaged, get it again", ErrPacked, err)
	}
	return &Error{Path: s.path, Line: s.read + 1, Err: err}
}
