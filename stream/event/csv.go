package event

import (
	"bytes"
	"encoding/csv"
	"unicode/utf8"
)

// csvParser reads rows of csv (RFC 4180, but for other delimiters). A quoted cell may hold line ends.
type csvParser struct {
	columns
	delimiter byte
}

func newCSV(d *Decoder) parser {
	separator := DelimiterText(d.options.Delimiter)
	d.endings = &fieldEndings{separator[0], separator[0], false}
	return &csvParser{newColumns(d, separator), separator[0]}
}

// csvCells is Format.Cells of csv.
func csvCells(row []byte, delimiter string) ([]string, error) {
	r := csv.NewReader(bytes.NewReader(row))
	r.Comma = rune(DelimiterText(delimiter)[0])
	return r.Read()
}

// parse implements parser.
func (p *csvParser) parse(b []byte) {
	b = line(b)
	i := 0
	for n := 0; ; n++ {
		cell, next := p.cell(b, i)
		if next < 0 {
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
	cell, next := p.cell(line(p.value), i)
	if next < 0 || !utf8.Valid(cell) || !p.takeTemplate(k, cell) {
		return -1
	}
	return next
}

// cell reads the cell at b[i]. It returns its content and the offset after it, of a delimiter or the end.
func (p *csvParser) cell(b []byte, i int) (cell []byte, next int) {
	if i < len(b) && b[i] == '"' {
		return p.quotedCell(b, i)
	}
	delimiter := p.delimiter
	for next = i; next < len(b) && b[next] != delimiter; next++ {
		switch b[next] {
		case '"':
			return nil, p.stop(Syntax, next, "a quote within a cell; quote the whole cell and double the quotes in it")
		case '\n', '\r':
			return nil, p.stop(Syntax, next, "a line end within the row; send one row per event")
		}
	}
	return b[i:next], next
}

// quotedCell reads the cell whose opening quote is at b[i]. It replaces doubled quotes in scratch memory.
func (p *csvParser) quotedCell(b []byte, i int) (cell []byte, next int) {
	from, end := i+1, i+1
	p.text = p.text[:0]
	for {
		quote := bytes.IndexByte(b[end:], '"')
		if quote < 0 {
			return nil, p.stop(Syntax, i, "the cell %v is not closed; is the event truncated?", quoted(b[i:]))
		}
		end += quote + 1
		if end >= len(b) || b[end] != '"' {
			break
		}
		p.text = append(p.text, b[from:end]...)
		end++
		from = end
	}
	if end < len(b) && b[end] != p.delimiter {
		return nil, p.unexpected(end, delimiterName(p.delimiter)+" or the row's end")
	}
	cell = b[from : end-1]
	if len(p.text) != 0 {
		p.text = append(p.text, cell...)
		cell = p.text
	}
	return cell, end
}
