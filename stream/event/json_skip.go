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
		return p.literal(i)
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

// null reports whether a value that is well formed is none: null, or one of those of notANumber.
func null(raw []byte) bool {
	return raw[0] == 'n' || raw[0] == 'N' || raw[0] == 'I' || raw[0] == '-' && raw[1] == 'I'
}

// skipAll skips an object or an array.
func (p *jsonParser) skipAll(i int, closing byte) int {
	b := p.value
	if !p.enter(i) {
		return -1
	}
	i = space(b, i+1)
	if i < len(b) && b[i] == closing {
		p.depth--
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
