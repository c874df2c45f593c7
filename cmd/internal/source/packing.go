package source

import (
	"bufio"
	"compress/bzip2"
	"errors"
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

// packing is a way in which files are compressed. It is told by their first bytes, whatever the file is called.
type packing struct {
	ending string
	begins string // the first bytes, ? for any one
	open   func(io.Reader) (io.ReadCloser, error)
}

var packings = []packing{
	{".gz", "\x1f\x8b", gunzip}, {".zst", "\x28\xb5\x2f\xfd", unzstd}, {".bz2", "BZh?1AY&SY", bunzip},
}

func gunzip(r io.Reader) (io.ReadCloser, error) {
	z, err := gzip.NewReader(r)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF // gzip files are not empty
	}
	return z, err
}

func unzstd(r io.Reader) (io.ReadCloser, error) {
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1)) // without goroutines
	if err != nil {
		return nil, err
	}
	return z.IOReadCloser(), nil
}

func bunzip(r io.Reader) (io.ReadCloser, error) { return io.NopCloser(bzip2.NewReader(r)), nil }

// others are files that people have instead of text, and what to do about them.
var others = []struct{ begins, text string }{
	{"\xfd7zXZ\x00", "xz packed it: unpack it with xz -d"},
	{"\x04\x22\x4d\x18", "lz4 packed it: unpack it with lz4 -d"},
	{"7z\xbc\xaf\x27\x1c", "7-Zip packed it: unpack it, and name the file in it"},
	{"PK\x03\x04", "it is a zip archive: unpack it, and name the file in it; save a sheet of Excel as csv"},
	{"\xd0\xcf\x11\xe0", "it is of Excel: save the sheet as csv"},
	{"PAR1\x15", "it is of Parquet: write it as csv or as lines of json"},
	{"Obj\x01", "it is of Avro: --format avro reads it"},
	{"\x89HDF", "it is of HDF5: write it as csv"},
}

// byEnding returns the ending of a packed file or "", and the path without it.
func byEnding(path string) (packed, rest string) {
	ending := filepath.Ext(path)
	for _, p := range packings {
		if strings.EqualFold(ending, p.ending) {
			return p.ending, strings.TrimSuffix(path, ending)
		}
	}
	return "", path
}

// unpacked reads what is in a file. It finds the packing when it is first read, because standard input may have
// nothing yet.
type unpacked struct {
	file *File
	from io.Reader // nil before
	err  error     // of the first bytes
}

// Read implements io.Reader.
func (u *unpacked) Read(p []byte) (int, error) {
	if u.from == nil && u.err == nil {
		u.from, u.err = u.file.unpack()
	}
	if u.err != nil {
		return 0, u.err
	}
	return u.from.Read(p)
}

// unpack returns what is in the file.
func (s *File) unpack() (io.Reader, error) {
	in := bufio.NewReaderSize(s.from, 16<<10) // a plain file is read past it
	if err := notText(in, s.path); err != nil && s.format.Name != event.Avro {
		return nil, err
	}
	//mutation:packed-by-content
	at := slices.IndexFunc(packings, func(p packing) bool { return begins(in, p.begins) })
	if at < 0 {
		at = slices.IndexFunc(packings, func(p packing) bool { return p.ending == s.ending })
	}
	if s.packed = at >= 0; !s.packed {
		return in, nil
	}
	z, err := packings[at].open(in)
	if err != nil {
		return nil, err
	}
	s.unpacker = z
	return z, nil
}

// notText returns an error that names what is no text; nil for anything else.
func notText(in *bufio.Reader, path string) error {
	for _, o := range others {
		if begins(in, o.begins) {
			return &Error{Path: path, Err: fmt.Errorf("%w, %s", ErrNotText, o.text)}
		}
	}
	return nil
}

// unknown returns the error of a file whose name determines no format: err, or what the file shows.
func unknown(path string, err error) error {
	if file, failed := os.Open(path); failed == nil {
		defer func() { _ = file.Close() }() // it is only read
		if found := notText(bufio.NewReader(file), path); found != nil {
			return found
		}
	}
	return &cli.UsageError{Err: &Error{Path: path, Err: err}}
}

// begins reports whether a file begins with these bytes. It reads no further than they are the same, because another
// program may be writing the next line.
func begins(in *bufio.Reader, with string) bool {
	for n := range len(with) {
		head, _ := in.Peek(n + 1) // the next read has the error
		if len(head) <= n || head[n] != with[n] && with[n] != '?' {
			return false
		}
	}
	return true
}
