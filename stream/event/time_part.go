package event

import (
	"bytes"
	"math"
	"strconv"
	"time"

	"rosenblatt/learner"
)

// clock is what of a time becomes features (Options.TimeParts): the hour and the day of the week.
type clock struct {
	hour    int          // -1 if the time is a date alone
	weekday time.Weekday // noWeekday if it is one of any day
}

const noWeekday = -1

var weekdays = [...]string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

// farthest is the first number of seconds since 1970 that is no time.
const farthest = 1e11

// clockOf reads a number: seconds, milliseconds, microseconds or nanoseconds since 1970, by its magnitude.
func clockOf(v float64) (c clock, ok bool) {
	unit := 1e9
	switch m := math.Abs(v); {
	case m < 1e11:
		unit = 1
	case m < 1e14:
		unit = 1e3
	case m < 1e17:
		unit = 1e6
	}
	seconds := math.Floor(v / unit)
	if !(math.Abs(seconds) < farthest) {
		return c, false
	}
	t := time.Unix(int64(seconds), 0).UTC()
	return clock{t.Hour(), t.Weekday()}, true
}

// parseClock reads a date, or a date and a time of day, as it is written: no zone is applied.
func parseClock(b []byte) (c clock, ok bool) {
	year, ok1 := digits(b, 0, 4, 9999)
	month, ok2 := digits(b, 5, 2, 12)
	day, ok3 := digits(b, 8, 2, 31)
	if !ok1 || !ok2 || !ok3 || b[4] != '-' || b[7] != '-' {
		return c, false
	}
	date := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if date.Day() != day || int(date.Month()) != month { // no February has 30 days
		return c, false
	}
	c = clock{-1, date.Weekday()}
	//mutation:date-zone
	if isZone(b[10:]) { // Debezium writes dates as 2026-11-26Z with time.precision.mode=isostring
		return c, true
	}
	hour, ok1 := digits(b, 11, 2, 23)
	_, ok2 = digits(b, 14, 2, 59)
	if !ok1 || !ok2 || b[10] != 'T' && b[10] != ' ' || b[13] != ':' {
		return c, false
	}
	c.hour = hour
	return c, isZone(b[behindSeconds(b):])
}

// IsTime reports whether a text is a time of Options.TimeParts.
func IsTime(text string) bool {
	_, ok := parseClock([]byte(text))
	return ok
}

// IsDate reports whether a text is a time without an hour.
func IsDate(text string) bool {
	c, ok := parseClock([]byte(text))
	return ok && c.hour < 0
}

// behindSeconds returns where the seconds of a time with hours and minutes end, or its minutes if it has none.
func behindSeconds(b []byte) int {
	if _, ok := digits(b, 17, 2, 60); !ok || b[16] != ':' {
		return 16
	}
	i := 19
	if i+1 < len(b) && b[i] == '.' && b[i+1]-'0' <= 9 {
		for i++; i < len(b) && b[i]-'0' <= 9; i++ {
		}
	}
	return i
}

// isZone reports whether a text is Z, an offset such as +02:00, or nothing.
func isZone(b []byte) bool {
	if len(b) < 2 {
		return len(b) == 0 || b[0] == 'Z'
	}
	_, hours := digits(b, 1, 2, 23)
	_, minutes := digits(b, 4, 2, 59)
	return len(b) == 6 && hours && minutes && (b[0] == '+' || b[0] == '-') && b[3] == ':'
}

// digits reads n digits at b[i]. It reports false if they are not there, or make more than most.
func digits(b []byte, i, n, most int) (v int, ok bool) {
	if i+n > len(b) {
		return 0, false
	}
	for _, c := range b[i : i+n] {
		if c-'0' > 9 {
			return 0, false
		}
		v = 10*v + int(c-'0')
	}
	return v, v <= most
}

// timeOf takes the value of a feature of timeKind: a number, or a text of JSON or of a cell.
func (s *sink) timeOf(f *field, c clock, isTime bool, at int) {
	//mutation:no-time
	if !isTime {
		s.notTime(at, f.name)
		return
	}
	end := s.hold(f)
	for part := range 2 {
		if name, has := c.appendPart(s.name[:end], part); has {
			s.name = name
			if s.notes != nil {
				field, word, _ := bytes.Cut(s.name[end:], []byte("="))
				s.notes.word(s.name[s.base:end+len(field)], WordValue, word)
			}
			s.add(s.name[s.base:], 1, learner.Indicator)
		}
	}
	s.name = s.name[:end]
}

// appendPart appends what follows the name of a time in those of its features: the hour, if it has one, and the day.
func (c clock) appendPart(name []byte, part int) (feature []byte, has bool) {
	switch {
	case part == 0 && c.hour < 0, part == 1 && c.weekday == noWeekday:
		return name, false
	case part == 1:
		return append(append(name, ".weekday="...), weekdays[c.weekday]...), true
	}
	return strconv.AppendInt(append(name, ".hour="...), int64(c.hour), 10), true
}

// notTime takes a value that is no time: no rule makes features of it.
func (s *sink) notTime(at int, name []byte) {
	if !s.options.SkipUnknown && s.unfit.replacedBy(BadFeatures) {
		s.unfit.add(BadFeatures, at, "field %v: a time is expected, as 2026-11-26T22:05:00Z or seconds since 1970; "+
			"leave it out of time-parts, or let --unknown skip such values", quoted(name))
	}
}

// addTemplateTime is timeOf for a feature of the template. It reports false if the value may reject the event, or
// another feature may have the same name.
func (d *Decoder) addTemplateTime(k *templateKey, c clock, isTime bool) bool {
	if !isTime {
		return false
	}
	t := d.template.template
	field := t.name(k)
	for part := range 2 {
		name, has := c.appendPart(append(d.name[:0], field[:len(field)-1]...), part)
		if d.name = name; !has {
			continue
		}
		h := d.sum(name)
		if _, found := t.seen.find(h); found || !d.once(h) {
			return false
		}
		if d.crosses != nil {
			d.crosses.note(name, nil, len(d.arena)-d.start)
		}
		d.arena = append(d.arena,
			learner.Feature{Slot: d.slot(h), Print: fingerprint(h), Kind: learner.Indicator, Value: 1})
	}
	return true
}
