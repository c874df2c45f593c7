package model

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"rosenblatt/checkpoint"
	"rosenblatt/learner"
)

// sections are the columns of a model, little-endian.
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
		return numberSection(c.Name, c.Float64)
	case c.Uint16 != nil:
		return numberSection(c.Name, c.Uint16)
	}
	return bytesSection(c.Name, c.Bytes)
}

// pageBytes is how much is encoded before it is written.
const pageBytes = 64 << 10

func numberSection[T float64 | uint16](name string, numbers []T) checkpoint.Section {
	size := binary.Size(T(0))
	return checkpoint.Section{Name: name, Size: int64(len(numbers) * size), Write: func(w io.Writer) (err error) {
		page := make([]byte, 0, pageBytes)
		for part := range slices.Chunk(numbers, pageBytes/size) {
			if page, err = binary.Append(page[:0], binary.LittleEndian, part); err != nil {
				return err
			}
			if _, err := w.Write(page); err != nil {
				return err
			}
		}
		return nil
	}}
}

func bytesSection(name string, b []byte) checkpoint.Section {
	return checkpoint.Section{Name: name, Size: int64(len(b)), Write: func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	}}
}

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
		if c.Float64 == nil && c.Uint16 == nil {
			texts = append(texts, b)
			continue
		}
		if size := 8*len(c.Float64) + 2*len(c.Uint16); len(b) != size {
			return fmt.Errorf("section %q has %d bytes, the model needs %d", c.Name, len(b), size)
		}
		var to any = c.Float64
		if c.Uint16 != nil {
			to = c.Uint16
		}
		if _, err := binary.Decode(b, binary.LittleEndian, to); err != nil {
			return fmt.Errorf("section %q: %w", c.Name, err)
		}
	}
	return p.task.restore(h, texts)
}
