package event

import (
	"bytes"
	"encoding/binary"
	"math"

	"rosenblatt/learner"
)

// vwStart is how events begin, up to their features: label, weight and the name of the namespace. Most streams have two
// starts, one for each label.
type vwStart struct {
	head, mask uint64 // the bytes in little-endian order, and which bits of them count
	size       int    // in bytes; 0 for none
	example    Example
}

// parseSinglePass implements singlePassParser. An event fits if it has a known start, and then only features of the
// template.
func (p *vwParser) parseSinglePass(key, value []byte, arena []learner.Feature, e *Example) bool {
	if most := p.options.MaxBytes; len(value) < 8 || len(value) > most || len(key) > most {
		return false
	}
	head := binary.LittleEndian.Uint64(value)
	s := &p.starts[0]
	if (head^s.head)&s.mask != 0 {
		s = &p.starts[1]
	}
	if (head^s.head)&s.mask != 0 || s.size == 0 {
		return false
	}
	d := p.Decoder
	d.arena, d.start = arena, len(arena)
	if end := p.templateFeatures(value, s.size); end < len(value) || len(d.arena) == len(arena) {
		d.ready = false
		return false
	}
	d.template.misses = 0
	*e = s.example
	e.Start, e.End, e.Names = len(arena), len(d.arena), d.template.list()
	return true
}

// learnStart stores the start of an event that was read to its end; b[bar] is its first bar.
func (p *vwParser) learnStart(b []byte, bar int) {
	e, end := p.example, vwWord(b, bar+1)
	switch {
	case p.visit != nil || p.failed.Reason != OK || p.unfit.Reason != OK:
		return
	case e.ID != nil || e.Class != nil: // they differ from event to event
		return
	case end > 8 || len(b) < 8 || string(b[bar+1:end]) != string(bytes.TrimSuffix(p.namespace, []byte("^"))):
		return // too long for a single comparison, or with a scale, or of another namespace
	}
	p.ready = p.template.matched != 0 && p.template.matched == len(p.arena)-p.start
	s := vwStart{head: binary.LittleEndian.Uint64(b), mask: math.MaxUint64 >> (64 - 8*end), size: end, example: *e}
	for i := range p.starts {
		if old := &p.starts[i]; old.size == end && (old.head^s.head)&s.mask == 0 {
			return
		}
	}
	p.starts[p.nextStart] = s
	p.nextStart = 1 - p.nextStart
}
