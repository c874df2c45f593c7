package source

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"rosenblatt/stream/event"
)

// reading returns the values with their lines, and the notes, of a file.
func reading(t *testing.T, name, content string, o Options) (values, notes []string) {
	t.Helper()
	o.Note = func(text string) { notes = append(notes, text) }
	s, err := Open(file(t, name, content), o, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	values, err = all(s)
	if err != nil {
		t.Fatal(err)
	}
	return values, append(s.Notes(), notes...)
}

// A quote that does not close takes its line alone with it, and within 100 lines.
func TestLoneQuote(t *testing.T) {
	values, _ := reading(t, "a.csv", "a,b\n1,2\n3,\"4\n5,6\n7,8\n", Options{})
	if want := []string{"2:1,2", "3:3,\"4", "4:5,6", "5:7,8"}; !slices.Equal(values, want) {
		t.Errorf("%q, want %q", values, want)
	}
	// The quote closes in the wrong place: what is behind it is no cell's end.
	values, _ = reading(t, "a.csv", "a,b\n3,\"4\n5,\"x y\"\n7,8\n", Options{})
	if want := []string{"2:3,\"4", "3:5,\"x y\"", "4:7,8"}; !slices.Equal(values, want) {
		t.Errorf("%q, want %q", values, want)
	}
	for lines, rows := range map[int]int{99: 1, 100: 101} {
		content := "a,b\n1,\"x\n" + strings.Repeat("1,2\n", lines-1) + "y\"\n"
		if values, _ = reading(t, "a.csv", content, Options{}); len(values) != rows {
			t.Errorf("a cell of %d lines: %d rows, want %d", lines+1, len(values), rows)
		}
	}
	var content strings.Builder // every row has such a quote
	content.WriteString("a,b\n")
	for i := range 1000 {
		fmt.Fprintf(&content, "%d,\"x y\n", i)
	}
	values, _ = reading(t, "a.csv", content.String(), Options{})
	if len(values) != 1000 || values[999] != "1001:999,\"x y" {
		t.Errorf("%d rows, the last %q", len(values), values[len(values)-1])
	}
}

func TestSpans(t *testing.T) {
	const text = "a,b\n1,\"x\ny\"\n2,z\n"
	_, notes := reading(t, "a.csv", text, Options{})
	if len(notes) != 1 || !strings.Contains(notes[0], "a.csv:2: a cell spans lines 2 to 3; --quote none takes") {
		t.Errorf("%q", notes)
	}
	_, notes = reading(t, "a.csv", "a,b\n1,\"x\n2,y\n3,z\"\n", Options{})
	if len(notes) != 1 || !strings.Contains(notes[0], "lines 2 to 4; each of these has as many cells") {
		t.Errorf("%q", notes)
	}
	_, notes = reading(t, "a.csv", "a,b\n"+strings.Repeat("1,\"x\ny\"\n", 50), Options{})
	if len(notes) != 4 || !strings.Contains(notes[3], "50 rows have a cell that spans lines") {
		t.Errorf("%q", notes)
	}
	values, notes := reading(t, "a.csv", text, Options{Dialect: event.ParseDialect("", "none", "", "")})
	if len(values) != 3 || len(notes) != 0 {
		t.Errorf("%q, %q", values, notes)
	}
}

// MySQL escapes line ends where there are no quotes.
func TestEscapedLineEnds(t *testing.T) {
	o := dialect("tab")
	o.Dialect.Escape = `\`
	values, _ := reading(t, "a.txt", "a\tb\n1\tx\\\ny\n2\tx\\\\\n3\tz\\\r\n\\\n\n", Options{
		Format: "csv", DelimiterGiven: true,
		Dialect: o.Dialect})
	if want := []string{"2:1\tx\\\ny", "4:2\tx\\\\", "5:3\tz\\\r\n\\\n"}; !slices.Equal(values, want) {
		t.Errorf("%q, want %q", values, want)
	}
}
