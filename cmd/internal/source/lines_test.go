package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// lines reads with Lines and Next as replay does. plain counts the values from Lines.
func lines(s *File, r *rand.Rand) (values []string, plain int, err error) {
	for {
		text, ends := s.Lines(r.IntN(6), r.IntN(1000))
		first := s.Line() - len(ends) + 1
		from := 0
		for i, end := range ends {
			values = append(values, fmt.Sprintf("%d:%s", first+i, bytes.TrimSuffix(text[from:end], []byte("\r"))))
			from = end + 1
		}
		if plain += len(ends); len(ends) > 0 && from != len(text) {
			return values, plain, fmt.Errorf("%d bytes of lines, but %d in all", from, len(text))
		}
		if len(ends) > 0 && r.IntN(3) > 0 {
			continue
		}
		v, err := s.Next()
		if errors.Is(err, io.EOF) {
			return values, plain, nil
		}
		if err != nil {
			return values, plain, err
		}
		values = append(values, fmt.Sprintf("%d:%s", s.Line(), v))
	}
}

// Lines and Next yield the same values and line numbers as Next alone.
func TestPlainLines(t *testing.T) {
	pieces := []string{"a,b", "1,2", "1,2", "3,4", "5,6", "", " ", " 7,8", "9,0 ", "\t", "1,2\r", "\r", "\"x,y\",1",
		"\"x\ny\",2", "x\"y,3", "é,\xff", strings.Repeat("z", 300)}
	r := rand.New(rand.NewPCG(1, 1))
	total := 0
	for range 2000 {
		var b strings.Builder
		b.WriteString("a,b\n")
		for range r.IntN(12) {
			b.WriteString(pieces[r.IntN(len(pieces))] + "\n")
		}
		content := strings.TrimSuffix(b.String(), strings.Repeat("\n", r.IntN(2)))
		for _, format := range []string{"csv", "vw", "json"} {
			want, wrong := all(from(t, content, format))
			got, plain, err := lines(from(t, content, format), r)
			if !slices.Equal(got, want) || (err == nil) != (wrong == nil) {
				t.Fatalf("%s: %q: %q, %v; want %q, %v", format, content, got, err, want, wrong)
			}
			total += plain
		}
	}
	if total < 5000 {
		t.Errorf("only %d values from Lines", total)
	}
}

// Lines returns nearly all values of a long file, with either line end, and does not allocate.
func TestPlainLinesAreUsual(t *testing.T) {
	for _, line := range []string{"1 | a:1 b:2\n", "1 | a:1 b:2\r\n"} {
		plainLines(t, line)
	}
}

func plainLines(t *testing.T, line string) {
	const n = 100_000
	s := from(t, strings.Repeat(line, n), "vw")
	plain, single := 0, 0
	for {
		if _, ends := s.Lines(512, 1<<16); len(ends) > 0 {
			plain += len(ends)
			continue
		}
		if _, err := s.Next(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		single++
	}
	if plain+single != n || single > 50 {
		t.Errorf("%q: %d values from Lines and %d from Next, want %d", line, plain, single, n)
	}
}
