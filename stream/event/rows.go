package event

import "bytes"

// Rows tells where rows end in lines of text. It belongs to one goroutine.
type Rows struct {
	cells   cellReader
	scratch []byte
	state   rowState
}

// rowState is how the lines of a row so far end.
type rowState uint8

const (
	complete rowState = iota
	inQuotes
	inEscape // with an escape before the line end, in a cell that is not quoted
	broken
)

// Rows returns what joins lines to rows; nil if every line is a row.
func (d Dialect) Rows() *Rows {
	c := d.reader()
	if c.quote == none && c.escape == none {
		return nil
	}
	return &Rows{cells: c}
}

// Begin reports whether a row that begins with this line goes on in the next one.
func (r *Rows) Begin(line []byte) bool {
	r.state = complete
	c := &r.cells
	if c.escape == none && r.closes(line) || c.escape != none && bytes.IndexByte(line, byte(c.escape)) < 0 &&
		(c.quote == none || bytes.IndexByte(line, byte(c.quote)) < 0) {
		return false
	}
	more, _ := r.More(line)
	return more
}

// closes reports whether the quotes of a line show that no quoted cell is open behind it, without a look at its cells.
// Each quote is found by itself: a line has few, and many cells.
func (r *Rows) closes(line []byte) bool {
	c, quote := &r.cells, byte(r.cells.quote)
	for at := 0; ; {
		n := bytes.IndexByte(line[at:], quote)
		if n < 0 {
			return true
		}
		at += n
		if at > 0 && !c.separates(line[at-1]) {
			if blank(line[at-1]) {
				return false // the cell may be blanks and a quoted text
			}
			at++
			continue
		}
		for at++; ; at += 2 { // two quotes mean one
			n := bytes.IndexByte(line[at:], quote)
			if n < 0 {
				return false
			}
			if at += n; at+1 == len(line) || line[at+1] != quote {
				break
			}
		}
		at++
	}
}

// More reports whether the row goes on in the line after this one. The row is not well formed if broken is true.
func (r *Rows) More(text []byte) (more, wrong bool) {
	r.state = r.after(line(text))
	return r.state == inQuotes || r.state == inEscape, r.state == broken
}

func (r *Rows) after(b []byte) rowState {
	c, i, next := &r.cells, 0, 0
	switch r.state {
	case inQuotes:
		_, next = c.quoted(b, 0, 0, &r.scratch)
	case inEscape:
		_, next = c.unquoted(b, 0, &r.scratch)
	default:
		_, next = c.next(b, 0, &r.scratch)
	}
	for ; next >= 0 && next < len(b); _, next = c.next(b, i, &r.scratch) {
		i = next + 1
	}
	switch next {
	case neverClosed:
		return inQuotes
	case escapeEnd:
		return inEscape
	case len(b):
		return complete
	}
	return broken
}
