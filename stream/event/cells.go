package event

import "bytes"

// cellReader finds the cells of rows. It is the one place that knows quoting and escaping: the parser, the splitting of
// files into rows and the tools that change rows use it.
type cellReader struct {
	delimiter, quote, escape int // a byte, or none
	blanks                   bool
	stops                    [256]bool // bytes with a meaning in a cell that is not quoted
	at                       int       // where the row is malformed
}

const none = -1

// What cellReader's methods return for the next offset of a malformed row.
const (
	neverClosed = -1 - iota // a quoted cell, up to the row's end
	afterQuote              // something is between the closing quote and the delimiter
	lineEnd                 // a line ends in a cell that is not quoted
	escapeEnd               // the row's last byte is an escape
)

func (d Dialect) reader() cellReader {
	c := cellReader{delimiter: int(d.DelimiterText()[0]), quote: none, escape: none, blanks: d.Delimiter == Blanks}
	if quote := d.quote(); quote != NoQuote {
		c.quote = int(quote[0])
	}
	if d.Escape != "" {
		c.escape = int(d.Escape[0])
	}
	for _, b := range []int{c.delimiter, c.quote, c.escape, '\n'} {
		if b != none {
			c.stops[b] = true
		}
	}
	c.stops['\r'] = c.escape == none // else MySQL and Python write it as it is, and escape line feeds
	c.stops['\t'] = c.stops['\t'] || c.blanks
	return c
}

// next reads the cell at b[i]. It returns its content and the offset after it, of the last byte of a delimiter or the
// row's end. The content is in b or, where something in it is replaced, in scratch.
func (c *cellReader) next(b []byte, i int, scratch *[]byte) (cell []byte, next int) {
	for c.blanks && i < len(b) && blank(b[i]) {
		i++
	}
	if i < len(b) && int(b[i]) == c.quote {
		return c.quoted(b, i, i+1, scratch)
	}
	return c.unquoted(b, i, scratch)
}

// unquoted reads a cell that is not quoted. A quote in it is a character, unless the cell is blanks and a quoted text
// in one line, as writers have it that put a blank behind each comma.
func (c *cellReader) unquoted(b []byte, i int, scratch *[]byte) (cell []byte, next int) {
	for next = i; ; next++ {
		for next < len(b) && !c.stops[b[next]] {
			next++
		}
		switch {
		case next == len(b), c.separates(b[next]):
			return b[i:next], c.separator(b, next)
		case int(b[next]) == c.quote:
			if next == i || len(trim(b[i:next])) > 0 {
				continue
			}
			text, end := c.quoted(b, next, next+1, scratch)
			if end >= 0 && bytes.IndexByte(b[next:end], '\n') < 0 {
				return text, end
			}
		case int(b[next]) == c.escape:
			return c.escaped(b, i, next, scratch)
		default:
			c.at = next
			return nil, lineEnd
		}
	}
}

func (c *cellReader) separates(b byte) bool { return int(b) == c.delimiter || c.blanks && b == '\t' }

// separator returns the last offset of the delimiter at b[i]; blanks at the row's end are none.
func (c *cellReader) separator(b []byte, i int) int {
	if !c.blanks {
		return i
	}
	for i < len(b) && blank(b[i]) {
		i++
	}
	if i < len(b) {
		return i - 1
	}
	return i
}

// quoted reads on at b[i] in a cell whose quote is at start, up to its closing quote and the blanks after it.
func (c *cellReader) quoted(b []byte, start, i int, scratch *[]byte) (cell []byte, next int) {
	text, from := (*scratch)[:0], i
	for {
		i = c.meaning(b, i)
		if i >= len(b) || int(b[i]) != c.quote && i+1 == len(b) {
			c.at = start
			return nil, neverClosed
		}
		if int(b[i]) == c.quote {
			if i+1 == len(b) || int(b[i+1]) != c.quote {
				break
			}
			text = append(text, b[from:i+1]...)
		} else {
			text = c.unescape(append(text, b[from:i]...), b[i+1])
		}
		i += 2
		from = i
	}
	cell = b[from:i]
	if len(text) > 0 {
		text = append(text, cell...)
		*scratch, cell = text, text
	}
	c.at = i + 1
	for i++; i < len(b) && blank(b[i]) && !c.separates(b[i]); i++ {
	}
	if i < len(b) && !c.separates(b[i]) {
		return nil, afterQuote
	}
	return cell, c.separator(b, i)
}

