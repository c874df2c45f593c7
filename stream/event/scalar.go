package event

import (
	"math"
	"strconv"
	"time"

	"rosenblatt/stream/avro"
	"rosenblatt/stream/internal/number"
)

// scalar is a value of a binary format that is null, a truth, a number or a text in JSON.
type scalar struct {
	kind  scalarKind
	truth bool
	whole bool    // a number is i, else v
	huge  bool    // i is without a sign, and over the highest number with one
	i     int64   // if whole
	v     float64 // of any number
	clock avro.Clock
	text  []byte
	brief bool // the text is in memory that is used again
}

type scalarKind uint8

const (
	nullScalar scalarKind = iota
	truthScalar
	numberScalar
	textScalar
)

func (x *scalar) setInt(i int64) {
	x.kind, x.whole, x.huge, x.i, x.v = numberScalar, true, false, i, float64(i)
}

func (x *scalar) setUint(u uint64) {
	x.kind, x.whole, x.huge, x.i, x.v = numberScalar, true, u > math.MaxInt64, int64(u), float64(u)
}

func (x *scalar) setFloat(v float64) { x.kind, x.whole, x.v = numberScalar, false, v }

// finite reports whether the value is no number that JSON lacks.
func (x *scalar) finite() bool {
	return x.kind != numberScalar || x.whole || !math.IsNaN(x.v) && !math.IsInf(x.v, 0)
}

// appendToken appends a truth or a number as JSON has it: numbers that are no integers as scores are written.
func (x *scalar) appendToken(dst []byte) []byte {
	switch {
	case x.kind == truthScalar:
		return strconv.AppendBool(dst, x.truth)
	case x.whole && x.huge:
		return strconv.AppendUint(dst, uint64(x.i), 10)
	case x.whole:
		return number.AppendInt(dst, x.i)
	}
	return number.Append(dst, x.v)
}

// take takes a value of a binary format, the value of f, at offset at.
func (s *sink) take(at int, f *field, x *scalar) {
	switch {
	case x.kind == nullScalar:
		s.noteNull(f)
	case !x.finite():
		s.takeNotFinite(at, f, x)
	case x.kind == truthScalar:
		s.literal(f, s.tokenOf(f, x))
	case x.kind == textScalar:
		s.takeText(at, f, x)
	case f.role == plainRole && f.kind == timeKind && x.clock != avro.NoClock:
		c, ok := unitClock(x.clock, x.v)
		s.timeOf(f, c, ok, at)
	case f.role == plainRole && f.kind != wordKind:
		s.number(f, nil, x.v)
	default:
		s.number(f, s.tokenOf(f, x), x.v)
	}
}

// tokenOf is how a truth or a number is written, in memory of its own if that has to last.
func (s *sink) tokenOf(f *field, x *scalar) []byte {
	s.token = x.appendToken(s.token[:0])
	//mutation:token-kept
	if f.role == idRole || f.role == labelRole {
		return s.keep(s.token)
	}
	return s.token
}

// takeText is sink.word for a text that is not written as JSON.
func (s *sink) takeText(at int, f *field, x *scalar) {
	text := x.text
	if x.brief && f.role != plainRole {
		text = s.keep(text)
	}
	switch f.role {
	case idRole:
		s.example.ID, s.example.IDIsJSON = text, false
	case labelRole, weightRole:
		s.token = AppendQuoted(s.token[:0], text)
		s.word(at, f, s.keep(s.token), text)
	default:
		s.word(at, f, nil, text)
	}
}

// takeNotFinite takes a number that is not finite.
func (s *sink) takeNotFinite(at int, f *field, x *scalar) {
	if s.options.AbsentNaN {
		s.noteNull(f)
		return
	}
	s.token = x.appendToken(s.token[:0])
	switch f.role {
	case plainRole, textRole:
		if s.unfit.replacedBy(NotFinite) {
			s.notFinite(at, f.name, s.token)
		}
	case labelRole:
		s.failed.add(BadLabel, at, "the label is not finite: %s%s", s.token, s.setting(labelRole))
	case weightRole:
		s.failed.add(NotFinite, at, "the weight is not finite: %s%s", s.token, s.setting(weightRole))
	case idRole:
		s.failed.add(NotFinite, at, "the id is not finite: %s", s.token)
	}
}

// takeElement takes element n of an array of numbers or, with words, of texts.
func (s *sink) takeElement(at int, in level, n int, x *scalar) {
	switch {
	case x.kind == textScalar:
		s.elementWord(in, x.text)
	case !x.finite() && s.options.AbsentNaN:
	case !x.finite():
		s.takeNotFinite(at, &field{name: s.name[s.base:in.end]}, x)
	default:
		if !in.kind.isNumber() {
			s.token = x.appendToken(s.token[:0])
		}
		s.elementNumber(in, n, s.token, x.v)
	}
}

// keptAtOnce is the memory that is allocated at a time for what is kept.
const keptAtOnce = 1 << 14

// keep copies a text to memory that is not used again: what it is part of may be needed for as long as its batch. It
// allocates once for many texts.
func (s *sink) keep(text []byte) []byte {
	if cap(s.kept)-len(s.kept) < len(text) {
		s.kept = make([]byte, 0, max(keptAtOnce, len(text)))
	}
	from := len(s.kept)
	s.kept = append(s.kept, text...)
	return s.kept[from:len(s.kept):len(s.kept)]
}

// unitClock is clockOf for a number whose schema says what it counts. A date has no hour, a time of the day no weekday.
func unitClock(unit avro.Clock, v float64) (c clock, ok bool) {
	switch unit {
	case avro.Date:
		if !(math.Abs(v) < farthest/86400) {
			return c, false
		}
		return clock{-1, time.Unix(int64(v)*86400, 0).UTC().Weekday()}, true
	case avro.Time:
		hour := math.Floor(v / 3.6e6)
		return clock{int(hour), noWeekday}, hour >= 0 && hour < 24
	}
	seconds := math.Floor(v / 1e3)
	if !(math.Abs(seconds) < farthest) {
		return c, false
	}
	t := time.Unix(int64(seconds), 0).UTC()
	return clock{t.Hour(), t.Weekday()}, true
}
