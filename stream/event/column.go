package event

import (
	"bytes"

	"rosenblatt/learner"
	"rosenblatt/stream/internal/number"
)

// columns is what parsers of tables have in common: it makes features, a label and so on of cells.
type columns struct {
	*Decoder
	all       []column
	separator byte // of cells
}

// column is one column.
type column struct {
	name string
	role role
	hash uint64 // of the name
	key  int    // the index of its feature in featureTemplate.keys; -1 if it has none
}

// newColumns also fills the feature template, which is known before any event. Names of columns are distinct.
func newColumns(d *Decoder, separator byte) columns {
	d.roles.named(&d.options)
	t, all := &d.template, make([]column, 0, len(d.options.Columns))
	for _, name := range d.options.Columns {
		c := column{name, d.roles.of(view(name)), d.sum(view(name)), -1}
		if c.role == plainRole && len(t.keys) < d.options.MaxFeatures {
			c.key = len(t.keys)
			t.keys = append(t.keys, templateKey{hash: c.hash, feature: d.numeric(c.hash)})
		}
		all = append(all, c)
	}
	return columns{d, all, separator}
}

// numberCell reads cell n, at b[i], if it is a feature's and consists of a short number. It returns the offset after
// it, else -1. As long as all columns so far held numbers, Decoder.seen is not needed (see featureTemplate.matched).
func (p *columns) numberCell(b []byte, i, n int) int {
	if n >= len(p.all) || p.all[n].role != plainRole {
		return -1
	}
	v, end := number.Short(b, i)
	if end < 0 || end < len(b) && b[end] != p.separator {
		return -1
	}
	d := p.Decoder
	c, t := &p.all[n], &d.template
	if c.key != t.matched || len(d.arena)-d.start != t.matched || d.visit != nil {
		d.addHashed(c.hash, view(c.name), v, learner.Numeric, false)
		return end
	}
	f := t.keys[c.key].feature
	f.Value = v
	d.arena = append(d.arena, f)
	t.matched++
	return end
}

// take uses the content of cell n, at offset at. Blank cells and those after the last column have no meaning.
func (p *columns) take(n int, cell []byte, at int) {
	trimmed := trim(cell)
	if len(trimmed) == 0 || n >= len(p.all) {
		return
	}
	unescaped := len(p.text) != 0 && &cell[0] == &p.text[0] // in scratch memory, which is reused
	switch c := &p.all[n]; c.role {
	case ignoreRole:
	case labelRole:
		if unescaped {
			trimmed = bytes.Clone(trimmed)
		}
		p.labels.word(p.Decoder, trimmed)
	case weightRole:
		p.textWeight(trimmed)
	case idRole:
		if unescaped {
			cell = bytes.Clone(cell)
		}
		p.example.ID = cell
	case textRole:
		p.addText(view(c.name), 0, cell)
	default:
		p.featureCell(c, cell, trimmed, at)
	}
}

// featureCell adds a feature: a number, or else a word, of which blanks are part (RFC 4180, section 2.4).
func (p *columns) featureCell(c *column, cell, trimmed []byte, at int) {
	switch v, k := number.Text(trimmed); k {
	case number.Finite:
		p.addHashed(c.hash, view(c.name), v, learner.Numeric, false)
	case number.NotFinite:
		p.notFinite(at, view(c.name), trimmed)
	default:
		p.addWord(view(c.name), 0, cell)
	}
}

// endRow checks the number of cells of a row that ends at offset at.
func (p *columns) endRow(at, cells int) {
	if cells != len(p.all) {
		p.stop(Syntax, at, "the row has %d cells, but there are %d columns", cells, len(p.all))
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
