package checkpoint

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"strings"
	"testing"
)

// golden is a file in testdata that a program independent of this package wrote after the layout in format.go. It does
// not change.
type golden struct {
	path   string
	seq    uint64
	header string
	data   map[string]string
	base   string // the file that it builds on
}

func floats(numbers ...float64) string {
	var out []byte
	for _, x := range numbers {
		out = binary.LittleEndian.AppendUint64(out, math.Float64bits(x))
	}
	return string(out)
}

var (
	goldenWeights = floats(1.5, -0.25, 0, 1e-300)
	goldenWhole   = golden{path: "testdata/format-10/checkpoint-42", seq: 42,
		header: `{"seq":42,"model":"fraud@3"}`,
		data: map[string]string{"weights": goldenWeights, "names": "price\nmarket=vic\n", "kept": "12345",
			"empty": ""}}
	goldenChanges = golden{path: "testdata/format-10/checkpoint-43", seq: 43,
		header: `{"seq":43,"model":"fraud@3"}`, base: "testdata/format-10/checkpoint-42",
		data: map[string]string{"weights": floats(1.5, 0.5, 0, 7), "names": "price\nmarket=vic\nage\n", "kept": "12345",
			"empty": ""}}
	goldens = []golden{goldenWhole, goldenChanges}
)

func (g *golden) bytes(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile(g.path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// open opens bytes as this file, beside the one that it builds on.
func (g *golden) open(t testing.TB, data []byte) (*File, error) {
	t.Helper()
	fsys := newMem()
	path := testDir + "/checkpoint-42"
	if g.base != "" {
		path = testDir + "/checkpoint-43"
		put(t, fsys, testDir+"/checkpoint-42", goldenWhole.bytes(t))
	}
	put(t, fsys, path, data)
	return Open(fsys, path)
}

func TestGoldenFilesAreWhatSaveWrites(t *testing.T) {
	s := &Store{FS: newMem(), Dir: testDir}
	saved, err := s.Save(42, []byte(goldenWhole.header), []Section{Bytes("weights", []byte(goldenWeights)),
		Bytes("names", []byte(goldenWhole.data["names"])), Bytes("kept", []byte("12345")), Bytes("empty", nil)}, Base{})
	if err != nil {
		t.Fatal(err)
	}
	wantWritten(t, s, "checkpoint-42", &goldenWhole, saved)
	changed := func(name string, ranges ...[2]int64) Section {
		section := Bytes(name, []byte(goldenChanges.data[name]))
		section.Changed = func(yield func(from, to int64) bool) {
			for _, r := range ranges {
				if !yield(r[0], r[1]) {
					return
				}
			}
		}
		return section
	}
	saved, err = s.Save(43, []byte(goldenChanges.header), []Section{
		changed("weights", [2]int64{8, 16}, [2]int64{24, 32}), changed("names", [2]int64{17, 21}), changed("kept"),
		changed("empty")}, saved.Base)
	if err != nil {
		t.Fatal(err)
	}
	wantWritten(t, s, "checkpoint-43", &goldenChanges, saved)
}

func wantWritten(t *testing.T, s *Store, name string, g *golden, saved Saved) {
	t.Helper()
	want := g.bytes(t)
	if got := get(t, s.FS, testDir+"/"+name); !bytes.Equal(got, want) || saved.Bytes != int64(len(want)) {
		t.Errorf("Save wrote %d bytes\n%q\nwant\n%q", saved.Bytes, got, want)
	}
}

func TestGoldenFilesAreRead(t *testing.T) {
	for _, g := range goldens {
		f, err := Open(nil, g.path)
		if err != nil {
			t.Fatal(err)
		}
		if string(f.Header) != g.header || f.Version != Version || f.Seq != g.seq ||
			f.Bytes != int64(len(g.bytes(t))) || len(f.Sections) != len(g.data) ||
			strings.Join(f.BuildsOn, " ") != g.base {
			t.Errorf("%s: read %+v", g.path, f)
		}
		for name, want := range g.data {
			if got, ok := f.Section(name); !ok || string(got) != want {
				t.Errorf("%s: section %s: %q, %v", g.path, name, got, ok)
			}
		}
		if _, ok := f.Section("absent"); ok {
			t.Error("found a section that does not exist")
		}
	}
}

func TestSaveRefusesWhatItCannotWrite(t *testing.T) {
	fsys := newMem()
	put(t, fsys, testDir+"/other", nil)
	s := &Store{FS: fsys, Dir: testDir}
	header := []byte(`{}`)
	of := func(size int64, data string, changed ...int64) []Section {
		return []Section{{Name: "a", Size: size,
			Append: func(dst []byte, _, _ int64) ([]byte, error) { return append(dst, data...), nil },
			Changed: func(yield func(from, to int64) bool) {
				for i := 0; i < len(changed) && yield(changed[i], changed[i+1]); i += 2 {
				}
			}}}
	}
	failing := []Section{{Name: "a", Size: 1,
		Append: func([]byte, int64, int64) ([]byte, error) { return nil, errors.New("no weights") }}}
	for what, c := range map[string]struct {
		header   []byte
		sections []Section
	}{
		"no header": {nil, nil}, "header": {[]byte("{"), nil}, "name": {header, []Section{Bytes("a b", nil)}},
		"no name":   {header, []Section{Bytes("", nil)}},
		"long name": {header, []Section{Bytes(strings.Repeat("a", 65), nil)}},
		"twice":     {header, []Section{Bytes("a", nil), Bytes("a", nil)}},
		"size":      {header, []Section{{Name: "a", Size: -1}}},
		"short":     {header, of(3, "ab", 0, 3)}, "long": {header, of(3, "abcd", 0, 3)}, "failing": {header, failing},
		"changed beyond the end":     {header, of(3, "abc", 0, 4)},
		"changed in the wrong order": {header, of(3, "a", 1, 2, 0, 1)},
		"nothing changed at 1":       {header, of(3, "a", 1, 1)},
		"changed twice":              {header, of(3, "ab", 0, 2, 1, 3)},
		"count":                      {header, make([]Section, maxSections+1)},
	} {
		if saved, err := s.Save(1, c.header, c.sections, Base{}); err == nil || saved != (Saved{}) {
			t.Errorf("%s: %+v, no error", what, saved)
		}
	}
	wantNames(t, s, "other")
}

func TestRoundTripAcrossPieces(t *testing.T) {
	s := &Store{FS: newMem(), Dir: testDir}
	for seq, size := range []int{0, 1, maxPiece - 100, maxPiece - 1, maxPiece, maxPiece + 1, 3*maxPiece + 7} {
		want := bytes.Repeat([]byte("0123456"), size/7+1)[:size]
		saved, err := s.Save(uint64(seq), []byte(`{}`), []Section{Bytes("a", want), Bytes("b", want)}, Base{})
		if err != nil {
			t.Fatal(err)
		}
		f, aside, err := s.Newest()
		if err != nil || len(aside) > 0 || f.Seq != uint64(seq) || f.Bytes != saved.Bytes {
			t.Fatalf("size %d: %+v, %v, %v", size, f, aside, err)
		}
		for _, got := range f.Sections {
			if !bytes.Equal(got.Data, want) {
				t.Errorf("size %d: section %s differs", size, got.Name)
			}
		}
	}
}
