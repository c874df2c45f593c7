package model

import (
	"encoding/binary"
	"fmt"
	"math"

	"rosenblatt/checkpoint"
	"rosenblatt/learner"
)

// sections are the columns of a model, little-endian, their names behind a prefix.
func (p *Processor) sections(prefix string) []checkpoint.Section {
	var out []checkpoint.Section
	for _, c := range p.table.Columns() {
		s := columnSection(c)
		s.Name = prefix + s.Name
		out = append(out, s)
	}
	return out
}

// columnSection refuses weights that are not finite. It is a second check: the learner creates no such weight.
func columnSection(c learner.Column) checkpoint.Section {
	size := elementSize(c)
	section := checkpoint.Bytes(c.Name, c.Bytes)
	section.Changed = func(yield func(from, to int64) bool) {
		for from, to := range c.Changed {
			if !yield(size*int64(from), size*int64(to)) {
				return
			}
		}
	}
	switch {
	case c.Float64 != nil:
		section.Size = size * int64(len(c.Float64))
		section.Append = func(dst []byte, from, to int64) ([]byte, error) {
			return appendFinite(dst, c.Name, c.Float64, int(from/size), int(to/size))
		}
	case c.Uint16 != nil:
		section.Size = size * int64(len(c.Uint16))
		section.Append = func(dst []byte, from, to int64) ([]byte, error) {
			return binary.Append(dst, binary.LittleEndian, c.Uint16[from/size:to/size])
		}
	}
	return section
}

// elementSize is the size of a column's elements in bytes.
func elementSize(c learner.Column) int64 {
	switch {
	case c.Float64 != nil:
		return 8
	case c.Uint16 != nil:
		return 2
	}
	return 1
}

func appendFinite(dst []byte, name string, numbers []float64, from, to int) ([]byte, error) {
	const exponent = 0x7ff << 52
	for i, v := range numbers[from:to] {
		bits := math.Float64bits(v)
		if bits&exponent == exponent {
			return nil, fmt.Errorf("column %s holds %v at %d: not written", name, v, from+i)
		}
		dst = binary.LittleEndian.AppendUint64(dst, bits)
	}
	return dst, nil
}

// load reads the columns and figures of a learner, of names with a prefix. The header has the short part of its state.
func (p *Processor) load(f *checkpoint.File, h *Header, prefix string) error {
	if err := p.task.begin(h); err != nil {
		return err
	}
	var texts [][]byte
	for _, c := range p.table.Columns() {
		name := prefix + c.Name
		b, ok := f.Section(name)
		if !ok {
			return fmt.Errorf("no section %q", name)
		}
		if c.Float64 == nil && c.Uint16 == nil {
			texts = append(texts, b)
			continue
		}
		if size := 8*len(c.Float64) + 2*len(c.Uint16); len(b) != size {
			return fmt.Errorf("section %q has %d bytes, the model needs %d", name, len(b), size)
		}
		var to any = c.Float64
		if c.Uint16 != nil {
			to = c.Uint16
		}
		if _, err := binary.Decode(b, binary.LittleEndian, to); err != nil {
			return fmt.Errorf("section %q: %w", name, err)
		}
	}
	if err := p.task.restore(h, texts); err != nil {
		return err
	}
	p.markChanged(f, prefix)
	if err := p.loadFigures(f, prefix); err != nil {
		return err
	}
	return p.loadDecision(f, prefix)
}

// markChanged notes what differs from the file that the next checkpoint may build on.
func (p *Processor) markChanged(f *checkpoint.File, prefix string) {
	p.base = f.Base
	p.table.ClearChanged()
	changed := map[string][][2]int64{}
	for _, s := range f.Sections {
		changed[s.Name] = s.Changed
	}
	for _, c := range p.table.Columns() {
		size := elementSize(c)
		for _, r := range changed[prefix+c.Name] {
			c.MarkChanged(int(r[0]/size), int((r[1]+size-1)/size))
		}
	}
}
