package checkpoint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
)

// tables is what a test saves again and again: rows of bytes, of which some change with each generation, and names,
// which only grow. It notes what has changed since its base.
type tables struct {
	generation int
	data       []byte
	names      []byte
	base       Base
	changed    []bool // of each row
	kept       int    // so many bytes of names were there already
}

const rowBytes = 300

func newTables(rows int) *tables {
	return &tables{data: make([]byte, rows*rowBytes), changed: make([]bool, rows)}
}

// next changes a few rows, of every seventh generation many, and of every 19th nearly all.
func (x *tables) next() {
	x.generation++
	x.names = fmt.Appendf(x.names, "name %d\n", x.generation)
	for row := range x.changed {
		switch n := x.generation*31 + row*17; {
		case n%101 < 2, x.generation%7 == 0 && n%11 == 0, x.generation%19 == 0 && n%4 != 0:
			x.changed[row] = true
			copy(x.data[row*rowBytes:][:rowBytes], bytes.Repeat([]byte{byte(n), byte(x.generation)}, rowBytes/2))
		}
	}
}

func (x *tables) save(s *Store, seq uint64) (Saved, error) {
	rows, names := Bytes("rows", x.data), Bytes("names", x.names)
	rows.Changed = func(yield func(from, to int64) bool) {
		for row, changed := range x.changed {
			if from := int64(row * rowBytes); changed && !yield(from, from+rowBytes) {
				return
			}
		}
	}
	names.Changed = func(yield func(from, to int64) bool) {
		if x.kept < len(x.names) {
			yield(int64(x.kept), int64(len(x.names)))
		}
	}
	header := fmt.Appendf(nil, `{"generation":%d}`, x.generation)
	saved, err := s.Save(seq, header, []Section{rows, names, Bytes("whole", header)}, x.base)
	if err != nil {
		return saved, err
	}
	if !saved.Base.Is(x.base) {
		clear(x.changed)
		x.kept = len(x.names)
	}
	x.base = saved.Base
	return saved, nil
}

func (x *tables) mustSave(t *testing.T, s *Store, seq uint64) Saved {
	t.Helper()
	saved, err := x.save(s, seq)
	if err != nil || saved.Bytes == 0 {
		t.Fatalf("save of %d: %+v, %v", seq, saved, err)
	}
	return saved
}

// load goes on with a file.
func (x *tables) load(f *File) error {
	var header struct{ Generation int }
	if err := json.Unmarshal(f.Header, &header); err != nil {
		return err
	}
	x.generation, x.base = header.Generation, f.Base
	clear(x.changed)
	for _, s := range f.Sections {
		switch s.Name {
		case "rows":
			x.data = bytes.Clone(s.Data)
			for _, r := range s.Changed {
				for row := r[0] / rowBytes; row*rowBytes < r[1]; row++ {
					x.changed[row] = true
				}
			}
		case "names":
			x.names, x.kept = bytes.Clone(s.Data), len(s.Data)
			for _, r := range s.Changed {
				x.kept = min(x.kept, int(r[0]))
			}
		}
	}
	return nil
}

// wantSame checks that a file is these tables.
func (x *tables) same(f *File) error {
	rows, _ := f.Section("rows")
	names, _ := f.Section("names")
	whole, _ := f.Section("whole")
	if want := fmt.Sprintf(`{"generation":%d}`, x.generation); string(f.Header) != want || string(whole) != want ||
		!bytes.Equal(rows, x.data) || !bytes.Equal(names, x.names) || len(f.Sections) != 3 {
		return fmt.Errorf("%s is not generation %d: header %s, %s", f.Path, x.generation, f.Header, whole)
	}
	return nil
}

func (x *tables) clone() *tables {
	c := *x
	c.data, c.names, c.changed = bytes.Clone(x.data), bytes.Clone(x.names), slices.Clone(x.changed)
	return &c
}
