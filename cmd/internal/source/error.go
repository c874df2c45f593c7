package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// What can be wrong with a source. Every error of this package but io.EOF is an *Error that wraps one of these, or what
// the operating system or the unpacker said.
var (
	ErrFormat    = errors.New("unknown format")                   // neither --format nor the ending tells it
	ErrTooLong   = errors.New("the line is too long")             // over MaxLine bytes
	ErrOpenQuote = errors.New("a quoted field is never closed")   // csv: up to the end of the file
	ErrNoHeader  = errors.New("there is no header row")           // csv: an empty file, or a first row that is none
	ErrNotLines  = errors.New("this is not one object on a line") // a .json file that is one big array or object
	ErrOnce      = errors.New("this can be read only once")       // Rewind of what is no file
	ErrPacked    = errors.New("the packed data cannot be read")   // gzip or zstd: cut off or damaged
)

var errFolder = errors.New("this is a folder: name a file in it")

// Error says where in which source something is wrong, and what to do about it.
type Error struct {
	Path string // the source as it was named
	Line int    // counted from 1; 0 when it is about the whole source
	Err  error
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.Path, e.Err)
	}
	return fmt.Sprintf("%s:%d: %v", e.Path, e.Line, e.Err)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// opening explains why a file could not be opened.
func opening(path string, err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		err = p.Err // Error names the path already
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: check the path", err)
	}
	return &Error{Path: path, Err: err}
}

// reading explains why the line after line number `line` could not be read. The end of the source is no error.
func (s *File) reading(err error) error {
	var known *Error
	if err == io.EOF || errors.As(err, &known) {
		return err
	}
	var p *os.PathError
	if errors.As(err, &p) {
		err = p.Err
	} else if s.packed != "" {
		err = fmt.Errorf("%w (%w): it is cut off or damaged, get it again", ErrPacked, err)
	}
	return &Error{Path: s.path, Line: s.read + 1, Err: err}
}
