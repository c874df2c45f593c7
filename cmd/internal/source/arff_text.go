package source

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"rosenblatt/stream/event"
)

// next reads the next value of the row and the comma behind it. A brace that is not quoted is a value of its own. An
// empty value is one between two commas. It reports false at the end of the row or at a comment.
func (a *arff) next() (value []byte, quoted, ok bool) {
	value, quoted, ok = a.peek()
	if ok && (quoted || string(value) != "{") {
		a.row = bytes.TrimLeft(a.row, " \t")
		if len(a.row) > 0 && a.row[0] == ',' {
			a.row = a.row[1:]
		}
	}
	return value, quoted, ok
}

// peek reads the next value alone, and moves to its end.
func (a *arff) peek() (value []byte, quoted, ok bool) {
	a.row = bytes.TrimLeft(a.row, " \t")
	b := a.row
	switch {
	case len(b) == 0 || b[0] == '%':
		return nil, false, false
	case b[0] == ',':
		return nil, false, true
	case b[0] == '{' || b[0] == '}':
		a.row = b[1:]
		return b[:1], false, true
	case b[0] == '\'' || b[0] == '"':
		return a.quoted(b), true, true
	}
	end := bytes.IndexAny(b, " \t,%{}")
	if end < 0 {
		end = len(b)
	}
	a.row = b[end:]
	return b[:end], false, true
}

// quoted reads the value whose quote is at b[0].
func (a *arff) quoted(b []byte) []byte {
	a.text = a.text[:0]
	for i := 1; i < len(b); {
		switch c := b[i]; {
		case c == b[0]:
			a.row = b[i+1:]
			return a.text
		case c == '\\' && i+1 < len(b):
			i += a.unescape(b[i:])
		default:
			a.text = append(a.text, c)
			i++
		}
	}
	a.fail(event.Syntax, "a quote that does not close on its line")
	a.row = nil
	return a.text
}

// escapes are those of Java's StreamTokenizer, which Weka reads with.
var escapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f', 'a': 7, 'v': '\v'}

// unescape adds what the escape at b[0] means, and returns its size.
func (a *arff) unescape(b []byte) int {
	if b[1] == 'u' && len(b) >= 6 {
		if r, err := strconv.ParseUint(string(b[2:6]), 16, 16); err == nil {
			a.text = utf8.AppendRune(a.text, rune(r))
			return 6
		}
	}
	if c, ok := escapes[b[1]]; ok {
		a.text = append(a.text, c)
		return 2
	}
	size := 1
	for size < min(len(b), 4) && b[size] >= '0' && b[size] <= '7' {
		size++
	}
	if c, err := strconv.ParseUint(string(b[1:size]), 8, 8); err == nil {
		a.text = utf8.AppendRune(a.text, rune(c))
		return size
	}
	a.text = append(a.text, b[1])
	return 2
}

// dateParts are the letters of Java's SimpleDateFormat as package time has them. Longer ones come first.
var dateParts = []struct{ java, layout string }{
	{"yyyy", "2006"}, {"yy", "06"}, {"y", "2006"}, {"MMMM", "January"}, {"MMM", "Jan"}, {"MM", "01"}, {"M", "1"},
	{"dd", "02"}, {"d", "2"}, {"HH", "15"}, {"H", "15"}, {"hh", "03"}, {"h", "3"}, {"mm", "04"}, {"m", "4"},
	{"ss", "05"}, {"s", "5"}, {".SSS", ".000"}, {",SSS", ",000"}, {"EEEE", "Monday"}, {"EEE", "Mon"}, {"a", "PM"},
	{"XXX", "Z07:00"}, {"XX", "Z0700"}, {"X", "Z07"}, {"Z", "-0700"}, {"z", "MST"},
}

// layout translates a pattern of Java's SimpleDateFormat. Dates without a zone are in UTC.
func layout(pattern string) (string, error) {
	var out strings.Builder
	for rest := pattern; rest != ""; {
		if rest[0] == '\'' { // text, and two quotes are one
			text, after, _ := strings.Cut(rest[1:], "'")
			if text == "" {
				text = "'"
			}
			out.WriteString(text)
			rest = after
			continue
		}
		known := false
		for _, p := range dateParts {
			if strings.HasPrefix(rest, p.java) {
				out.WriteString(p.layout)
				rest, known = rest[len(p.java):], true
				break
			}
		}
		if known {
			continue
		}
		if c := rest[0]; c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return "", fmt.Errorf("the date pattern %q has %q: want y, M, d, H, h, m, s, .SSS, E, a, X, Z, z and "+
				"quoted text", pattern, c)
		}
		out.WriteByte(rest[0])
		rest = rest[1:]
	}
	return out.String(), nil
}
