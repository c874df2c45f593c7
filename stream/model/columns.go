package model

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"rosenblatt/checkpoint"
	"rosenblatt/learner"
)

// modelSections are the columns of a model as sections of a checkpoint, little-endian.
func modelSections(p *Processor) []checkpoint.Section {
	var out []checkpoint.Section
	for _, c := range p.columns() {
		out = append(out, columnSection(c))
	}
	return out
}

func columnSection(c learner.Column) checkpoint.Section {
	switch {
	case c.Float64 != nil:
		return checkpoint.Section{Name: c.Name, Size: int64(len(c.Float64)) * 8, Write: func(w io.Writer) error { return writeFloats(w, c.Float64) }}
	case c.Uint16 != nil:
		return checkpoint.Section{Name: c.Name, Size: int64(len(c.Uint16)) * 2, Write: func(w io.Writer) error { return writeUint16s(w, c.Uint16) }}
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

// loadModel fills an untrained model from a checkpoint.
func loadModel(p *Processor, f *checkpoint.File, h *Header) error {
	if p.Multi != nil {
		if h.Classes == nil {
			return errors.New("no classes in the header")
		}
		if err := p.Multi.Begin(*h.Classes); err != nil {
			return err
		}
	}
	var texts [][]byte
	for _, c := range p.columns() {
		b, ok := f.Section(c.Name)
		switch {
		case !ok:
			return fmt.Errorf("no section %q", c.Name)
		case c.Float64 != nil:
			if len(b) != 8*len(c.Float64) {
				return fmt.Errorf("section %q has %d bytes, the model needs %d", c.Name, len(b), 8*len(c.Float64))
			}
			for i := range c.Float64 {
				c.Float64[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
			}
		case c.Uint16 != nil:
			if len(b) != 2*len(c.Uint16) {
				return fmt.Errorf("section %q has %d bytes, the model needs %d", c.Name, len(b), 2*len(c.Uint16))
			}
			for i := range c.Uint16 {
				c.Uint16[i] = binary.LittleEndian.Uint16(b[2*i:])
			}
		default:
			texts = append(texts, b)
		}
	}
	if p.Multi != nil {
		return p.Multi.Restore(*h.Classes, texts...)
	}
	return p.Model.Restore(h.Learner, texts...)
}

// carryOver gives a model of another configuration what it shares with the old one: columns of the same name and length.
func carryOver(to, from *Processor) error {
	if to.Multi != nil {
		if err := to.Multi.Begin(from.Multi.State()); err != nil {
			return err
		}
	}
	old := map[string]learner.Column{}
	var texts [][]byte
	for _, c := range from.columns() {
		old[c.Name] = c
		if c.Float64 == nil && c.Uint16 == nil {
			texts = append(texts, c.Bytes)
		}
	}
	for _, c := range to.columns() {
		if was := old[c.Name]; len(was.Float64) == len(c.Float64) && len(was.Uint16) == len(c.Uint16) {
			copy(c.Float64, was.Float64)
			copy(c.Uint16, was.Uint16)
		}
	}
	if to.Multi != nil {
		return to.Multi.Restore(from.Multi.State(), texts...)
	}
	return to.Model.Restore(from.Model.State(), texts...)
}

// Inherit gives an untrained model of another configuration the score of from, and what their models share.
func (p *Processor) Inherit(from *Processor) error {
	if err := carryOver(p, from); err != nil {
		return err
	}
	if p.Multi != nil {
		from.Classes.CopyTo(p.Classes)
	}
	*p.Score = *from.Score
	return nil
}
