package model

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"rosenblatt/checkpoint"
	"rosenblatt/learner"
)

// sections are the columns of a model as sections of a checkpoint, little-endian.
func (p *Processor) sections() []checkpoint.Section {
	var out []checkpoint.Section
	for _, c := range p.table.Columns() {
		out = append(out, columnSection(c))
	}
	return out
}

func columnSection(c learner.Column) checkpoint.Section {
	switch {
	case c.Float64 != nil:
		return checkpoint.Section{Name: c.Name, Size: int64(len(c.Float64)) * 8,
			Write: func(w io.Writer) error { return writeFloats(w, c.Float64) }}
	case c.Uint16 != nil:
		return checkpoint.Section{Name: c.Name, Size: int64(len(c.Uint16)) * 2,
			Write: func(w io.Writer) error { return writeUint16s(w, c.Uint16) }}
	}
	return bytesSection(c.Name, c.Bytes)
}

func bytesSection(name string, b []byte) checkpoint.Section {
	return checkpoint.Section{Name: name, Size: int64(len(b)), Write: func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	}}
}

// pageBytes is how much is encoded before it is written.
const pageBytes = 64 << 10

func writeFloats(w io.Writer, v []float64) error {
	page := make([]byte, 0, pageBytes)
	for len(v) > 0 {
		n := min(len(v), pageBytes/8)
		page = page[:0]
		for _, x := range v[:n] {
			page = binary.LittleEndian.AppendUint64(page, math.Float64bits(x))
		}
		if _, err := w.Write(page); err != nil {
			return err
		}
		v = v[n:]
	}
	return nil
}

func writeUint16s(w io.Writer, v []uint16) error {
	page := make([]byte, 0, pageBytes)
	for len(v) > 0 {
		n := min(len(v), pageBytes/2)
		page = page[:0]
		for _, x := range v[:n] {
			page = binary.LittleEndian.AppendUint16(page, x)
		}
		if _, err := w.Write(page); err != nil {
			return err
		}
		v = v[n:]
	}
	return nil
}

// load fills an untrained model from a checkpoint.
func (p *Processor) load(f *checkpoint.File, h *Header) error {
	if err := p.task.begin(h); err != nil {
		return err
	}
	var texts [][]byte
	for _, c := range p.table.Columns() {
		b, ok := f.Section(c.Name)
		if !ok {
			return fmt.Errorf("no section %q", c.Name)
		}
		size, numeric := 8*len(c.Float64)+2*len(c.Uint16), c.Float64 != nil || c.Uint16 != nil
		if numeric && len(b) != size {
			return fmt.Errorf("section %q has %d bytes, the model needs %d", c.Name, len(b), size)
		}
		switch {
		case c.Float64 != nil:
			for i := range c.Float64 {
				c.Float64[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
			}
		case c.Uint16 != nil:
			for i := range c.Uint16 {
				c.Uint16[i] = binary.LittleEndian.Uint16(b[2*i:])
			}
		default:
			texts = append(texts, b)
		}
	}
	return p.task.restore(h, texts)
}
