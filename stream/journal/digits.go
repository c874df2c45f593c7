package journal

import "strconv"

// digits appends a number, keeping the digits of the one before: offsets and seqs mostly follow one another, and
// timestamps repeat. This saves a twentieth of all the time spent on an event.
type digits struct {
	value int64
	front []byte // all but the last digit
	last  byte   // 0 before the first number; it changes alone, so front is not read right after it was written
}

func (d *digits) append(dst []byte, n int64) []byte {
	switch {
	case n == d.value && d.last != 0:
	case n == d.value+1 && d.last-'0' < 9 && n > 0:
		d.last++
	default:
		d.front = strconv.AppendInt(d.front[:0], n, 10)
		end := len(d.front) - 1
		d.front, d.last = d.front[:end], d.front[end]
	}
	d.value = n
	return append(append(dst, d.front...), d.last)
}
