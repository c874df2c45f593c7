package event

import "bytes"

// kind is what a piece of text is as a number.
type kind uint8

const (
	word      kind = iota // none
	finite                // a decimal number; too large for float64 it is infinite all the same
	notFinite             // nan or inf
)

// textNumber reads all of b as a number of the text formats: as in C without hexadecimal, so a plus sign, leading zeros
// and a bare point at either end are fine, and nan, inf and infinity are known in any case. The value has the same bits as
// strconv.ParseFloat's.
func textNumber(b []byte) (v float64, k kind) {
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
		if infinite(b[first:]) {
			return 0, notFinite
		}
		return 0, word
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		var e int
		if e, i = exponent(b, i); i < 0 {
			return 0, word
		}
		exp += e
	}
	if i < len(b) {
		return 0, word
	}
	return convert(m, count, exp, b), finite
}

// infinite says whether b, without a sign, is nan or inf.
func infinite(b []byte) bool {
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
