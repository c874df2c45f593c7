package event

import (
	"math"

	"rosenblatt/stream/internal/number"
)

// spelling is a label as the options give it.
type spelling struct {
	text    string
	value   float64
	numeric bool // the text is a number: other spellings of the number are the same label
}

func newSpelling(name string) spelling {
	v, k := number.Text(view(name))
	return spelling{name, v, k == number.Finite && !math.IsInf(v, 0)}
}

func (s *spelling) same(t spelling) bool { return s.is(view(t.text), t.numeric, t.value) }

// is reports whether a label is the one spelled so.
func (s *spelling) is(text []byte, numeric bool, v float64) bool {
	return string(text) == s.text || numeric && s.numeric && v == s.value
}

func (d *Decoder) setLabels() {
	o := &d.options
	switch {
	case o.Positive != "":
		d.labels = []spelling{newSpelling(o.Positive)}
	case len(o.LabelNames) != 0:
		d.labels = []spelling{newSpelling(o.LabelNames[0]), newSpelling(o.LabelNames[1])}
	}
}

// label stores a label, given as its text and, if it is written as a number, its value.
func (d *Decoder) label(text []byte, numeric bool, v float64) {
	e := d.example
	if d.options.multi() {
		d.class(text)
		return
	}
	switch len(d.labels) {
	case 1:
		e.Label, e.Family = -1, Named
		if d.labels[0].is(text, numeric, v) {
			e.Label = 1
		}
	case 2:
		switch {
		case d.labels[0].is(text, numeric, v):
			e.Label, e.Family = -1, Named
		case d.labels[1].is(text, numeric, v):
			e.Label, e.Family = 1, Named
		default:
			d.failed.add(BadLabel, -1, "the label %v is neither %q nor %q",
				quoted(text), d.labels[0].text, d.labels[1].text)
		}
	default:
		e.Label, e.Family = known(text, numeric, v)
		if e.Label == 0 {
			d.failed.add(BadLabel, -1, "the label %v is none of 1, -1, 0, true and false; "+
				"other labels need names (--positive, --label-names)", quoted(text))
		}
	}
}

// known reads the labels that need no names. It returns 0 for others.
func known(text []byte, numeric bool, v float64) (int8, Family) {
	if numeric {
		switch v {
		case 1:
			return 1, One
		case -1:
			return -1, PlusMinus
		case 0:
			return -1, ZeroOne
		}
		return 0, Unlabelled
	}
	switch string(text) {
	case "1", "+1":
		return 1, One
	case "-1":
		return -1, PlusMinus
	case "0":
		return -1, ZeroOne
	case "true":
		return 1, Boolean
	case "false":
		return -1, Boolean
	}
	return 0, Unlabelled
}

// textLabel stores the label of a text format.
func (d *Decoder) textLabel(text []byte) {
	if d.options.multi() {
		d.wordClass(text)
		return
	}
	v, k := number.Text(text)
	d.label(text, k == number.Finite && !math.IsInf(v, 0), v)
}

// weight stores the example's weight.
func (d *Decoder) weight(text []byte, v float64) {
	switch {
	case !(v >= 0):
		d.badWeight(text)
	case v > limit:
		d.failed.add(OutOfRange, -1, "the weight %v is over %g", quoted(text), limit)
	default:
		d.example.Weight = v + 0 // -0 becomes 0
	}
}

func (d *Decoder) badWeight(text []byte) {
	d.failed.add(BadWeight, -1, "the weight %v is not a number from 0 up", quoted(text))
}

// textWeight stores the weight of a text format.
func (d *Decoder) textWeight(text []byte) {
	switch v, k := number.Text(text); k {
	case number.Finite:
		d.weight(text, v)
	case number.NotFinite:
		d.failed.add(NotFinite, -1, "the weight %v is not finite", quoted(text))
	default:
		d.badWeight(text)
	}
}
