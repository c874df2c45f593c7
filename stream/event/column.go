package event

import (
	"bytes"

	"github.com/dustin/go-humanize/english"

	"rosenblatt/learner"
	"rosenblatt/stream/internal/number"
)

// columns is what parsers of tables have in common: it makes features, a label and so on of cells.
type columns struct {
	*Decoder
	all     []column
	missing fieldRoles // the words that mean a missing value
	comma   bool       // numbers have a comma instead of a point
}

// column is one column.
type column struct {
	name string
	role role
	kind kind
	hash uint64 // of the name
}

// newColumns also fills the template, which is known before any event: a delimiter precedes each cell but the first.
// Where that or a number may be written in several ways, there is none. Names of columns are distinct.
func newColumns(d *Decoder, dialect Dialect) columns {
	separator := dialect.DelimiterText()
	d.roles.named(&d.options)
	t, all := &d.template, make([]column, 0, len(d.options.Columns))
	t.learning, t.fixed = true, true
	t.draft.reset()
	d.value = []byte(separator)
	for i, name := range d.options.Columns {
		c := column{name, d.roles.of(view(name)), d.options.kind(name), d.sum(view(name))}
		all = append(all, c)
		t.learned = 0
		d.learn(min(i, len(separator)), 0, place{role: c.role, kind: c.kind}, view(name))
	}
	t.complete(&Example{}, nil, d.options.MaxFeatures)
	p := columns{Decoder: d, all: all, comma: dialect.Decimal == DecimalComma}
	if dialect.Delimiter == Blanks || p.comma {
		t.reset()
	}
	for _, word := range d.options.Missing {
		p.missing.add(word, ignoreRole)
	}
	return p
}

// absent reports whether a cell without the blanks around it means a missing value.
func (p *columns) absent(trimmed []byte) bool { return p.missing.of(trimmed) != plainRole }

// take uses the content of cell n, at offset at. Blank cells and those after the last column have no meaning.
func (p *columns) take(n int, cell []byte, at int) {
	trimmed := trim(cell)
	if len(trimmed) == 0 || n >= len(p.all) {
		return
	}
	switch c := &p.all[n]; {
	case c.role == plainRole:
		p.featureCell(n, cell, trimmed, at)
	case p.absent(trimmed):
	case c.role == textRole:
		p.addText(view(c.name), 0, cell)
	default:
		p.takeRole(c.role, cell, trimmed)
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
		p.labels.word(p.Decoder, trimmed)
	case weightRole:
		if _, k := p.number(cell); p.comma && k == number.Word { // a point separates thousands there
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

// featureCell adds a feature: a number, or else a word, of which blanks are part (RFC 4180, section 2.4).
func (p *columns) featureCell(n int, cell, trimmed []byte, at int) {
	c := &p.all[n]
	switch v, k := p.cellNumber(c.kind, trimmed); {
	case k == number.Finite:
		p.addHashed(c.hash, view(c.name), v, learner.Numeric, false)
	case p.absent(trimmed):
	case k == number.NotFinite:
		p.notFinite(at, view(c.name), trimmed)
	default:
		//mutation:stray-words
		if c.kind == numberKind {
			p.strays = append(p.strays, n)
		}
		p.addWord(view(c.name), 0, cell)
	}
}

// cellNumber reads a cell of a feature. In a column of words all is a word. Where nothing says that the column holds
// numbers, so is what looks like a number over the limit, as the code 04e09220 does.
func (p *columns) cellNumber(of kind, trimmed []byte) (v float64, k number.Kind) {
	//mutation:words-of-digits
	if of == wordKind {
		return 0, number.Word
	}
	v, k = p.number(trimmed)
	//mutation:code-over-limit
	if of == anyKind && k == number.Finite && !(v >= -limit && v <= limit) {
		return 0, number.Word
	}
	return v, k
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
	switch v, as := p.cellNumber(k.kind, trimmed); {
	case as == number.Finite:
		return p.addTemplateNumber(k, v)
	case p.absent(trimmed):
		return true
	case as == number.Word && k.kind != numberKind: // featureCell counts the others
		return p.addTemplateWord(k, cell)
	}
	return false
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
