package event

import "unicode/utf8"

// csvParser reads rows of csv in any dialect. A quoted cell may hold line ends.
type csvParser struct {
	columns
	cells  cellReader
	header *headerRow // nil if there can be none
	found  heading    // of the current row
}

func newCSV(d *Decoder) parser {
	dialect := d.options.Dialect
	separator := dialect.DelimiterText()
	d.endings = &fieldEndings{separator[0], separator[0], false}
	p := &csvParser{columns: newColumns(d, dialect), cells: dialect.reader()}
	p.header = newHeaderRow(d.options.Columns, &p.cells)
	return p
}

// csvCells is Format.Cells of csv.
func csvCells(row []byte, d Dialect) ([]string, error) { return d.Cells(row) }

// open implements parser.
func (p *csvParser) open(value, headers []byte) (whole, content []byte, skip bool) {
	whole, content, _ = p.Decoder.open(value, headers)
	p.found = p.heading(content)
	return whole, content, p.found == sameHeading
}

// parse implements parser.
func (p *csvParser) parse(whole []byte) {
	if !p.isUTF8(whole) {
		return
	}
	if p.found == otherHeading {
		p.stop(Syntax, 0, otherOrder)
		return
	}
	b, i := p.value, 0
	for n := 0; ; n++ {
		cell, next := p.cells.next(b, i, &p.text)
		if next < 0 {
			p.stop(Syntax, p.cells.at, "%s", p.cells.fault(p.options.Dialect, b, next))
			return
		}
		p.take(n, cell, i)
		if next == len(b) {
			p.endRow(next, n+1)
			return
		}
		i = next + 1 // after the delimiter
	}
}

// scalar implements parser.
func (p *csvParser) scalar(i int, k *templateKey) int {
	if p.found == otherHeading {
		return -1
	}
	cell, next := p.cells.next(p.value, i, &p.text)
	if next < 0 || !utf8.Valid(cell) || !p.takeTemplate(k, cell) {
		return -1
	}
	return next
}
