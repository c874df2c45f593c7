package event

import (
	"bytes"

	"github.com/dustin/go-humanize/english"

	"rosenblatt/stream/internal/number"
)

// columns is what parsers of tables have in common: they tell the sink of cells.
type columns struct {
	*Decoder
	all []field
}

// newColumns also fills the template, which is known before any event: a delimiter precedes each cell but the first.
// Where that or a number may be written in several ways, there is none. Names of columns are distinct.
func newColumns(d *Decoder, dialect Dialect) columns {
	separator := dialect.DelimiterText()
	d.roles.named(&d.options)
	t, all := &d.template, make([]field, 0, len(d.options.Columns))
	t.learning, t.fixed = true, true
	t.draft.reset()
	d.value = []byte(separator)
	for i, name := range d.options.Columns {
		c := field{name: view(name), hash: d.sum(view(name)), role: d.roles.of(view(name)),
			kind: d.options.kind(name)}
		c.hashed = c.kind != timeKind // its features have other names
		all = append(all, c)
		t.learned = 0
		d.learn(min(i, len(separator)), 0, place{role: c.role, kind: c.kind}, c.name)
	}
	t.complete(&Example{}, nil, d.options.MaxFeatures)
	if d.comma = dialect.Decimal == DecimalComma; d.comma || dialect.Delimiter == Blanks {
		t.reset()
	}
	return columns{d, all}
}

// take uses the content of cell n, at offset at. Blank cells and those after the last column have no meaning.
func (p *columns) take(n int, cell []byte, at int) {
	trimmed := trim(cell)
	if n >= len(p.all) {
		return
	}
	switch f := &p.all[n]; {
	case len(trimmed) == 0:
		p.noteNull(f)
	case f.role == plainRole:
		//mutation:stray-words
		if p.cell(at, f, cell, trimmed) && f.kind == numberKind {
			p.strays = append(p.strays, n)
		}
	case p.absent(trimmed):
	case f.role == textRole:
		p.addText(f, cell)
	default:
		p.takeRole(f.role, cell, trimmed)
	}
}

// takeRole uses the content of a cell that is no feature.
func (p *columns) takeRole(r role, cell, trimmed []byte) {
	unescaped := len(p.text) != 0 && &cell[0] == &p.text[0] // in scratch memory, which is reused
	if p.comma && r != idRole {
		trimmed, unescaped = withPoint(trimmed), true
	}
	switch r {
	case labelRole:
		if unescaped {
			trimmed = bytes.Clone(trimmed)
		}
		p.labels.word(&p.sink, trimmed)
	case weightRole:
		if _, k := p.cellNumber(trim(cell)); p.comma && k == number.Word { // a point separates thousands there
			p.badWeight(trimmed)
			return
		}
		p.textWeight(trimmed)
	case idRole:
		if unescaped {
			cell = bytes.Clone(cell)
		}
		p.example.ID = cell
	}
}

// takeTemplate uses the content of a cell whose key is k. It reports false if the row may have to be rejected, or
// another feature may have the same name.
func (p *columns) takeTemplate(k *templateKey, cell []byte) bool {
	trimmed := trim(cell)
	if len(trimmed) == 0 {
		return true
	}
	if k.role != plainRole {
		if !p.absent(trimmed) {
			p.takeRole(k.role, cell, trimmed)
		}
		return true
	}
	return p.addTemplateCell(k, cell, trimmed)
}

// endRow checks the number of cells of a row that ends at offset at.
func (p *columns) endRow(at, cells int) {
	if cells != len(p.all) {
		p.stop(Syntax, at, "the row has %s, but there are %d columns", english.Plural(cells, "cell", ""), len(p.all))
	}
}

// trim removes blanks at both ends.
func trim(b []byte) []byte {
	for len(b) > 0 && blank(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && blank(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}
