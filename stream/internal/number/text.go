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
	if len(b) > 1 && b[0] == '+' && b[1] != '-' {
		i = 1
	}
	if v, end := Read(b, i, false); end == len(b) {
		return v, Finite
	}
	if len(b) > 0 && b[0] == '-' {
		i = 1
	}
	if notFinite(b[i:]) {
		return 0, NotFinite
	}
	return 0, Word
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
