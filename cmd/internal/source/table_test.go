package source

import (
	"slices"
	"strings"
	"testing"

	"rosenblatt/stream/event"
)

// dialect is the option of a delimiter that is meant.
func dialect(delimiter string) Options {
	return Options{DelimiterGiven: true, Dialect: event.ParseDialect(delimiter, "", "", "")}
}

func TestTable(t *testing.T) {
	for _, c := range []struct {
		name, content string
		options       Options
		columns       []string
		delimiter     string // as in event.Options
		note          string // a part of the only one
		want          []string
	}{
		{"a.csv", "x;y,z\n1;2\n", Options{}, []string{"x;y", "z"}, "", "", []string{"2:1;2"}},
		{"a.csv", "x;y\n1,5;2\n", Options{}, []string{"x", "y"}, ";", `separated by ";"`, []string{"2:1,5;2"}},
		{"a.csv", "x;y\n1,5;2\n", dialect(";"), []string{"x", "y"}, ";", "", []string{"2:1,5;2"}},
		{"a.csv", "x;y\n1,5;2\n", dialect(","), []string{"x;y"}, "", "", []string{"2:1,5;2"}},
		{"a.csv", "\"x\";\"y\"\n1;\"a;\n\"\"b\"\n2;3\n", Options{}, []string{"x", "y"}, ";", `separated by ";"`,
			[]string{"2:1;\"a;\n\"\"b\"", "4:2;3"}},
		{"a.csv", "x\ty;z\tw\n1\t2\t3\n", Options{}, []string{"x", "y;z", "w"}, "\t", "separated by tabs",
			[]string{"2:1\t2\t3"}},
		{"a.csv", "x|y\n1|2\n", dialect("|"), []string{"x", "y"}, "|", "", []string{"2:1|2"}},
		{"a.csv", "x|y\n1|2\n", Options{}, []string{"x", "y"}, "|", `separated by "|"`, []string{"2:1|2"}},
		{"a.csv", "x, EUR;y;z\n1,5;2;3\n", Options{}, []string{"x", "EUR;y;z"}, "",
			`commas give 2 columns, but ";" would give 3: if those are meant, say --delimiter ';'`,
			[]string{"2:1,5;2;3"}},
		{"a.tsv", "x,w\ty\n1\t\"2\n\t\n\n3\t4\"\n", Options{}, []string{"x,w", "y"}, "\t", "",
			[]string{"2:1\t\"2", "3:\t", "5:3\t4\""}}, // quotes are characters
		{"a.TSV.gz", "x\ty\n", Options{}, []string{"x", "y"}, "\t", "", nil},
		{"a.tsv", "x,y\tz\n", dialect(","), []string{"x", "y\tz"}, "", "", nil},
		{"a.csv", "0.5,2,a\n", Options{}, []string{"0.5", "2", "a"}, "", "the first row, 0.5,2,a, is taken", nil},
		{"a.csv", ",x, \n0,1,2\n", Options{}, []string{"c1", "x", "c3"}, "",
			"called c1, c3: if it only numbers the rows, say --ignore c1,c3", []string{"2:0,1,2"}},
		{"a.csv", "x1,2x\n", Options{}, []string{"x1", "2x"}, "", "", nil},
		{"a.csv", "\n0.5,2,a\n\n1,2,b\n", Options{NoHeader: true}, []string{"c1", "c2", "c3"}, "", "",
			[]string{"2:0.5,2,a", "4:1,2,b"}},
		{"a.csv", "0.5;\"a\"\n1;2\n", Options{NoHeader: true}, []string{"c1", "c2"}, ";", `separated by ";"`,
			[]string{"1:0.5;\"a\"", "2:1;2"}},
	} {
		s, err := Open(file(t, c.name, c.content), c.options, nil)
		if err != nil {
			t.Errorf("%q, %+v: %v", c.content, c.options, err)
			continue
		}
		for range 2 { // after Rewind again
			got := s.Table()
			if !slices.Equal(got.Columns, c.columns) || got.Delimiter != c.delimiter ||
				got.NoHeader != c.options.NoHeader {
				t.Errorf("%q, %+v: %+v", c.content, c.options, got)
			}
			note := strings.Join(s.Notes(), "\n")
			if !strings.Contains(note, c.note) || (note == "") != (c.note == "") || strings.Contains(note, "\n") {
				t.Errorf("%q, %+v: notes %q", c.content, c.options, note)
			}
			if c.options.NoHeader {
				if lines, _ := s.Lines(10, 1000); len(lines) > 0 {
					t.Errorf("%q, %+v: %q before the first row", c.content, c.options, lines)
				}
			}
			expect(t, s, c.want...)
			if err := s.Rewind(); err != nil {
				t.Error(err)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
