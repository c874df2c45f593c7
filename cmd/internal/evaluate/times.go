package evaluate

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/event"
)

// times reads the times of a file's records, and says what it takes them for.
type times struct {
	field string
	fixed cli.TimeUnit // as set; AutoUnit: that of the first number counts for all
	out   io.Writer

	reader *event.FieldReader
	unit   cli.TimeUnit // of the numbers so far; AutoUnit: none yet
	known  bool         // its magnitude tells it, not a guess about small numbers
	said   [cli.ISOLocal + 1]bool
	read   int64  // records with a time
	last   int64  // of the last one
	failed string // where the first record without one is, and why; empty: there is none
}

// of returns the time of a record, in milliseconds since 1970. The error is why the record is rejected: where it is no
// record of its format, the decoder says so.
func (t *times) of(value []byte, where string) (ms int64, why *event.Error) {
	raw, malformed := t.reader.Read(&event.Record{Value: value})
	if malformed != nil || t.reader.Skips() { // what is skipped has the time of what was before it
		return t.last, malformed
	}
	ms, err := t.parse(string(raw), where)
	if err == nil {
		t.read++
		t.last = ms
		return ms, nil
	}
	why = event.NewError(event.BadTime, err.Error())
	if t.failed == "" {
		t.failed = where + ": time-field: " + err.Error()
	}
	return 0, why
}

func (t *times) parse(text, where string) (ms int64, err error) {
	if text == "" || text == "null" {
		return 0, fmt.Errorf("the field %q is absent or empty", t.field)
	}
	number, isNumber := strconv.ParseFloat(text, 64)
	unit := t.fixed
	if isNumber == nil && unit == cli.AutoUnit {
		if unit, err = t.unitOf(number, text); err != nil {
			return 0, err
		}
	}
	ms, as, err := cli.ParseTime(text, unit)
	if err != nil {
		return 0, fmt.Errorf("%q: %w", t.field, err)
	}
	if !t.said[as] {
		t.said[as] = true
		t.say(text, ms, as, where)
	}
	return ms, nil
}

// unitOf is the unit of the file's first number. One of another magnitude is a mistake in one of the two: among
// milliseconds, seconds would be times of 1970.
func (t *times) unitOf(number float64, text string) (cli.TimeUnit, error) {
	unit, known := cli.UnitOf(number)
	if t.unit == cli.AutoUnit {
		t.unit, t.known = unit, known
	}
	switch {
	//mutation:time-of-another-unit
	case t.known && (!known || unit != t.unit):
		return 0, fmt.Errorf("%q: %s has not the magnitude of %v, as the first one has: --time-unit sets the unit",
			t.field, text, t.unit)
	case !t.known && math.Abs(number) >= 1e14:
		return 0, fmt.Errorf("%q: %s is too large among numbers that begin small, which are taken for milliseconds:"+
			" --time-unit sets the unit", t.field, text)
	}
	return t.unit, nil
}

func (t *times) say(text string, ms int64, as cli.TimeUnit, where string) {
	note := ""
	if t.fixed == cli.AutoUnit && as <= cli.Nanoseconds {
		note = "; --time-unit sets another unit"
	}
	fmt.Fprintf(t.out, "rosenblatt: %s: %q holds %v: %s is %s%s\n", where, t.field, as, text,
		time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.999Z"), note)
}

// none is the error for a file of whose records none has a time.
func (t *times) none() error {
	//mutation:no-time-at-all
	if t.read == 0 && t.failed != "" {
		return fmt.Errorf("%s; no record of the file has a time", t.failed)
	}
	return nil
}
