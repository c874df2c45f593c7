package event

import "strings"

// dialects are those under fuzz: each delimiter, each quote and escape with others of its kind.
var dialects = []Dialect{
	{Delimiter: ";", Decimal: DecimalComma}, {Delimiter: "\t"}, {Delimiter: "|"}, {Delimiter: Blanks},
	{Delimiter: Blanks, Escape: `\`}, {Delimiter: "\t", Escape: `\`}, {Delimiter: "\t", Quote: `"`}, {Quote: "'"},
	{Quote: NoQuote}, {Quote: NoQuote, Escape: "~"}, {Escape: `\`}, {Quote: "'", Escape: "~"},
	{Delimiter: Blanks, Quote: NoQuote}, {Delimiter: "~", Decimal: DecimalComma},
}

// plainCells splits a row byte by byte, each cell by the first of three readings that fits.
func plainCells(d Dialect, row string) (cells []string, ok bool) {
	for {
		if d.Delimiter == Blanks {
			row = strings.TrimLeft(row, " \t")
		}
		cell, rest, ok := plainCell(d, row)
		if !ok {
			return nil, false
		}
		cells = append(cells, cell)
		if d.Delimiter == Blanks {
			rest = strings.TrimLeft(rest, " \t")
		}
		if rest == "" {
			return cells, true
		}
		row = strings.TrimPrefix(rest, d.DelimiterText())
	}
}

func plainCell(d Dialect, s string) (cell, rest string, ok bool) {
	if d.quote() == NoQuote {
		return plainOutside(d, s)
	}
	if strings.HasPrefix(s, d.quote()) {
		return plainWithin(d, s)
	}
	if after := strings.TrimLeft(s, d.BlankBytes()); strings.HasPrefix(after, d.quote()) && d.Delimiter != Blanks {
		cell, rest, ok = plainWithin(d, after)
		if ok && !strings.Contains(after[:len(after)-len(rest)], "\n") {
			return cell, rest, true
		}
	}
	return plainOutside(d, s)
}

func plainWithin(d Dialect, s string) (cell, rest string, ok bool) {
	for i := 1; i < len(s); i++ {
		switch next := s[min(i+1, len(s)):]; {
		case s[i:i+1] == d.Escape && next != "":
			cell += plainEscape(d, next[:1])
			i++
		case s[i:i+1] != d.quote():
			cell += s[i : i+1]
		case strings.HasPrefix(next, d.quote()):
			cell += d.quote()
			i++
		default:
			rest = strings.TrimLeft(next, d.BlankBytes())
			blanks := d.Delimiter == Blanks && rest != next
			return cell, rest, rest == "" || blanks || strings.HasPrefix(rest, d.DelimiterText())
		}
	}
	return "", "", false
}

func plainOutside(d Dialect, s string) (cell, rest string, ok bool) {
	i := 0
	for ; i < len(s); i++ {
		switch next := s[i+1:]; {
		case s[i:i+1] == d.Escape && d.quote() != NoQuote && !strings.HasPrefix(next, d.quote()) &&
			!strings.HasPrefix(next, d.Escape):
			cell += d.Escape
		case s[i:i+1] == d.Escape:
			if next == "" {
				return "", "", false
			}
			cell += plainEscape(d, next[:1])
			if i++; strings.HasPrefix(next, "\r\n") {
				cell += "\n"
				i++
			}
		case s[i] == '\n', s[i] == '\r' && d.Escape == "":
			return "", "", false
		case s[i:i+1] == d.DelimiterText(), s[i] == '\t' && d.Delimiter == Blanks:
			if d.Escape != "" && s[:i] == d.Escape+"N" {
				cell = s[:i]
			}
			return cell, s[i:], true
		default:
			cell += s[i : i+1]
		}
	}
	if d.Escape != "" && s == d.Escape+"N" {
		cell = s
	}
	return cell, "", true
}

// plainEscape is what an escape and c mean.
func plainEscape(d Dialect, c string) string {
	letters := map[string]string{"0": "\x00", "b": "\b", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a", "f": "\f",
		"v": "\v"}
	if letter, known := letters[c]; known && d.Escape == `\` {
		return letter
	}
	return c
}

// pointed is a number with a point instead of the dialect's comma; what has a point is a word.
func (w *wanted) pointed(s string) string {
	if w.o.Decimal != DecimalComma {
		return s
	}
	if strings.Contains(s, ".") {
		return s + "x"
	}
	return strings.Replace(s, ",", ".", 1)
}
