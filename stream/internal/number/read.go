package number

// JSON reads the JSON number at b[i] (RFC 8259, section 6). It returns its value and the offset after it; next is -1
// if there is no number. A number too large for float64 yields an infinity.
func JSON(b []byte, i int) (v float64, next int) { return Read(b, i, true) }

// Read reads the decimal number at b[i], which begins with a digit, a point or a minus. It returns its value and the
// offset of the first other byte, whatever it is; next is -1 if there is no number. A strict number is one of JSON:
// without leading zeros, and with digits on both sides of a point.
func Read(b []byte, i int, strict bool) (v float64, next int) {
	if i >= len(b) {
		return 0, -1
	}
	start, minus := i, 0
	if b[i] == '-' { // apart from the check above, so that it takes no branch: signs are not predictable
		minus = 1
	}
	i += minus
	first := i
	var m uint64
	if i+1 < len(b) && b[i]-'0' <= 9 && b[i+1]-'0' > 9 { // one digit, the most frequent case: not worth a call
		m = uint64(b[i] - '0')
		i++
	} else {
		m, i = digits(b, i, 0)
	}
	whole, exp := i-first, 0
	if i < len(b) && b[i] == '.' {
		point := i + 1
		m, i = digits(b, point, m)
		exp = point - i
	}
	count := whole - exp
	if count == 0 || strict && (whole == 0 || b[i-1] == '.' || whole > 1 && b[first] == '0') {
		return 0, -1
	}
	exact := count <= 19 || significant(b[first:i]) <= 19
	if i < len(b) && b[i]|0x20 == 'e' {
		var e int
		if e, i = exponent(b, i); i < 0 {
			return 0, -1
		}
		exp += e
	}
	switch {
	case count <= 15 && exp <= 0 && exp > -16: // below 2^53 over a power of ten, as in Fraction
		return float64(int64(m)) / scales[(uint(minus<<4)-uint(exp))%uint(len(scales))].divisor, i
	case exact:
		if x, ok := nearest(m, exp); ok {
			return signed(x, uint64(minus)), i
		}
	}
	return parseFloat(b[start:i]), i
}

// significant counts the digits of a decimal from the first one that is not 0.
func significant(b []byte) (n int) {
	for _, c := range b {
		if c != '.' && (n > 0 || c != '0') {
			n++
		}
	}
	return n
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
