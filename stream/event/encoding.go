package event

import (
	"bytes"
	"encoding/hex"
	"unicode/utf8"
)

// invalid returns the offset of the first byte that is not UTF-8.
func invalid(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(b)
}

// loneSurrogate returns the offset of the first \u escape in b that is a surrogate without its other half, or -1.
// Such a string has no meaning in Unicode (RFC 8259, section 8.2).
func loneSurrogate(b []byte) int {
	i := bytes.IndexByte(b, '\\')
	if i < 0 {
		return -1
	}
	for ; i < len(b)-1; i++ {
		if b[i] != '\\' {
			continue
		}
		r := escaped(b[i:])
		switch {
		case r >= 0xdc00 && r < 0xe000:
			return i
		case r >= 0xd800 && r < 0xdc00:
			if low := escaped(b[i+6:]); low < 0xdc00 || low >= 0xe000 {
				return i
			}
			i += 11
		default:
			i++ // the byte after a backslash does not begin an escape
		}
	}
	return -1
}

// escaped reads a \uXXXX escape at the start of b. It returns -1 if there is none.
func escaped(b []byte) rune {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return -1
	}
	var r [2]byte
	if _, err := hex.Decode(r[:], b[2:6]); err != nil {
		return -1
	}
	return rune(r[0])<<8 | rune(r[1])
}
