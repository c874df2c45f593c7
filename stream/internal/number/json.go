package number

import "math"

// JSON reads the JSON number at b[i] (RFC 8259, section 6). It returns its value and the offset after it; next is -1
// if there is no number. A number too large for float64 yields an infinity.
func JSON(b []byte, i int) (v float64, next int) {
	start, minus := i, 0
	if i < len(b) && b[i] == '-' {
		minus = 1
	}
	i += minus
	first := i
	var m uint64
	for i < len(b) && b[i]-'0' <= 9 { // usually one or two digits: not worth a call of digits
		m = m*10 + uint64(b[i]-'0')
		i++
	}
	count := i - first
	if count == 0 || count > 1 && b[first] == '0' {
		return 0, -1
	}
	exp := 0
	if i < len(b) && b[i] == '.' {
		point := i + 1
		m, i = digits(b, point, m)
		if i == point {
			return 0, -1
		}
		exp = point - i
		count -= exp
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		var e int
		if e, i = exponent(b, i); i < 0 {
			return 0, -1
		}
		exp += e
	}
	// The first case of convert, which covers most numbers.
	if scale := uint(-exp); count <= 19 && m < 1<<53 && scale < uint(len(floatPowers)) {
		v = float64(int64(m)) / floatPowers[scale]
		return math.Float64frombits(math.Float64bits(v) | uint64(minus)<<63), i
	}
	return convert(m, count, exp, b[start:i]), i
}

// exponent reads the exponent at b[i], including its e. It caps exponents at a million: the value is then 0 or
// infinite, unless there are as many digits, which are left to strconv.
func exponent(b []byte, i int) (e, next int) {
	i++
	negative := false
	if i < len(b) && (b[i] == '+' || b[i] == '-') {
		negative = b[i] == '-'
		i++
	}
	first := i
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		e = min(e*10+int(b[i]-'0'), 1e6)
	}
	if i == first {
		return 0, -1
	}
	if negative {
		e = -e
	}
	return e, i
}
