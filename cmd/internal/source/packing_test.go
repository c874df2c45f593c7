package source

import (
	"encoding/base64"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// bzipped is what bzip2 makes of packedLines.
const (
	packedLines = "one 1\ntwo 22\nthree 333\n"
	bzipped     = "QlpoOTFBWSZTWenaCPMAAAlZgAAQQAA4AAJBlIAgACIaT9SNMEDQNACaXRSyo/fsvExou5IpwoSHTtBHmA=="
)

// TestPackedByContent: a packed file is read whatever it is called, and standard input, too.
func TestPackedByContent(t *testing.T) {
	bz, err := base64.StdEncoding.DecodeString(bzipped)
	if err != nil {
		t.Fatal(err)
	}
	contents := map[string]string{".bz2": string(bz)}
	for _, ending := range []string{".gz", ".zst"} {
		packed, err := os.ReadFile(file(t, "a"+ending, packedLines))
		if err != nil {
			t.Fatal(err)
		}
		contents[ending] = string(packed)
	}
	want := []string{"1:one 1", "2:two 22", "3:three 333"}
	for ending, content := range contents {
		for _, name := range []string{"a.vw" + ending, "a.vw", "a.vw.gz"} {
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			s := open(t, path, "")
			expect(t, s, want...)
			if err := s.Rewind(); err != nil || !s.Packed() {
				t.Errorf("%s as %s: %v", ending, name, err)
			}
			expect(t, s, want...)
		}
		expect(t, from(t, content, "vw"), want...)
	}
	for _, text := range []string{"B", "BZh9 | a", "PK | a", "PAR1 | a", "7z | a"} {
		expect(t, from(t, text, "vw"), "1:"+text)
	}
}

// TestNotText: what people have instead of text is named.
func TestNotText(t *testing.T) {
	for begins, want := range map[string]string{"PK\x03\x04": "zip", "PAR1\x15\x04": "Parquet", "Obj\x01\x04": "Avro",
		"\xfd7zXZ\x00\x00": "xz -d", "\xd0\xcf\x11\xe0\xa1": "Excel", "\x89HDF\r\n": "HDF5"} {
		for _, name := range []string{"a.csv", "a.parquet", "a"} {
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, []byte(begins+strings.Repeat("\x00", 99)), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := Open(path, Options{}, nil)
			if !errors.Is(err, ErrNotText) || !strings.Contains(err.Error(), want) {
				t.Errorf("%q as %s: %v, want %s", begins, name, err, want)
			}
		}
	}
}

// TestFirstLineIsNotHeld: From does not wait for the first line of a pipe, and it is returned before the second one is
// written, however short it is.
func TestFirstLineIsNotHeld(t *testing.T) {
	r, w := io.Pipe()
	s, err := From(r, "x", Options{Format: "vw"})
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.WriteString(w, "1|a\n") }()
	if line, err := s.Next(); err != nil || string(line) != "1|a" {
		t.Errorf("%q, %v", line, err)
	}
	_ = w.Close()
}
