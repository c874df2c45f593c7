package event

import "rosenblatt/learner"

// eventTemplate holds what was around the values of an earlier event whose features came by the feature template. An
// event that fits consists of pieces of a valid event, numbers and plain strings: so it is UTF-8, well formed, and
// without duplicate fields.
type eventTemplate struct {
	wait    int // events until another template may be learned, which bounds the cost of templates that do not pay
	members []templateMember
	text    []byte // what precedes the values, concatenated
	tail    []byte // what follows the last value
}

// templateMember is a member of the event.
type templateMember struct {
	before templateKey // what precedes its value, from the end of the value before
	role   role
}

// maxMembers bounds the memory of a template learned from an event of very many fields.
const maxMembers = 64

// parseSinglePass implements singlePassParser.
func (p *jsonParser) parseSinglePass(key, value []byte, arena []learner.Feature, e *Example) bool {
	if most := p.options.MaxBytes; len(value) > most || len(key) > most {
		return false
	}
	*e = Example{Weight: 1, Start: len(arena)}
	d := p.Decoder
	d.value, d.example, d.arena, d.start, d.failed = value, e, arena, len(arena), Error{}
	if d.ready = p.singlePassMembers(); !d.ready {
		return false
	}
	p.flat = false // the template has a features field
	t := &p.eventTemplate
	t.wait = max(t.wait-1, 0)
	d.template.misses = 0
	e.End, e.Names = len(d.arena), d.template.list()
	return true
}

// singlePassMembers reads the event's members.
func (p *jsonParser) singlePassMembers() bool {
	t, b, i := &p.eventTemplate, p.value, 0
	for k := range t.members {
		m := &t.members[k]
		if !m.before.at(b, i, t.text) {
			return false
		}
		if i += m.before.size; i >= len(b) {
			return false
		}
		if m.role == featuresRole {
			closed := false
			if i, closed = p.templateMembers(i); !closed {
				return false
			}
		} else if i = p.scalar(i, m.role); i < 0 {
			return false
		}
	}
	return p.failed.Reason == OK && string(b[i:]) == string(t.tail)
}

// scalar reads a value that is neither an object nor an array and, if it is a string, is ASCII without escapes.
func (p *jsonParser) scalar(i int, r role) (next int) {
	end := -1 // of a string
	switch b := p.value; b[i] {
	case '{', '[':
		return -1
	case '"':
		if end = literalString(b, i+1); end < 0 {
			return -1
		}
	}
	switch {
	case r == labelRole:
		return p.labelField(i)
	case r == weightRole:
		return p.weightField(i)
	case end < 0 && r == idRole:
		return p.idField(i)
	case end < 0:
		return p.skip(i)
	case r == idRole:
		p.example.ID, p.example.IDIsJSON = p.value[i:end], true
	}
	return end
}

// literalString returns the offset after the string whose first byte is b[i] if it is printable ASCII without escapes;
// else -1.
func literalString(b []byte, i int) int {
	for i < len(b) && b[i]-' ' < 0x80-' ' && b[i] != '\\' && b[i] != '"' {
		i++
	}
	if i >= len(b) || b[i] != '"' {
		return -1
	}
	return i + 1
}

// learnEvent makes a template of the current event, which has been read to its end.
func (p *jsonParser) learnEvent() {
	t := &p.eventTemplate
	if t.wait = max(t.wait-1, 0); t.wait > 0 || p.failed.Reason != OK || p.template.matched == 0 {
		return // not all features came by the feature template
	}
	t.wait = relearnAfter
	t.members, t.text = t.members[:0], t.text[:0]
	p.ready = p.learnMembers()
}

// learnMembers adds the event's members to the template. It reports false if a member cannot be in a template or if
// there are too many.
func (p *jsonParser) learnMembers() bool {
	t, b := &p.eventTemplate, p.value
	for end, i := 0, space(b, 0)+1; ; i++ { // after the brace or a comma
		var key []byte
		if key, i = p.key(space(b, i)); i < 0 {
			return false
		}
		r, next := p.roles.of(key), p.skip(i)
		switch {
		case len(t.members) == maxMembers, r == textRole, r != featuresRole && (b[i] == '{' || b[i] == '['):
			return false
		case r == featuresRole:
			i = space(b, i+1)
		}
		t.text = append(t.text, b[end:i]...)
		t.members = append(t.members, templateMember{newTemplateKey(b[end:i], len(t.text)), r})
		end, i = next, space(b, next)
		if b[i] == '}' {
			t.tail = append(t.tail[:0], b[end:]...)
			return true
		}
	}
}
