package survey

import (
	"fmt"
	"strings"

	"rosenblatt/stream/event"
)

// wholes is what is known of numbers that are written as digits alone, as codes and ids are, and quantities too.
type wholes struct {
	count    int // of such numbers
	padded   int // of them, those with a zero in front
	first    string
	sizes    map[int]int // how many have so many digits
	rising   int         // of them, those that are not below the one before
	falling  int
	previous float64
}

func (d *wholes) add(raw string, v float64) {
	if strings.Trim(raw, "0123456789") != "" {
		return
	}
	if len(raw) > 1 && raw[0] == '0' {
		if d.padded++; d.padded == 1 {
			d.first = clip(raw)
		}
	}
	if d.sizes == nil {
		d.sizes = map[int]int{}
	}
	d.sizes[len(raw)]++
	if d.count > 0 && v >= d.previous {
		d.rising++
	}
	if d.count > 0 && v <= d.previous {
		d.falling++
	}
	d.count++
	d.previous = v
}

// Numbers of digits alone are most likely codes if there are hundreds of distinct ones, nearly all with the same number
// of digits, five or more, and in no order.
const (
	codes     = 200
	codeWidth = 5
)

// codes says that numbers are most likely codes or ids; empty if not.
func (d *wholes) codes(x *field) string {
	const advice = "--categorical %s makes words of them, --ignore %s leaves them out"
	switch {
	case d.count == 0 || d.count < x.numbers:
		return ""
	case d.padded > 0:
		return fmt.Sprintf("zeros in front, as %s: is it a code? As numbers they have a size and an order; "+advice,
			d.first, event.ShellList(x.name), event.ShellList(x.name))
	case len(x.distinct) < codes || max(d.rising, d.falling) >= int(nearlyAll*float64(d.count)):
		return ""
	}
	for size, n := range d.sizes {
		if size >= codeWidth && float64(n) >= nearlyAll*float64(d.count) {
			return fmt.Sprintf("%d different numbers of %d digits, in no order: is it an id? As numbers they have a "+
				"size and an order; "+advice, len(x.distinct), size, event.ShellList(x.name), event.ShellList(x.name))
		}
	}
	return ""
}
