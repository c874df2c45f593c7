package schema

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// FileName is the name of a File in a folder of checkpoints.
const FileName = "schemas"

// fileHead is the first line of a file. A later version has another number.
const (
	fileHead = "rosenblatt schemas "
	version  = "2"
)

// File is what a model knows of schemas, beside its checkpoints: a first line, and a line for each entry. Entries are
// appended and made durable; of those with one key the last one counts. A crash may leave a part of what was appended
// last, on which nothing depends: it is cut off. One goroutine at a time uses it.
type File struct {
	Path string

	entries []Entry
	whole   int64 // bytes up to the end of the last sound line; 0 if there is no file
	rewrite bool  // an append failed: what the file holds behind whole, and whether that is durable, is not known
}

// Invalid is the error of a file that is damaged.
type Invalid struct {
	Path string
	Line int
	Err  error
}

func (e *Invalid) Error() string {
	return fmt.Sprintf("%s is not valid, line %d: %v", e.Path, e.Line, e.Err)
}

// Unwrap gives what is wrong.
func (e *Invalid) Unwrap() error { return e.Err }

// OpenFile reads the file of a folder. There need be none. Errors: *Invalid, or that of reading.
func OpenFile(dir string) (*File, error) { return openFile(filepath.Join(dir, FileName)) }

func openFile(path string) (*File, error) {
	f := &File{Path: path}
	text, err := os.ReadFile(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	return f, f.parse(text)
}

// Beside returns what the file of a folder holds.
func Beside(dir string) (*Known, error) { return readKnown(filepath.Join(dir, FileName)) }

// ExportName is the name of the file of schemas beside a checkpoint that was exported to a file.
func ExportName(checkpoint string) string { return checkpoint + "." + FileName }

// Of returns what is known to a checkpoint: in the file of its own, of one that was exported, else in that of its
// folder.
func Of(checkpoint string) (*Known, error) {
	own := ExportName(checkpoint)
	//mutation:exported-schemas
	if _, err := os.Stat(own); err == nil {
		return readKnown(own)
	}
	return Beside(filepath.Dir(checkpoint))
}

func readKnown(path string) (*Known, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	k := &Known{}
	return k, k.Load(f.entries)
}

// Entries returns what the file holds.
func (f *File) Entries() []Entry { return f.entries }

// parse reads the lines. What may be left of the last append is none: a last line that is not sound.
func (f *File) parse(text []byte) error {
	f.rewrite = true // until it is known to be sound
	for n := 1; len(text) > 0; n++ {
		line, rest, ended := bytes.Cut(text, []byte("\n"))
		var e Entry
		var err error
		switch found, head := strings.CutPrefix(string(line), fileHead); {
		case n > 1:
			e, err = ParseLine(line)
		case !head:
			err = errors.New("it is another file")
		case ended && found != version:
			return &Invalid{f.Path, n, fmt.Errorf("it is of version %q; this program has version %s", found, version)}
		}
		//mutation:torn-schema
		if len(rest) == 0 && (!ended || err != nil) {
			break
		}
		if err != nil {
			return &Invalid{f.Path, n, err}
		}
		if n > 1 {
			f.entries = append(f.entries, e)
		}
		f.whole += int64(len(line)) + 1
		text = rest
	}
	f.rewrite = false
	return nil
}

// Append makes entries durable. After an error the next one writes the whole file anew: what the one before has left is
// not relied upon.
func (f *File) Append(entries []Entry) (err error) {
	var text []byte
	if f.rewrite || f.whole == 0 {
		if err := f.writeAnew(append(f.entries[:len(f.entries):len(f.entries)], entries...)); err != nil {
			return err
		}
		f.entries = append(f.entries, entries...)
		return nil
	}
	for _, e := range entries {
		if text, err = e.AppendLine(text); err != nil {
			return err
		}
	}
	f.rewrite = true
	h, err := os.OpenFile(f.Path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	if err := h.Truncate(f.whole); err != nil {
		return err
	}
	if _, err := h.WriteAt(text, f.whole); err != nil {
		return err
	}
	if err := h.Sync(); err != nil {
		return err
	}
	f.rewrite, f.whole, f.entries = false, f.whole+int64(len(text)), append(f.entries, entries...)
	return nil
}

// Replace makes these what the file holds.
func (f *File) Replace(entries []Entry) error {
	if err := f.writeAnew(entries); err != nil {
		f.rewrite = true
		return err
	}
	f.entries = entries
	return nil
}

// writeAnew writes all entries to a file that takes the place of the one that is there.
func (f *File) writeAnew(entries []Entry) error {
	text := []byte(fileHead + version + "\n")
	var err error
	for _, e := range entries {
		if text, err = e.AppendLine(text); err != nil {
			return err
		}
	}
	dir := filepath.Dir(f.Path)
	h, err := os.CreateTemp(dir, FileName+".tmp-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(h.Name()) }() // it is gone after the rename
	_, err = h.Write(text)
	if err == nil {
		err = h.Sync()
	}
	if err = errors.Join(err, h.Close()); err != nil {
		return err
	}
	if err := os.Rename(h.Name(), f.Path); err != nil {
		return err
	}
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	if err = errors.Join(folder.Sync(), folder.Close()); err != nil {
		return err
	}
	f.rewrite, f.whole = false, int64(len(text))
	return nil
}
