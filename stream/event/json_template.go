package event

import (
	"slices"

	"rosenblatt/stream/internal/number"
)

// templateObject reads the features object from behind its brace.
func (p *jsonParser) templateObject(i, prefix int) int {
	t := &p.template
	i = space(p.value, i)
	if p.visit != nil || len(p.arena) != p.start {
		return p.object(i, prefix) // names are needed, or there are features already
	}
	i, closed := p.templateMembers(i)
	if closed {
		t.misses = 0
		return i
	}
	t.relearn()
	if t.matched == 0 {
		i = p.object(i, prefix)
	} else { // after a comma
		i = p.members(space(p.value, i), prefix)
	}
	t.learning = false
	return i
}

// templateMembers reads members as long as they fit the template, without spaces, and counts them as matched. It
// returns the offset behind the object's closing brace, or of the first other member. It leaves errors to the general
// parser.
func (p *jsonParser) templateMembers(i int) (next int, closed bool) {
	b, t := p.value, &p.template
	first := len(p.arena)
	p.arena = slices.Grow(p.arena, len(t.keys)+1)
	out := p.arena[first : first+len(t.keys)]
	k := 0
	for k < len(t.keys) && !closed {
		n, at := parseFixedFields(b, i, t.keys[k:], out[k:], memberEnding)
		if left := b[i:]; n == 0 && len(left) < room { // usually the last member, with too few bytes after it
			var padded [2 * room]byte
			copy(padded[:], left)
			n, at = parseFixedFields(padded[:], 0, t.keys[k:], out[k:], memberEnding)
			at += i
		}
		if n > 0 {
			k, i = k+n, at
			closed = b[i-1] == '}'
			continue
		}
		key := &t.keys[k]
		if !key.at(b, i, t.text) {
			break
		}
		v, end := number.JSON(b, i+key.size)
		if end < 0 || end >= len(b) || b[end] != ',' && b[end] != '}' || !(v >= -limit && v <= limit) {
			break
		}
		out[k] = key.feature
		out[k].Value = v
		k++
		i, closed = end+1, b[end] == '}'
	}
	t.matched = first + k - p.start
	p.arena = p.arena[:first+k]
	return i, closed
}
