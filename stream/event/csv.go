package event

import "unicode/utf8"

// csvParser reads rows of csv in any dialect. A quoted cell may hold line ends.
type csvParser struct {
	columns
	cells  cellReader
	header *headerRow // nil if there can be none
}

func newCSV(d *Decoder) parser {
	dialect := d.options.Dialect
	separator := dialect.DelimiterText()
	d.endings = &fieldEndings{separator[0], separator[0], false}
	p := &csvParser{columns: newColumns(d, dialect), cells: dialect.reader()}
	p.header = newHeaderRow(d.options.Columns, &p.cells)
	d.table = p
	return p
}

// csvCells is Format.Cells of csv.
func csvCells(row []byte, d Dialect) ([]string, error) { return d.Cells(row) }

// parse implements parser.
func (p *csvParser) parse(b []byte) {
	b = line(b)
	i := 0
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
	cell, next := p.cells.next(line(p.value), i, &p.text)
	if next < 0 || !utf8.Valid(cell) || !p.takeTemplate(k, cell) {
		return -1
	}
	return next
}
