package event

import "rosenblatt/learner"

// frame remembers what stood around the values of an earlier event whose features were those of the shape: most producers write
// the same fields in the same order again and again. An event that does so is looked at only once: as pieces of an event that was
// good, numbers and plain strings, it is UTF-8, well formed, and without doubles. What is decoded is the same either way.
type frame struct {
	ready bool // an event may fit: the last one that was tried did
	wait  int  // events until another frame may be learned, which bounds what learning in vain costs
	parts []part
	text  []byte // of all parts, one behind the other
	tail  []byte // what stands behind the last value
}

// part is one member of the event.
type part struct {
	before shapeKey // what stands before its value, from the end of the value before
	role   role
}

// maxParts bounds the memory that one event of very many fields would leave behind.
const maxParts = 64

// jsonQuick reads an event that fits the frame. If it is another kind of event, nothing is said of it.
func (d *Decoder) jsonQuick(key, value []byte, arena []learner.Feature, e *Example) bool {
	f := &d.json.frame
	if most := d.options.MaxBytes; len(value) > most || len(key) > most {
		return false
	}
	*e = Example{Weight: 1, Start: len(arena)}
	d.value, d.example, d.arena, d.start, d.failed = value, e, arena, len(arena), failure{}
	if f.ready = d.framed(); !f.ready {
		return false
	}
	f.wait = max(f.wait-1, 0)
	d.json.shape.misses = 0
	e.End, e.Names = len(d.arena), d.json.shape.list()
	return true
}

// framed reads the event's members.
func (d *Decoder) framed() bool {
	f, b, i := &d.json.frame, d.value, 0
	for k := range f.parts {
		p := &f.parts[k]
		if !p.before.at(b, i, f.text) {
			return false
		}
		if i += p.before.size; i >= len(b) {
			return false
		}
		if p.role == featuresRole {
			closed := false
			if i, closed = d.follow(i); !closed {
				return false
			}
		} else if i = d.scalar(i, p.role); i < 0 {
			return false
		}
	}
	return d.failed.reason == OK && string(b[i:]) == string(f.tail)
}

// scalar reads a value that is neither an object nor an array, and if it is a string one in ASCII and without escapes.
func (d *Decoder) scalar(i int, r role) (next int) {
	end := -1 // of a string
	switch b := d.value; b[i] {
	case '{', '[':
		return -1
	case '"':
		if end = direct(b, i+1); end < 0 {
			return -1
		}
	}
	switch {
	case r == labelRole:
		return d.labelField(i)
	case r == weightRole:
		return d.weightField(i)
	case end < 0 && r == idRole:
		return d.idField(i)
	case end < 0:
		return d.skip(i)
	case r == idRole:
		d.example.ID, d.example.IDIsJSON = d.value[i:end], true
	}
	return end
}

// direct gives the offset behind the string whose first byte is b[i], when each byte of it stands for itself, for one character; else -1.
func direct(b []byte, i int) int {
	for i < len(b) && b[i]-' ' < 0x80-' ' && b[i] != '\\' && b[i] != '"' {
		i++
	}
	if i >= len(b) || b[i] != '"' {
		return -1
	}
	return i + 1
}

// frameLearn takes the frame of the event at hand, which has been read to its end.
func (d *Decoder) frameLearn() {
	f := &d.json.frame
	if f.wait = max(f.wait-1, 0); f.wait > 0 || d.failed.reason != OK || d.json.shape.pending == 0 {
		return // the features did not come by the shape, or not all of them
	}
	f.wait = relearn
	f.parts, f.text = f.parts[:0], f.text[:0]
	f.ready = d.dissect()
}

// dissect takes the frame apart. False: there is a member of another kind, or there are too many.
func (d *Decoder) dissect() bool {
	f, b := &d.json.frame, d.value
	for end, i := 0, space(b, 0)+1; ; i++ { // behind the brace or a comma
		var key []byte
		if key, i = d.key(space(b, i)); i < 0 {
			return false
		}
		r, next := d.outer.role(key), d.skip(i)
		switch {
		case len(f.parts) == maxParts, r == textRole, r != featuresRole && (b[i] == '{' || b[i] == '['):
			return false
		case r == featuresRole:
			i = space(b, i+1)
		}
		f.text = append(f.text, b[end:i]...)
		f.parts = append(f.parts, part{textKey(b[end:i], len(f.text)), r})
		end, i = next, space(b, next)
		if b[i] == '}' {
			f.tail = append(f.tail[:0], b[end:]...)
			return true
		}
	}
}
