package decision

// Millionths is a probability in millionths, 1 to 999,999: what is published of one, and counted. The zero value is
// none.
type Millionths uint32

// million is a probability of 1.
const million = 1_000_000

// MillionthsOf rounds a probability.
func MillionthsOf(p float64) Millionths {
	return Millionths(min(max(float64(p*million)+0.5, 1), million-1))
}

// Float returns the float64 next to it: the one that its decimals are read as.
func (m Millionths) Float() float64 { return float64(m) / million }

// Rest is the probability of the other label.
func (m Millionths) Rest() Millionths { return million - m }

// Valid reports whether it is a probability.
func (m Millionths) Valid() bool { return m > 0 && m < million }

// Append appends its decimals without trailing zeros, as in 0.000001 and 0.25.
func (m Millionths) Append(dst []byte) []byte {
	text := [8]byte{'0', '.'}
	for i := len(text) - 1; i > 1; i-- {
		text[i] = '0' + byte(m%10)
		m /= 10
	}
	n := len(text)
	for text[n-1] == '0' {
		n--
	}
	return append(dst, text[:n]...)
}
