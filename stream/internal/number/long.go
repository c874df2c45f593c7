package number

// long is Read for any number. It leaves the value to strconv.
func long(b []byte, i int, strict bool) (v float64, next int) {
	start := i
	if i < len(b) && b[i] == '-' {
		i++
	}
	first := i
	i = digits(b, i)
	whole, fraction := i-first, 0
	if strict && (whole == 0 || whole > 1 && b[first] == '0') {
		return 0, -1
	}
	if i < len(b) && b[i] == '.' {
		i++
		point := i
		i = digits(b, i)
		if fraction = i - point; strict && fraction == 0 {
			return 0, -1
		}
	}
	if whole+fraction == 0 {
		return 0, -1
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		first = i
		if i = digits(b, i); i == first {
			return 0, -1
		}
	}
	return parseFloat(b[start:i]), i
}

// digits returns the offset after the run of decimal digits at b[i].
func digits(b []byte, i int) int {
	for i < len(b) && b[i]-'0' <= 9 {
		i++
	}
	return i
}
