package number

import "bytes"

// Kind tells what Text found.
type Kind uint8

// The kinds of text.
const (
	Word      Kind = iota // not a number
	Finite                // a decimal number; its value is an infinity if it is too large for float64
	NotFinite             // nan or inf
)

// Text reads all of b as a number of the text formats: those of C without hexadecimal ones. A plus sign, leading
// zeros and a point without digits on one side are allowed; nan, inf and infinity are known in any case.
func Text(b []byte) (v float64, k Kind) {
	i := 0
	if len(b) > 0 && (b[0] == '+' || b[0] == '-') {
		i = 1
	}
	first := i
	var m uint64
	for i < len(b) && b[i]-'0' <= 9 {
		m = m*10 + uint64(b[i]-'0')
		i++
	}
	count := i - first
	exp := 0
	if i < len(b) && b[i] == '.' {
		point := i + 1
		m, i = digits(b, point, m)
		exp = point - i
		count -= exp
	}
	if count == 0 {
		if notFinite(b[first:]) {
			return 0, NotFinite
		}
		return 0, Word
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		var e int
		if e, i = exponent(b, i); i < 0 {
			return 0, Word
		}
		exp += e
	}
	if i < len(b) {
		return 0, Word
	}
	return convert(m, count, exp, b), Finite
}

// notFinite reports whether b, without its sign, is nan or inf.
func notFinite(b []byte) bool {
	if len(b) != 3 && len(b) != 8 {
		return false
	}
	for _, name := range [...]string{"nan", "inf", "infinity"} {
		if len(b) == len(name) && bytes.EqualFold(b, []byte(name)) {
			return true
		}
	}
	return false
}
