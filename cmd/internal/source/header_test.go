package source

import (
	"slices"
	"strings"
	"testing"

	"rosenblatt/stream/event"
)

// headers are first rows as people's tools write them.
var headers = []struct {
	name, content string
	options       Options
	columns       []string
	delimiter     string
	note          string // part of one
	values        []string
}{
	{"R's write.csv", "a,b\n1,2,3\n2,4,5\n", Options{}, []string{"c1", "a", "b"}, "", "as R writes tables",
		[]string{"2:1,2,3", "3:2,4,5"}},
	{"R's write.table", "\"a\" \"b c\"\n\"1\" 2 \"x y\"\n\"2\" 4 \"z\"\n", Options{}, []string{"c1", "a", "b c"}, " ",
		"separated by blanks", []string{"2:\"1\" 2 \"x y\"", "3:\"2\" 4 \"z\""}},
	{"a column c1 already", "c1,b\n1,2,3\n", Options{}, []string{"c1_", "c1", "b"}, "", "called c1_",
		[]string{"2:1,2,3"}},
	{"a delimiter at each end", "a,b\n1,2,\n3,4,\n", Options{}, []string{"a", "b", "c3"}, "", "which end in a comma",
		[]string{"2:1,2,", "3:3,4,"}},
	{"one row alone is longer", "a,b\n1,2,3\n4,5\n", Options{}, []string{"a", "b"}, "", "",
		[]string{"2:1,2,3", "3:4,5"}},
	{"blanks", "a   b\n 1  2\n3\t4  \n", Options{}, []string{"a", "b"}, " ", "blanks", []string{"2: 1  2", "3:3\t4  "}},
	{"no blanks: a text", "review\nvery good food\nbad\n", Options{}, []string{"review"}, "", "",
		[]string{"2:very good food", "3:bad"}},
	{"names with blanks", "a b; c d\n1;2\n", Options{}, []string{"a b", "c d"}, ";", `";"`, []string{"2:1;2"}},
	{"Excel", "sep=;\r\na;b\r\n1,5;2\r\n", Options{}, []string{"a", "b"}, ";", "as the line sep= says",
		[]string{"3:1,5;2"}},
	{"Excel, quoted", "\"sep=\t\"\na\tb\n", Options{}, []string{"a", "b"}, "\t", "", nil},
	{"Excel, another is meant", "sep=;\na,b\n1;5,2\n", dialect(","), []string{"a", "b"}, "", "is skipped",
		[]string{"3:1;5,2"}},
	{"comments", "# made by x\n#\n\na,b\n1,2\n# 3,4\n", Options{}, []string{"a", "b"}, "", "skipped: 2",
		[]string{"5:1,2", "6:# 3,4"}},
	{"NumPy's header", "# x y\n1.0 2.0\n3.0 4.0\n", Options{}, []string{"x", "y"}, " ", "it names the columns",
		[]string{"2:1.0 2.0", "3:3.0 4.0"}},
	{"a column #", "#,x\n1,2\n", Options{}, []string{"#", "x"}, "", "it names the columns", []string{"2:1,2"}},
	{"a comment as wide as a header", "# x, y\na,b\n1,2\n", Options{}, []string{"a", "b"}, "", "skipped: 1",
		[]string{"3:1,2"}},
	{"comments, no header", "# x,y\n1,2\n", Options{NoHeader: true}, []string{"c1", "c2"}, "", "skipped: 1",
		[]string{"2:1,2"}},
	{"a title", "Report of May\n\na,b\n1,2\n", Options{Columns: []string{"a", "b"}}, []string{"a", "b"}, "",
		"--columns names the columns", []string{"3:a,b", "4:1,2"}},
	{"decimal commas", "1,5;2,5;3\n1;2;3\n", Options{NoHeader: true, Dialect: event.Dialect{Decimal: "comma"}},
		[]string{"c1", "c2", "c3"}, ";", `";"`, []string{"1:1,5;2,5;3", "2:1;2;3"}},
	{"a byte order mark", "\xef\xbb\xbfa,b\n1,2\n\xef\xbb\xbf3,4\n", Options{}, []string{"a", "b"}, "", "",
		[]string{"2:1,2", "3:3,4"}},
}

func TestHeaders(t *testing.T) {
	for _, c := range headers {
		c.options.Format = event.CSV
		s, err := Open(file(t, "a.txt", c.content), c.options, nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for range 2 { // after Rewind again
			if got := s.Table(); !slices.Equal(got.Columns, c.columns) || got.Delimiter != c.delimiter {
				t.Errorf("%s: %+v", c.name, got)
			}
			note := strings.Join(s.Notes(), "\n")
			if !strings.Contains(note, c.note) || (note == "") != (c.note == "") && c.delimiter != "\t" {
				t.Errorf("%s: %q", c.name, note)
			}
			values, err := all(s)
			if err != nil || !slices.Equal(values, c.values) {
				t.Errorf("%s: %q, %v", c.name, values, err)
			}
			if err := s.Rewind(); err != nil {
				t.Error(err)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestRowNames: what R writes is read, and one row that is longer than the header is no reason to name it anew.
func TestRowNames(t *testing.T) {
	for content, want := range map[string]string{"a,b\n1,2,3\n": "c1,a,b", "a,b\n1,2\n": "a,b",
		"a,b\n1,2,3\n4,5\n": "a,b"} {
		s := open(t, file(t, "a.csv", content), "")
		if got := strings.Join(s.Table().Columns, ","); got != want {
			t.Errorf("%q: %s, want %s", content, got, want)
		}
	}
}
