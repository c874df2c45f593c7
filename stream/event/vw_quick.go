package event

import (
	"bytes"
	"encoding/binary"
	"math"

	"rosenblatt/learner"
)

// vwState is what the vw parser remembers of earlier events.
type vwState struct {
	space  []byte     // the namespace of json.shape's keys, with its ^
	starts [2]vwStart // of events in that namespace
	next   int        // which start is replaced next
	quick  bool       // the last event that was no quick one could have been
}

// vwStart is how events begin, up to where the features do: the bytes that told label and weight, and the name of the namespace.
// Most streams have two starts, one for each label.
type vwStart struct {
	head, mask uint64 // the bytes, the lowest first, and which bits of them count
	size       int    // how many bytes; 0 for none
	example    Example
}

// vwQuick reads an event with a start that is known and nothing behind it but features of the shape. Such an event is looked at
// only once: as pieces of events that were good, and numbers, it is UTF-8 on one line. If it is another kind of event,
// nothing is said of it.
func (d *Decoder) vwQuick(key, value []byte, arena []learner.Feature, e *Example) bool {
	if most := d.options.MaxBytes; len(value) < 8 || len(value) > most || len(key) > most {
		return false
	}
	head := binary.LittleEndian.Uint64(value)
	s := &d.vw.starts[0]
	if (head^s.head)&s.mask != 0 {
		s = &d.vw.starts[1]
	}
	if (head^s.head)&s.mask != 0 || s.size == 0 {
		return false
	}
	d.arena, d.start = arena, len(arena)
	if end := d.vwFollow(value, s.size); end < len(value) || len(d.arena) == len(arena) {
		d.vw.quick = false
		return false
	}
	d.json.shape.misses = 0
	*e = s.example
	e.Start, e.End, e.Names = len(arena), len(d.arena), d.json.shape.list()
	return true
}

// vwRemember takes the start of an event that was read to its end; b[bar] is its first bar.
func (d *Decoder) vwRemember(b []byte, bar int) {
	e, end := d.example, vwWord(b, bar+1)
	switch {
	case d.visit != nil || d.failed.reason != OK || d.unfit.reason != OK:
		return
	case e.ID != nil || e.Class != nil: // they are the event's own
		return
	case end > 8 || len(b) < 8 || string(b[bar+1:end]) != string(bytes.TrimSuffix(d.vw.space, []byte("^"))):
		return // too long to be compared at a stroke, or with a scale, or of another namespace
	}
	d.vw.quick = d.json.shape.pending != 0 && d.json.shape.pending == len(d.arena)-d.start
	s := vwStart{head: binary.LittleEndian.Uint64(b), mask: math.MaxUint64 >> (64 - 8*end), size: end, example: *e}
	for i := range d.vw.starts {
		if old := &d.vw.starts[i]; old.size == end && (old.head^s.head)&s.mask == 0 {
			return
		}
	}
	d.vw.starts[d.vw.next] = s
	d.vw.next = 1 - d.vw.next
}
