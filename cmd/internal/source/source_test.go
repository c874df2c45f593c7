package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// file writes a file in a new folder, compressed according to its ending.
func file(t *testing.T, name, content string) string {
	t.Helper()
	var buf bytes.Buffer
	var w io.WriteCloser
	switch filepath.Ext(name) {
	case ".gz":
		w = gzip.NewWriter(&buf)
	case ".zst":
		z, err := zstd.NewWriter(&buf)
		if err != nil {
			t.Fatal(err)
		}
		w = z
	}
	if w == nil {
		buf.WriteString(content)
	} else {
		if _, err := io.WriteString(w, content); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, buf.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t *testing.T, path, format string) *File {
	t.Helper()
	s, err := Open(path, Options{Format: format}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// all returns the values up to the end or the first error as "line:value".
func all(s *File) (values []string, err error) {
	for {
		v, err := s.Next()
		if errors.Is(err, io.EOF) {
			return values, nil
		}
		if err != nil {
			return values, err
		}
		values = append(values, fmt.Sprintf("%d:%s", s.Line(), v))
	}
}

func expect(t *testing.T, s *File, want ...string) {
	t.Helper()
	got, err := all(s)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestEndings(t *testing.T) {
	for _, c := range []struct{ name, asked, format string }{
		{"a.jsonl", "", "json"}, {"a.json", "", "json"}, {"a.JSONL", "", "json"}, {"a.svm", "", "libsvm"},
		{"a.libsvm", "", "libsvm"}, {"a.vw", "", "vw"}, {"a.csv", "", "csv"}, {"a.tsv", "", "csv"},
		{"a.dat", "vw", "vw"},
		{"a.txt", "libsvm", "libsvm"},
		{"none", "json", "json"}, {"a.json", "csv", "csv"},
	} {
		for _, packed := range []string{"", ".gz", ".zst"} {
			s := open(t, file(t, c.name+packed, "head\none\ntwo\n"), c.asked)
			if s.Format() != c.format {
				t.Errorf("%s%s with %q is %s, want %s", c.name, packed, c.asked, s.Format(), c.format)
			}
			want := []string{"1:head", "2:one", "3:two"}
			if c.format == "csv" {
				want = want[1:]
			}
			expect(t, s, want...)
		}
	}
}

func TestLines(t *testing.T) {
	for _, c := range []struct {
		content string
		want    []string
	}{
		{"", nil},
		{"\n\n", nil},
		{"a", []string{"1:a"}},
		{"a\r\nb\r\n", []string{"1:a", "2:b"}},
		{"\n a \n\t \n\r\nb\r", []string{"2: a ", "5:b"}},
		{"\xef\xbb\xbfa\nb", []string{"1:a", "2:b"}},
		{"\xef\xbb\xbf\nb", []string{"2:b"}},
		{"\"a\nb\"", []string{"1:\"a", "2:b\""}}, // quotes have no meaning in vw
		{"\xff\x00\n", []string{"1:\xff\x00"}},   // the decoder rejects it
	} {
		expect(t, open(t, file(t, "a.vw", c.content), ""), c.want...)
	}
}

func TestCSV(t *testing.T) {
	for _, c := range []struct {
		content string
		columns []string
		want    []string
	}{
		{"a,b\n1,2\n3,4\n", []string{"a", "b"}, []string{"2:1,2", "3:3,4"}},
		{"\xef\xbb\xbfa,\"b,\"\"c\n\"\r\n\r\n1,2", []string{"a", "b,\"c"}, []string{"4:1,2"}},
		{"a\n\"x\n\n\"\"\ny\"\nz\n", []string{"a"}, []string{"2:\"x\n\n\"\"\ny\"", "6:z"}},
		{"a\r\n\"x\r\ny\"\r\nz\r\n", []string{"a"}, []string{"2:\"x\r\ny\"", "4:z"}},
		{"a\n5\" disk\nx\n", []string{"a"}, []string{"2:5\" disk", "3:x"}}, // a quote within a field is text
		{"a\n", []string{"a"}, nil},
	} {
		s := open(t, file(t, "a.csv", c.content), "")
		if !slices.Equal(s.Table().Columns, c.columns) {
			t.Errorf("the columns of %q are %q, want %q", c.content, s.Table().Columns, c.columns)
		}
		expect(t, s, c.want...)
	}
}

func TestColumnsOnlyInCSV(t *testing.T) {
	if c := open(t, file(t, "a.jsonl", "{}\n"), "").Table().Columns; c != nil {
		t.Errorf("a json file has the columns %q", c)
	}
}

func TestRewind(t *testing.T) {
	for _, name := range []string{"a.csv", "a.csv.gz", "a.csv.zst"} {
		s := open(t, file(t, name, "head\none\ntwo\n"), "")
		if _, err := s.Next(); err != nil { // Rewind works before the end too
			t.Fatal(err)
		}
		for range 3 {
			if err := s.Rewind(); err != nil {
				t.Fatal(err)
			}
			expect(t, s, "2:one", "3:two")
			if _, err := s.Next(); !errors.Is(err, io.EOF) {
				t.Errorf("%s: after the end: %v, want io.EOF", name, err)
			}
		}
	}
}

func TestFrom(t *testing.T) {
	s, err := From(strings.NewReader("x,y\n1,2\n"), "standard input", Options{Format: "csv"})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, s, "2:1,2")
	if err := s.Rewind(); !errors.Is(err, ErrOnce) || !strings.Contains(err.Error(), "standard input") {
		t.Errorf("Rewind gives %v, want ErrOnce", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := s.Next(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Next after Close gives %v", err)
	}
}

func TestOpenErrors(t *testing.T) {
	folder := t.TempDir()
	for _, c := range []struct {
		path, format string
		cause        error
		text         string
	}{
		{file(t, "a.dat", ""), "", ErrFormat, ".dat does not determine it: say --format"},
		{file(t, "a.txt.gz", ""), "", ErrFormat, ".txt does not determine it"},
		{file(t, "none", ""), "", ErrFormat, "the name has no ending"},
		{file(t, "a.vw", ""), "xml", ErrFormat,
			`unknown format "xml": say --format json, libsvm, vw, csv, avro or arff`},
		{"-", "", ErrFormat, "standard input: unknown format"},
		{folder, "", errFolder, folder + ": this is a folder"},
		{folder, "vw", errFolder, folder + ": this is a folder"},
		{filepath.Join(folder, "gone.vw"), "", fs.ErrNotExist, "gone.vw: no such file or directory: check the path"},
		{file(t, "a.csv", "\n\n"), "", ErrFirstRow, "it must name the columns"},
		{file(t, "a.csv", ""), "", ErrEmpty, "a.csv: the file is empty"},
		{file(t, "a.csv", "\x00\x01,b\n"), "", ErrNotText, "a.csv:1: "},
		{file(t, "a.csv", "a,\xb5\n"), "", ErrFirstRow, "a.csv:1: "},
		{file(t, "a.csv", "a,\"b\"c\n"), "", ErrFirstRow, "a.csv:1: "},
		{file(t, "a.csv", "\"a\n1\n2\n"), "", ErrFirstRow, "a.csv:1: "},
	} {
		_, err := Open(c.path, Options{Format: c.format}, nil)
		var typed *Error
		if !errors.Is(err, c.cause) || !errors.As(err, &typed) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("Open(%s, %q): %v, want %v and %q", c.path, c.format, err, c.cause, c.text)
		}
	}
}

// failing returns the values before the error, and checks that Next repeats the error.
func failing(t *testing.T, s *File, cause error, text string) []string {
	t.Helper()
	values, err := all(s)
	if !errors.Is(err, cause) || !strings.Contains(fmt.Sprint(err), text) {
		t.Errorf("got %v, want %v and %q", err, cause, text)
	}
	if _, again := s.Next(); !errors.Is(again, err) {
		t.Errorf("then %v, want the same error", again)
	}
	return values
}

func TestNotLines(t *testing.T) {
	for _, content := range []string{"[\n{}\n]", " [{},{}]", "\n{\n\"a\": 1\n}\n"} {
		if got := failing(t, open(t, file(t, "a.json", content), ""), ErrNotLines, "jq -c"); len(got) > 0 {
			t.Errorf("%q gives %q", content, got)
		}
		if _, err := all(open(t, file(t, "a.jsonl", content), "")); err != nil {
			t.Error(err) // allowed in jsonl
		}
	}
	expect(t, open(t, file(t, "a.json", "{}\n[\n{\n"), ""), "1:{}", "2:[", "3:{")
}

// A compressed file truncated at any byte yields complete lines and then an error, never a part of a line or io.EOF.
func TestTruncated(t *testing.T) {
	const content = "one 1\ntwo 22\nthree 333\n"
	want := []string{"1:one 1", "2:two 22", "3:three 333"}
	for _, name := range []string{"a.vw.gz", "a.vw.zst"} {
		path := file(t, name, content)
		packed, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for n := range packed {
			if n == 0 && name == "a.vw.zst" {
				continue // a zstd file may have no frame
			}
			if err := os.WriteFile(path, packed[:n], 0o600); err != nil {
				t.Fatal(err)
			}
			var got []string
			s, err := Open(path, Options{}, nil)
			if err == nil {
				got, err = all(s)
				_ = s.Close()
			}
			if !errors.Is(err, ErrPacked) || !strings.Contains(err.Error(), name+":") {
				t.Fatalf("%s truncated to %d of %d bytes: %v, want ErrPacked", name, n, len(packed), err)
			}
			if len(got) > len(want) || !slices.Equal(got, want[:len(got)]) {
				t.Fatalf("%s truncated to %d of %d bytes gives %q", name, n, len(packed), got)
			}
		}
	}
}

func TestDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.vw.gz")
	if err := os.WriteFile(path, []byte("this is not gzip\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, Options{}, nil); !errors.Is(err, ErrPacked) || !errors.Is(err, gzip.ErrHeader) {
		t.Errorf("got %v, want ErrPacked", err)
	}
}

// from returns a string as the file x.
func from(t *testing.T, content, format string) *File {
	t.Helper()
	s, err := From(strings.NewReader(content), "x", Options{Format: format})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestHugeLines(t *testing.T) {
	huge := strings.Repeat("x", MaxLine)
	for _, end := range []string{"", "\n", "\r\n"} {
		s := from(t, "a\n"+huge+end, "vw")
		for i, want := range []string{"a", huge} {
			if got, err := s.Next(); err != nil || s.Line() != i+1 || string(got) != want {
				t.Fatalf("line %d: %d bytes, %v; want line %d of %d bytes", s.Line(), len(got), err, i+1, len(want))
			}
		}
		s = from(t, "a\n"+huge+"y"+end+"b\n", "vw")
		if got := failing(t, s, ErrTooLong, "x:2: "); len(got) != 1 {
			t.Errorf("%d values before the line that is too long, want 1", len(got))
		}
	}
	long := huge[:100_000] // longer than the reader's buffer
	expect(t, from(t, "a\n"+long+"\n\""+long+"\n"+long+"\"\n1\n", "csv"), "2:"+long, "3:\""+long+"\n"+long+"\"", "5:1")
}

func TestNextAllocatesNothing(t *testing.T) {
	s := open(t, file(t, "a.csv", "a,b\n"+strings.Repeat("1,\"two\nlines\"\n", 1_000)), "")
	next := func() {
		if _, err := s.Next(); err != nil {
			t.Fatal(err)
		}
	}
	next()
	if n := testing.AllocsPerRun(500, next); n != 0 {
		t.Errorf("%v allocations per value", n)
	}
}