// meaning returns the offset of the first quote or escape at or after b[i].
func (c *cellReader) meaning(b []byte, i int) int {
	if c.escape == none {
		if n := bytes.IndexByte(b[i:], byte(c.quote)); n >= 0 {
			return i + n
		}
		return len(b)
	}
	for i < len(b) && int(b[i]) != c.quote && int(b[i]) != c.escape {
		i++
	}
	return i
}

// escaped reads on in a cell that is not quoted, begins at b[i] and has its first escape at b[at].
func (c *cellReader) escaped(b []byte, i, at int, scratch *[]byte) (cell []byte, next int) {
	text := append((*scratch)[:0], b[i:at]...)
	for at < len(b) && !c.separates(b[at]) {
		switch x := b[at]; {
		//mutation:escape-in-quotes
		case int(x) == c.escape && c.plainEscape(b[at+1:]):
			text = append(text, x)
		case int(x) == c.escape && at+1 == len(b):
			c.at = at
			return nil, escapeEnd
		case int(x) == c.escape:
			text = c.unescape(text, b[at+1])
			if at += 2; at < len(b) && b[at] == '\n' && b[at-1] == '\r' {
				text, at = append(text, '\n'), at+1
			}
			continue
		case x == '\n':
			c.at = at
			return nil, lineEnd
		default:
			text = append(text, x)
		}
		at++
	}
	*scratch = text
	if at == i+2 && b[i+1] == 'N' { // NULL, one of MissingWords
		text = b[i:at]
	}
	return text, c.separator(b, at)
}

// plainEscape reports whether an escape before rest, in a cell that is not quoted, is a character. Where there are
// quotes, Python escapes only quotes and escapes there, and Spark nothing.
func (c *cellReader) plainEscape(rest []byte) bool {
	return c.quote != none && (len(rest) == 0 || int(rest[0]) != c.quote && int(rest[0]) != c.escape)
}

// unescape appends what an escape and x mean. Python, and so pandas, escapes quotes, delimiters, line ends and escapes;
// MySQL, Hive and PostgreSQL write letters for control characters, too.
func (c *cellReader) unescape(dst []byte, x byte) []byte {
	if n := bytes.IndexByte([]byte("0bnrtZfv"), x); n >= 0 && c.escape == '\\' {
		x = "\x00\b\n\r\t\x1a\f\v"[n]
	}
	return append(dst, x)
}

// Cells splits a row, with or without its line end.
func (d Dialect) Cells(row []byte) (cells []string, err error) {
	c, b := d.reader(), line(row)
	var scratch []byte
	for i := 0; ; i++ {
		cell, next := c.next(b, i, &scratch)
		if next < 0 {
			return nil, &Error{Syntax, c.at, c.fault(d, b, next)}
		}
		cells = append(cells, string(cell))
		if i = next; i == len(b) {
			return cells, nil
		}
	}
}

// fault says what is wrong with a row for which a method returned a negative offset.
func (c *cellReader) fault(d Dialect, b []byte, next int) string {
	const remedy = "; double the quotes in it, or say --quote none"
	rest := quoted(b[c.at:])
	switch next {
	case neverClosed:
		return "the quoted cell " + rest.String() + " is not closed, in a file within 100 lines" + remedy
	case afterQuote:
		return d.DelimiterWord() + " or the row's end is expected behind the closing quote, not " + rest.String() +
			remedy
	case escapeEnd:
		return "the row ends in an escape; is it truncated?"
	}
	return "a line end within the row; send one row per event"
}

// appendCell appends a cell so that it is read as it is.
func (c *cellReader) appendCell(dst []byte, cell string) []byte {
	plain := !(c.blanks && cell == "")
	for i := 0; i < len(cell) && plain; i++ {
		plain = !c.stops[cell[i]]
	}
	switch {
	case plain:
		return append(dst, cell...)
	case c.quote == none:
		for i := range len(cell) {
			if c.escape != none && c.stops[cell[i]] {
				dst = append(dst, byte(c.escape))
			}
			dst = append(dst, cell[i])
		}
		return dst
	}
	dst = append(dst, byte(c.quote))
	for i := range len(cell) {
		switch int(cell[i]) {
		case c.quote, c.escape:
			dst = append(dst, cell[i]) // two mean one
		}
		dst = append(dst, cell[i])
	}
	return append(dst, byte(c.quote))
}
