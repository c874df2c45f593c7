package event

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// plain returns the offset of the first byte at or after i that has a meaning in a string: a quote, a backslash or a
// control character; len(b) if there is none.
func plain(b []byte, i int) int {
	for i+8 <= len(b) {
		n := ordinary(binary.LittleEndian.Uint64(b[i:]))
		i += n
		if n < 8 {
			return i
		}
	}
	for i < len(b) && b[i] >= ' ' && b[i] != '"' && b[i] != '\\' {
		i++
	}
	return i
}

// tops are the top bits of eight bytes.
const tops = 0x8080808080808080

// ordinary counts the bytes at the low end of x before the first quote, backslash or control character. x-1 borrows
// from a byte's top bit where the byte is 0, and the lowest marked byte is always right (H. S. Warren, "Hacker's
// Delight", 6-1).
func ordinary(x uint64) int {
	const ones = 0x0101010101010101
	quote, slash := x^'"'*ones, x^'\\'*ones
	ends := ((quote-ones)&^quote | (slash-ones)&^slash | (x-' '*ones)&^x) & tops
	return bits.TrailingZeros64(ends) >> 3
}

// str reads the string whose quote is at i. Its content aliases the event or, if it has escapes, scratch.
func (p *jsonParser) str(i int, scratch *[]byte) (content []byte, next int) {
	b := p.value
	end := plain(b, i+1)
	if end < len(b) && b[end] == '"' {
		return b[i+1 : end], end + 1
	}
	text := append((*scratch)[:0], b[i+1:end]...)
	for end < len(b) && b[end] == '\\' {
		if text, end = p.unescape(text, end); end < 0 {
			return nil, -1
		}
		from := end
		end = plain(b, from)
		text = append(text, b[from:end]...)
	}
	if end >= len(b) || b[end] != '"' {
		return nil, p.unclosed(i, end)
	}
	*scratch = text
	return text, end + 1
}

// skipString is str without the content.
func (p *jsonParser) skipString(i int) int {
	b := p.value
	end := plain(b, i+1)
	for end < len(b) && b[end] == '\\' {
		if end = p.escape(end); end < 0 {
			return -1
		}
		end = plain(b, end)
	}
	if end >= len(b) || b[end] != '"' {
		return p.unclosed(i, end)
	}
	return end + 1
}

// unclosed ends the parse in a string that begins at i and has no closing quote at end.
func (p *jsonParser) unclosed(i, end int) int {
	if end < len(p.value) {
		return p.stop(Syntax, end, "the control character %v must be escaped in a string", quoted(p.value[end:end+1]))
	}
	return p.stop(Syntax, i, "the string %v is not closed; is the event truncated?", quoted(p.value[i:]))
}

// escape returns the offset after the escape at i.
func (p *jsonParser) escape(i int) int {
	b := p.value
	if i+1 < len(b) {
		switch b[i+1] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			return i + 2
		case 'u':
			if escaped(b[i:]) >= 0 {
				return i + 6
			}
		}
	}
	return p.stop(Syntax, i, "%v is not an escape", quoted(b[i:min(i+6, len(b))]))
}

// unescape appends what the escape at i means. Half of a surrogate pair, which only an envelope can have whose text is
// checked later, is U+FFFD.
func (p *jsonParser) unescape(dst []byte, i int) ([]byte, int) {
	next := p.escape(i)
	if next < 0 {
		return dst, -1
	}
	switch c := p.value[i+1]; c {
	case 'b':
		dst = append(dst, '\b')
	case 'f':
		dst = append(dst, '\f')
	case 'n':
		dst = append(dst, '\n')
	case 'r':
		dst = append(dst, '\r')
	case 't':
		dst = append(dst, '\t')
	case 'u':
		r := escaped(p.value[i:])
		if utf16.IsSurrogate(r) {
			//mutation:half-of-a-pair
			if r = utf16.DecodeRune(r, escaped(p.value[next:])); r != utf8.RuneError {
				next += 6
			}
		}
		dst = utf8.AppendRune(dst, r)
	default: // a quote, a backslash or a slash
		dst = append(dst, c)
	}
	return dst, next
}
