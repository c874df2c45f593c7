package survey

import (
	"fmt"
	"slices"
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

	low, high float64
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
	if d.count == 0 {
		d.low, d.high = v, v
	}
	d.low, d.high = min(d.low, v), max(d.high, v)
	d.count++
	d.previous = v
}

// Numbers of digits alone are most likely codes if there are hundreds of distinct ones, nearly all with the same number
// of digits, five or more, and in no order.
const (
	codes     = 200
	codeWidth = 5
)

// Numbers between these are most likely dates, if a schema can say so: days since 1970, of 1990 to 2050.
const (
	someDay = 7_305
	lastDay = 29_220
)

// decided reports whether a setting says that a field holds numbers.
func (s *Survey) decided(x *field) bool {
	return s.options.IsNumber(x.name) && !slices.Contains(s.Guessed, x.name)
}

// codes says that numbers are most likely times, codes or ids; empty if not, or if a setting says that they are
// numbers.
func (s *Survey) codes(x *field) string {
	const advice = "--categorical %s makes words of them, --ignore %s leaves them out"
	d, name := &x.wholes, event.ShellList(x.name)
	if d.count == 0 || d.count < x.numbers || s.decided(x) {
		return ""
	}
	inOrder := max(d.rising, d.falling) >= int(nearlyAll*float64(d.count))
	unit := d.times(inOrder)
	switch {
	case d.padded > 0:
		return fmt.Sprintf("zeros in front, as %s: is it a code? As numbers they have a size and an order; "+advice,
			d.first, name, name)
	case len(x.distinct) < codes:
		return ""
	//mutation:times-as-numbers
	case unit != "":
		return fmt.Sprintf("%s since 1970, as %s: as numbers they only grow; --time-parts %s makes features of hour "+
			"and day of the week, --ignore %s leaves it out", unit, x.example, name, name)
	//mutation:dates-as-numbers
	case s.options.HasSchema() && d.low >= someDay && d.high <= lastDay:
		return fmt.Sprintf("days since 1970, or codes, as %s: as numbers they have a size and an order; of a date "+
			"--time-parts %s makes a feature of its day of the week, "+advice, x.example, name, name, name)
	//mutation:rising-ids
	case inOrder && len(x.distinct) == d.count:
		return fmt.Sprintf("whole numbers, each another one, in order: do they number the events? --ignore %s, or %s",
			name, s.asID(x))
	case inOrder:
		return ""
	}
	for size, n := range d.sizes {
		if size >= codeWidth && float64(n) >= nearlyAll*float64(d.count) {
			return fmt.Sprintf("%d different numbers of %d digits, in no order: is it an id? As numbers they have a "+
				"size and an order; "+advice, len(x.distinct), size, name, name)
		}
	}
	return ""
}

// times is the unit in which numbers are times of today: all of 1990 to 2050, and in order or within some years.
func (d *wholes) times(inOrder bool) string {
	const from, to, years = 631_152_000, 2_524_608_000, 10 * 366 * 86_400
	scale := 1.0
	for _, unit := range []string{"seconds", "milliseconds", "microseconds", "nanoseconds"} {
		if d.low >= from*scale && d.high <= to*scale && (inOrder || d.high-d.low <= years*scale) {
			return unit
		}
		scale *= 1000
	}
	return ""
}
