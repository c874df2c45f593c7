package cli

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// TimeUnit is what a number counts that is a time: seconds, milli-, micro- or nanoseconds since 1970.
type TimeUnit int

// The units, and what else a time may be. AutoUnit tells them by their magnitude.
const (
	AutoUnit TimeUnit = iota
	Seconds
	Milliseconds
	Microseconds
	Nanoseconds
	ISOTime  // 2026-01-31T18:00:00Z
	ISOLocal // without a zone: taken for UTC
)

// TimeUnits are the units as settings name them.
var TimeUnits = []string{"auto", "s", "ms", "us", "ns"}

// ParseTimeUnit reads the name of a unit.
func ParseTimeUnit(text string) (TimeUnit, error) {
	if i := slices.Index(TimeUnits, text); i >= 0 {
		return TimeUnit(i), nil
	}
	return 0, fmt.Errorf("%q: want %s", text, strings.Join(TimeUnits, ", "))
}

// String says what a time is, behind "as".
func (u TimeUnit) String() string {
	return [...]string{"numbers", "seconds since 1970", "milliseconds since 1970", "microseconds since 1970",
		"nanoseconds since 1970", "dates and times", "dates and times without a zone, which are taken for UTC"}[u]
}

// magnitudes are the lowest numbers that are taken for a unit: seconds are of 1973 to 5138, milliseconds of that time,
// and so on.
var magnitudes = [...]float64{Seconds: 1e8, Milliseconds: 1e11, Microseconds: 1e14, Nanoseconds: 1e17}

// UnitOf tells the unit of a number by its magnitude. Small ones are milliseconds from some beginning: of a test, or of
// a recording. Known is false for these.
func UnitOf(number float64) (unit TimeUnit, known bool) {
	for u := Nanoseconds; u >= Seconds; u-- {
		if math.Abs(number) >= magnitudes[u] {
			return u, true
		}
	}
	return Milliseconds, false
}

// WantTime is how times are written.
const WantTime = "a time as 2026-01-31T18:00:00Z or 2026-01-31 18:00:00, or seconds, milli-, micro- or nanoseconds" +
	" since 1970"

var errTime = errors.New("want " + WantTime)

// ParseTime reads a time, in milliseconds since 1970: a number of that unit, or ISO 8601 with a blank or T between date
// and time, with fractions of a second, with a zone or without. It also says what it took it for.
func ParseTime(text string, unit TimeUnit) (ms int64, as TimeUnit, err error) {
	if whole, fraction, ok := splitNumber(text); ok {
		if unit == AutoUnit {
			unit, _ = UnitOf(whole + fraction)
		}
		ms, err = toMilliseconds(text, whole, fraction, unit)
		return ms, unit, err
	}
	t, zoned, ok := parseISO(text)
	switch {
	case !ok:
		return 0, 0, fmt.Errorf("%q: %w", text, errTime)
	case zoned:
		return t.UnixMilli(), ISOTime, nil
	}
	return t.UnixMilli(), ISOLocal, nil
}

// splitNumber reads a decimal number: its whole part, and what follows the point.
func splitNumber(text string) (whole, fraction float64, ok bool) {
	if strings.ContainsAny(text, "xXpP_nN") { // hexadecimal, and nan and infinity
		return 0, 0, false
	}
	number, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, 0, false
	}
	whole, fraction = math.Modf(number)
	return whole, fraction, true
}

// latest is the end of the year 9999, in milliseconds.
const latest = 253402300799999

// toMilliseconds reads whole numbers exactly: nanoseconds have more digits than a float64.
func toMilliseconds(text string, whole, fraction float64, unit TimeUnit) (ms int64, err error) {
	per := map[TimeUnit]float64{Seconds: 1000, Milliseconds: 1, Microseconds: 1e-3, Nanoseconds: 1e-6}[unit]
	if value := (whole + fraction) * per; !(math.Abs(value) <= latest) {
		return 0, fmt.Errorf("%s %v is no time before the year 10000: %w", text, unit, errTime)
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		switch unit {
		case Microseconds:
			return floorDiv(n, 1e3), nil
		case Nanoseconds:
			return floorDiv(n, 1e6), nil
		}
	}
	if unit == Seconds { // a float64 of seconds has microseconds, and its product may be just below a millisecond
		return int64(whole)*1000 + int64(math.Floor(math.Round(fraction*1e6)/1e3)), nil
	}
	return int64(math.Floor((whole + fraction) * per)), nil
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// isoLayouts are those of a time without its zone. Fractions of a second may follow each that has seconds.
var isoLayouts = []string{"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02", "20060102T150405"}

// isoZones are the zones that may follow.
var isoZones = []string{"Z07:00", "Z0700", "Z07"}

func parseISO(text string) (t time.Time, zoned, ok bool) {
	text = strings.TrimSpace(text)
	for _, name := range []string{" UTC", " GMT", " Z"} {
		if date, found := strings.CutSuffix(text, name); found {
			text = date + "Z"
		}
	}
	for i, c := range []byte(text) { // the separator behind the date, and a blank before the zone
		if blank := c == ' ' || c == 't'; blank && (i == 10 || i == 8) {
			text = text[:i] + "T" + text[i+1:]
		}
	}
	text = strings.NewReplacer(" +", "+", " -", "-").Replace(text)
	for _, layout := range isoLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t, false, true
		}
		for _, zone := range isoZones {
			if t, err := time.Parse(layout+zone, strings.Replace(text, "z", "Z", 1)); err == nil {
				return t, true, true
			}
		}
	}
	return time.Time{}, false, false
}
