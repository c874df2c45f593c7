package event

import (
	"bytes"

	"rosenblatt/stream/internal/number"
)

// skip checks a value without using it.
func (p *jsonParser) skip(i int) int {
	b := p.value
	switch b[i] {
	case '"':
		return p.skipString(i)
	case '{':
		return p.skipAll(i, '}')
	case '[':
		return p.skipAll(i, ']')
	case 't', 'f', 'n':
		return p.constant(i)
	}
	_, next := number.JSON(b, i)
	if next < 0 {
		return p.notANumber(i)
	}
	return next
}

// notANumber returns the offset after NaN, Infinity or -Infinity, as Python writes them, if they are absent values.
func (p *jsonParser) notANumber(i int) int {
	for _, word := range [...]string{"NaN", "Infinity", "-Infinity"} {
		if !bytes.HasPrefix(p.value[i:], []byte(word)) {
			continue
		}
		//mutation:absent-nan
		if p.options.AbsentNaN {
			return i + len(word)
		}
		return p.stop(Syntax, i, "NaN and Infinity are no json (--nan)")
	}
	return p.unexpected(i, "a value")
}

// skipAll skips an object or an array.
func (p *jsonParser) skipAll(i int, closing byte) int {
	if !p.deeper(i) {
		return -1
	}
	i = p.skipMembers(space(p.value, i+1), closing)
	p.depth--
	return i
}

// skipMembers skips the members or elements from i on, and what closes them.
func (p *jsonParser) skipMembers(i int, closing byte) int {
	b := p.value
	if i < len(b) && b[i] == closing {
		return i + 1
	}
	for {
		if closing == '}' {
			_, i = p.key(i)
		} else if i >= len(b) {
			i = p.unexpected(i, "a value")
		}
		if i < 0 {
			return -1
		}
		var more bool
		if i, more = p.separator(p.skip(i), closing); !more {
			return i
		}
	}
}
