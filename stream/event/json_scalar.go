package event

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"rosenblatt/stream/internal/number"
)

// scalar implements parser. It checks what parse checks otherwise.
func (p *jsonParser) scalar(i int, k *templateKey) (next int) {
	b := p.value
	if i >= len(b) {
		return -1
	}
	switch c := b[i]; {
	case c == '"':
		end := ascii(b, i+1)
		if end < len(b) && b[end] == '"' {
			switch {
			case k.role == idRole:
				p.example.ID, p.example.IDIsJSON = b[i:end+1], true
				return end + 1
			case k.role != plainRole || k.kind >= numberKind: // read below
			case k.element || !p.addTemplateWord(k, b[i+1:end]):
				return -1
			default:
				return end + 1
			}
		}
		end = plain(b, end)
		if end >= len(b) || b[end] == '\\' && !p.sound(i) || !utf8.Valid(b[i:end]) {
			return -1
		}
	case c == '{' && p.roles.dotted, (c == '{' || c == '[') && k.role != ignoreRole:
		return -1 // fields with a role may be in there, or features
	case c == '{', c == '[':
		if p.depth = k.depth; !p.sound(i) {
			return -1
		}
		p.depth = k.depth
	}
	switch k.role {
	case labelRole, weightRole, idRole:
		return p.simple(i, &field{role: k.role})
	case ignoreRole:
		return p.skip(i)
	}
	return p.templateFeature(i, k)
}

// ascii returns the offset of the first byte at or after i that is not ASCII or has a meaning in a string; len(b) if
// there is none.
func ascii(b []byte, i int) int {
	for i+8 <= len(b) {
		x := binary.LittleEndian.Uint64(b[i:])
		n := min(ordinary(x), bits.TrailingZeros64(x&tops)>>3)
		i += n
		if n < 8 {
			return i
		}
	}
	for i < len(b) && b[i]-' ' < 0x80-' ' && b[i] != '"' && b[i] != '\\' {
		i++
	}
	return i
}

// sound reports whether there is a value at i that is well formed, UTF-8 and without lone surrogates.
func (p *jsonParser) sound(i int) bool {
	next := p.skip(i)
	return next >= 0 && utf8.Valid(p.value[i:next]) && loneSurrogate(p.value[i:next]) < 0
}

// templateFeature reads the value of a feature.
func (p *jsonParser) templateFeature(i int, k *templateKey) (next int) {
	var word []byte
	switch b := p.value; b[i] {
	case '"':
		word, next = p.str(i, &p.text)
		if next >= 0 && k.kind == numberKind {
			if !p.addTemplateCell(k, word, trim(word)) {
				return -1
			}
			return next
		}
		if next >= 0 && k.kind == timeKind {
			if c, ok := parseClock(word); !p.addTemplateTime(k, c, ok) {
				return -1
			}
			return next
		}
	case 't', 'f':
		if next = p.constant(i); next >= 0 {
			word = b[i:next]
		}
	case 'n':
		next = p.constant(i)
	default:
		v, end := number.JSON(b, i)
		if end < 0 && p.options.AbsentNaN {
			next = p.notANumber(i)
			break
		}
		if end >= 0 && k.kind == wordKind {
			word, next = b[i:end], end
			break
		}
		if end < 0 || !p.addTemplateNumber(k, v) {
			return -1
		}
		return end
	}
	if k.element || next < 0 || word != nil && k.kind == timeKind || word != nil && !p.addTemplateWord(k, word) {
		return -1
	}
	return next
}

// learnValue adds the value of f at value[i:next] to the template.
func (p *jsonParser) learnValue(i, next int, f *field) {
	b, at := p.value, place{role: f.role, kind: f.kind, depth: p.depth}
	comma := space(b, p.template.learned)
	// Nothing else is between the value before and the key.
	at.optional = b[comma] == ',' && space(b, comma+1) == p.keyAt
	p.learn(i, next, at, f.name)
}
