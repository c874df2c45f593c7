package event

import (
	"bytes"

	"rosenblatt/learner"
	"rosenblatt/stream/internal/number"
)

// column is a column of csv.
type column struct {
	name string
	role role
	hash uint64 // of the name
	key  int    // its feature's place in shape.keys, -1 if it has none
}

// setColumns also fills the shape, which of csv is known before any event: the columns of features. No name is there twice.
func (d *Decoder) setColumns() {
	s := &d.json.shape
	for _, name := range d.options.Columns {
		c := column{name, d.outer.role(view(name)), d.sum(view(name)), -1}
		if c.role == plainRole && len(s.keys) < d.options.MaxFeatures {
			c.key = len(s.keys)
			s.keys = append(s.keys, shapeKey{hash: c.hash,
				feature: learner.Feature{Slot: d.slot(c.hash), Print: fingerprint(c.hash), Kind: learner.Numeric}})
		}
		d.columns = append(d.columns, c)
	}
}

// parseCSV reads one row (RFC 4180). A quoted cell may hold line ends.
func (d *Decoder) parseCSV(b []byte) {
	b = line(b)
	i := 0
	for n := 0; ; n++ {
		next := d.csvNumber(b, i, n)
		if next < 0 {
			var cell []byte
			if cell, next = d.cell(b, i); next < 0 {
				return
			}
			if n < len(d.columns) {
				d.takeCell(&d.columns[n], cell, i)
			}
		}
		if i = next; i < len(b) {
			i++ // the comma
			continue
		}
		if n+1 != len(d.columns) {
			d.stop(Syntax, i, "the row has %d cells, but there are %d columns", n+1, len(d.columns))
		}
		return
	}
}

// csvNumber takes cell n, at b[i], if it is a feature's and holds a short number and nothing else, and returns the offset behind
// it; else -1. As long as all columns so far gave numbers, the table of names need not know them (see shape.pending).
func (d *Decoder) csvNumber(b []byte, i, n int) int {
	if n >= len(d.columns) || d.columns[n].role != plainRole {
		return -1
	}
	v, end := number.Short(b, i)
	if end < 0 || end < len(b) && b[end] != ',' {
		return -1
	}
	c, s := &d.columns[n], &d.json.shape
	if c.key != s.pending || len(d.arena)-d.start != s.pending || d.visit != nil {
		d.addHashed(c.hash, view(c.name), v, learner.Numeric, false)
		return end
	}
	f := s.keys[c.key].feature
	f.Value = v
	d.arena = append(d.arena, f)
	s.pending++
	return end
}

// cell reads the cell at b[i] and returns its content and the offset behind it, of a comma or the end.
func (d *Decoder) cell(b []byte, i int) (cell []byte, next int) {
	if i < len(b) && b[i] == '"' {
		return d.quotedCell(b, i)
	}
	for next = i; next < len(b) && b[next] != ','; next++ {
		switch b[next] {
		case '"':
			return nil, d.stop(Syntax, next, "a quote within a cell; quote the whole cell and double the quotes in it")
		case '\n', '\r':
			return nil, d.stop(Syntax, next, "the line ends here, but more follows; send one row an event")
		}
	}
	return b[i:next], next
}

// quotedCell reads the cell whose opening quote is at b[i]. Doubled quotes are undone in scratch memory.
func (d *Decoder) quotedCell(b []byte, i int) (cell []byte, next int) {
	from, end := i+1, i+1
	d.text = d.text[:0]
	for {
		quote := bytes.IndexByte(b[end:], '"')
		if quote < 0 {
			return nil, d.stop(Syntax, i, "the cell %v is not closed; is the event cut off?", quoted(b[i:]))
		}
		end += quote + 1
		if end >= len(b) || b[end] != '"' {
			break
		}
		d.text = append(d.text, b[from:end]...)
		end++
		from = end
	}
	if end < len(b) && b[end] != ',' {
		return nil, d.unexpected(end, "a comma or the row's end")
	}
	cell = b[from : end-1]
	if len(d.text) != 0 {
		d.text = append(d.text, cell...)
		cell = d.text
	}
	return cell, end
}

// takeCell takes the content of a cell, which lies at offset at. Blank cells say nothing.
func (d *Decoder) takeCell(c *column, cell []byte, at int) {
	trimmed := trim(cell)
	if len(trimmed) == 0 {
		return
	}
	switch c.role {
	case ignoreRole:
	case labelRole:
		if d.options.multi() && len(d.text) != 0 && &cell[0] == &d.text[0] {
			trimmed = bytes.Clone(trimmed) // scratch memory does not last
		}
		d.textLabel(trimmed)
	case weightRole:
		d.textWeight(trimmed)
	case idRole:
		if len(d.text) != 0 && &cell[0] == &d.text[0] {
			cell = bytes.Clone(cell) // scratch memory does not last
		}
		d.example.ID = cell
	case textRole:
		d.addText(view(c.name), 0, cell)
	default:
		d.csvFeature(c, cell, trimmed, at)
	}
}

// csvFeature takes a feature: a number, with blanks around it or not, or a word, to which blanks belong (RFC 4180, section 2.4).
func (d *Decoder) csvFeature(c *column, cell, trimmed []byte, at int) {
	v, k := number.Text(trimmed)
	switch k {
	case number.Finite:
		d.addHashed(c.hash, view(c.name), v, learner.Numeric, false)
	case number.NotFinite:
		d.notFinite(at, view(c.name), trimmed)
	default:
		d.addWord(view(c.name), 0, cell)
	}
}

// trim drops blanks at both ends.
func trim(b []byte) []byte {
	for len(b) > 0 && blank(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && blank(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}
