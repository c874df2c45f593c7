package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// WriteFile writes a result to a file, or to standard output for "-"; an empty path means none.
func (p *Program) WriteFile(path string, write func(io.Writer) error) error {
	switch path {
	case "":
		return nil
	case "-":
		return write(p.Stdout)
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		_ = f.Close() // the first error is reported
		return fmt.Errorf("%s: %w", path, err)
	}
	return f.Close()
}

// A File is a setting and the path that it names. An empty path is none, "-" a standard stream.
type File [2]string

// Results checks that none of the written files replaces one that is read, or another result.
func (f *Faults) Results(read, written []File) {
	var taken []File
	for _, file := range read {
		if file[1] != "-" {
			taken = append(taken, file)
		}
	}
	for _, w := range written {
		for _, other := range taken {
			f.AddIf(sameFile(w[1], other[1]), "%s: %s is that of %s: want another", w[0], w[1], other[0])
		}
		taken = append(taken, w)
	}
}

// sameFile reports whether two paths name one regular file, or one that does not exist yet.
func sameFile(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	one, errOne := os.Stat(a)
	two, errTwo := os.Stat(b)
	if errOne == nil && errTwo == nil {
		return one.Mode().IsRegular() && os.SameFile(one, two)
	}
	return filepath.Clean(a) == filepath.Clean(b)
}

// WriteJSON writes a value as indented JSON.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
