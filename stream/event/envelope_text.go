package event

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// outerText is the text around the row in the envelope of Debezium before. Most envelopes differ from the one before in
// digits and in the operation alone, and need not be read again.
type outerText struct {
	before, after []byte
	op            int // where the operation's letter is in after; -1 if it is elsewhere
}

// learn takes the text of an envelope that is well formed, whose row is text[from:to] and whose operation is at op.
func (s *outerText) learn(text []byte, from, to, op int) {
	s.before, s.after = append(s.before[:0], text[:from]...), append(s.after[:0], text[to:]...)
	s.op = -1
	if op > to {
		s.op = op - to + len(`"`)
	}
	//mutation:envelope-text-escapes
	if bytes.Contains(s.after, []byte(`\u`)) { // whose digits are no digits of a number
		s.after = s.after[:0]
	}
}

// begins reports whether a text is the known one up to the row.
func (s *outerText) begins(text []byte) bool {
	return len(s.after) > 0 && bytes.HasPrefix(text, s.before)
}

// ends reports whether the text behind the row is the known one, but for digits and the operation of a row.
func (s *outerText) ends(text []byte) bool {
	known := s.after
	for i, j := 0, 0; ; {
		n := equalBytes(text[i:], known[j:])
		if i, j = i+n, j+n; i == len(text) || j == len(known) {
			return i == len(text) && j == len(known)
		}
		a, b := text[i], known[j]
		switch {
		case j == s.op && isRow(a) && isRow(b):
			i, j = i+1, j+1
			continue
		case !isDigit(a) && !isDigit(b):
			return false
		}
		var zeros, hadZeros bool
		i, zeros = endOfDigits(text, i)
		//mutation:envelope-text-digits
		if j, hadZeros = endOfDigits(known, j); i < 0 || j < 0 || zeros && !hadZeros {
			return false
		}
	}
}

// equalBytes returns how many bytes at the beginning are equal.
func equalBytes(a, b []byte) int {
	n := 0
	for n+8 <= len(a) && n+8 <= len(b) {
		if x := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); x != 0 {
			return n + bits.TrailingZeros64(x)>>3
		}
		n += 8
	}
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// isRow reports whether an operation of this letter leaves a row.
func isRow(op byte) bool { return op == 'c' || op == 'u' || op == 'r' }

func isDigit(c byte) bool { return c-'0' < 10 }

// endOfDigits returns where the digits end that are at i or end there; -1 if there are none. A number of json does not
// begin with zeros as these do.
func endOfDigits(b []byte, i int) (end int, zeros bool) {
	from := i
	for from > 0 && isDigit(b[from-1]) {
		from--
	}
	for i < len(b) && isDigit(b[i]) {
		i++
	}
	if from == i {
		return -1, false
	}
	return i, b[from] == '0' && i-from > 1
}
