package source

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"rosenblatt/learner/datasets"
)

// encoding/csv reads the same from the rows one by one as from the whole file, if that is valid.
func FuzzRows(f *testing.F) {
	for _, seed := range []string{"a,b\n1,2\n", "a\n\"x\ny\"\n", "a\r\n\"\"\"\r\n\"\r\n",
		"a,\"b\"\"\n,\"\n\n \n,\n\"\",\"\"\r", "\"\"", "\r\r\n", "\"\"\"\r\n!\""} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		if bytes.HasPrefix(content, byteOrderMark) || bytes.ContainsAny(content, "#=;|\t\x00") || !utf8.Valid(content) {
			return // text for encoding/csv, and else a comment, a delimiter, another encoding, or no text
		}
		if bytes.Count(content, []byte("\r")) != bytes.Count(content, []byte("\r\n")) {
			return // a line end, too
		}
		reader := csv.NewReader(bytes.NewReader(content))
		reader.FieldsPerRecord = -1
		want, err := reader.ReadAll()
		if err != nil {
			return
		}
		if slices.ContainsFunc(want, blankRow) {
			return
		}
		s, err := From(bytes.NewReader(content), "x", Options{Format: "csv", DelimiterGiven: true})
		if err != nil {
			if len(want) > 0 {
				t.Fatal(err)
			}
			return
		}
		for i, name := range want[0] {
			if want[0][i] = strings.TrimSpace(name); want[0][i] == "" {
				return // it is named by its place
			}
		}
		var names []string
		for _, name := range s.Table().Columns { // as they are written; encoding/csv changes line ends within cells
			names = append(names, strings.ReplaceAll(name, "\r\n", "\n"))
		}
		if len(names) == len(want[0])+1 {
			return // each row has one cell more than the header: it has a name less (TestRowNames)
		}
		got := [][]string{names}
		for {
			value, err := s.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			row, err := csv.NewReader(io.MultiReader(bytes.NewReader(value), strings.NewReader("\r\n"))).Read()
			if err != nil {
				t.Fatalf("%q: %v", value, err)
			}
			got = append(got, row)
		}
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Errorf("%q gives %q, want %q", content, got, want)
		}
	})
}

// blankRow reports whether Next skips the row, but encoding/csv returns it as one field, unless it is quoted.
func blankRow(row []string) bool {
	return len(row) == 1 && row[0] != "" && strings.Trim(row[0], " \t") == ""
}

// The files of the data sets have the known numbers of examples.
func TestKnownFiles(t *testing.T) {
	for _, c := range []struct {
		path, asked, format string
		columns, examples   int
	}{
		{"elec2/electricity.csv", "", "csv", 9, 45312},
		{"phishing/phishing.csv.gz", "", "csv", 10, 1250},
		{"rcv1_small/rcv1_small.dat", "vw", "vw", 0, 1000},
		{"a9a/a9a", "libsvm", "libsvm", 0, 32561},
	} {
		t.Run(c.path, func(t *testing.T) {
			s := open(t, datasets.Path(t, c.path), c.asked)
			values, err := all(s)
			if err != nil {
				t.Error(err)
			}
			if s.Format() != c.format || len(s.Table().Columns) != c.columns || len(values) != c.examples {
				t.Errorf("%s: %s, %d columns, %d examples, want %s, %d, %d", c.path,
					s.Format(), len(s.Table().Columns), len(values), c.format, c.columns, c.examples)
			}
		})
	}
}

func BenchmarkNext(b *testing.B) {
	for _, format := range []string{"json", "csv"} {
		b.Run(format, func(b *testing.B) {
			line := strings.Repeat("0.123456,", 55) + "\"a\"\n" // about 500 bytes
			path := filepath.Join(b.TempDir(), "a")
			if err := os.WriteFile(path, []byte(strings.Repeat(line, 1000)), 0o600); err != nil {
				b.Fatal(err)
			}
			s, err := Open(path, Options{Format: format}, nil)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Next(); errors.Is(err, io.EOF) {
					err = s.Rewind()
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
