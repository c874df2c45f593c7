package source

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestAhead: values that were read ahead come again, with their lines, before the others, also after a rewind and where
// the file ends or breaks off among them.
func TestAhead(t *testing.T) {
	rows := func(s *File) (got []string) {
		for {
			value, err := s.Next()
			if err != nil {
				if !errors.Is(err, io.EOF) {
					got = append(got, "broken")
				}
				return got
			}
			got = append(got, fmt.Sprintf("%d:%s", s.Line(), value))
		}
	}
	for content, o := range map[string]Options{
		"a,b\n1,2\n\n3,\"x\ny\"\n5,6\n7,8\n": {Format: "csv"},
		"1,2\n3,4\n5,6\n":                    {Format: "csv", NoHeader: true},
		"a\n1\n\"open\n3\n":                  {Format: "csv"},
		"a\n":                                {Format: "csv"},
		"1 1:1\n# c\n-1 2:1\n":               {Format: "libsvm"},
	} {
		plain, err := From(strings.NewReader(content), "x", o)
		if err != nil {
			t.Fatal(err)
		}
		want := rows(plain)
		for n := range 6 {
			s, err := From(strings.NewReader(content), "x", o)
			if err != nil {
				t.Fatal(err)
			}
			first := len(s.Ahead(n))
			again := s.Ahead(n + 1)
			if first != min(n, len(again)) {
				t.Errorf("%q: %d values ahead, then %d", content, first, len(again))
			}
			if _, ends := s.Lines(10, 1000); len(again) > 0 && len(ends) > 0 {
				t.Errorf("%q: Lines passes what was read ahead", content)
			}
			if got := rows(s); !slices.Equal(got, want) {
				t.Errorf("%q, %d ahead: %q, want %q", content, n, got, want)
			}
		}
	}
}

// TestAheadOfRewind: what was read ahead is not returned twice.
func TestAheadOfRewind(t *testing.T) {
	path := filepath.Join(t.TempDir(), "e.csv")
	if err := os.WriteFile(path, []byte("a\n1\n2\n3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path, Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if s.Ahead(2); s.Rewind() != nil {
		t.Fatal("it cannot be read again")
	}
	if got, err := all(s); err != nil || len(got) != 3 {
		t.Errorf("%q, %v", got, err)
	}
}
