package checkpoint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

const testDir = "/state/model"

// sections returns data that differs in every byte between generations and takes several disk blocks; in every fourth
// generation also several writes.
func sections(generation int) []Section {
	pairs := 5000 + generation
	if generation%4 == 0 {
		pairs += bufferSize / 2
	}
	weights := bytes.Repeat([]byte{byte(generation), byte(generation * 7)}, pairs)
	return []Section{Bytes("weights", weights), Bytes("names", fmt.Appendf(nil, "generation %d", generation))}
}

func save(s *Store, seq uint64, generation int) (int64, error) {
	saved, err := s.Save(seq, fmt.Appendf(nil, `{"generation":%d}`, generation), sections(generation), Base{})
	return saved.Bytes, err
}

// dataOf is all of a section.
func dataOf(s Section) ([]byte, error) { return s.Append(nil, 0, s.Size) }

func mustSave(t *testing.T, s *Store, seq uint64, generation int) {
	t.Helper()
	n, err := save(s, seq, generation)
	if err != nil || n == 0 {
		t.Fatalf("save of %d: %d bytes, %v", seq, n, err)
	}
}

// generationOf gives the generation a file holds, if header and every section agree on it.
func generationOf(f *File) (int, error) {
	var header struct{ Generation int }
	if err := json.Unmarshal(f.Header, &header); err != nil {
		return 0, err
	}
	want := sections(header.Generation)
	if len(f.Sections) != len(want) {
		return 0, fmt.Errorf("%d sections", len(f.Sections))
	}
	for i, s := range want {
		data, err := dataOf(s)
		if err != nil {
			return 0, err
		}
		if f.Sections[i].Name != s.Name || !bytes.Equal(f.Sections[i].Data, data) {
			return 0, fmt.Errorf("header of generation %d, another section %s", header.Generation, s.Name)
		}
	}
	return header.Generation, nil
}

// wantNewest asks a fresh Store on the same folder, as a process that starts would.
func wantNewest(t *testing.T, s *Store, seq uint64, generation int) {
	t.Helper()
	f, _, err := (&Store{FS: s.FS, Dir: s.Dir}).Newest()
	if err != nil {
		t.Fatal(err)
	}
	if f == nil {
		t.Fatalf("no checkpoint, want %d", seq)
	}
	got, err := generationOf(f)
	if err != nil {
		t.Fatal(err)
	}
	if f.Seq != seq || got != generation {
		t.Fatalf("newest is %d with generation %d, want %d with %d", f.Seq, got, seq, generation)
	}
}

func newMem() memFS { return memFS{vfs.NewMem()} }

func put(t testing.TB, fsys memFS, path string, data []byte) {
	t.Helper()
	if err := fsys.m.MkdirAll(filepath.Dir(path), folderMode); err != nil {
		t.Fatal(err)
	}
	h, err := fsys.m.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Write(bytes.Clone(data)); err != nil { // under the race detector pebble overwrites its argument
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
}

func get(t testing.TB, fsys FS, path string) []byte {
	t.Helper()
	h, err := fsys.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(h)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	return data
}

// wantNames compares the folder with a list in alphabetical order.
func wantNames(t *testing.T, s *Store, want ...string) {
	t.Helper()
	names, err := s.fs().List(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(slices.Sorted(slices.Values(names)), " "); got != strings.Join(want, " ") {
		t.Fatalf("the folder holds %s\nwant %s", got, strings.Join(want, " "))
	}
}
