package event

import (
	"math"
	"slices"
	"strings"

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

// IsLabelName reports whether a field has a name that labels usually have. Case and blanks around it do not count.
func IsLabelName(name string) bool {
	return slices.Contains([]string{"label", "class", "y", "target"}, strings.ToLower(strings.TrimSpace(name)))
}

func (s *sink) setLabels() {
	o := &s.options
	switch {
	case o.multi():
		s.labels = classLabels{}
	case o.Positive != "":
		s.labels = binaryLabels{newSpelling(o.Positive)}
	case len(o.LabelNames) != 0:
		s.labels = binaryLabels{newSpelling(o.LabelNames[0]), newSpelling(o.LabelNames[1])}
	default:
		s.labels = binaryLabels{}
	}
}

// labelReader stores the label of an event. binaryLabels and classLabels implement it.
type labelReader interface {
	token(s *sink, text []byte, numeric bool, v float64) // of JSON, with its value if it is a number
	quoted(s *sink, raw, text []byte)                    // a string, and how it is written in JSON
	word(s *sink, text []byte)                           // of a text format
}

// binaryLabels are the names of both labels, of the positive one, or none.
type binaryLabels []spelling

func (l binaryLabels) token(s *sink, text []byte, numeric bool, v float64) {
	e := s.example
	switch last := len(l) - 1; {
	case last < 0:
		e.Label, e.Family = known(text, numeric, v)
		if e.Label == 0 {
			s.failed.add(BadLabel, -1, "the label %v is none of 1, -1, 0, true and false%s; "+
				"other labels need names (--positive, --label-names)", quoted(text), s.setting(labelRole))
		}
	case l[last].is(text, numeric, v):
		e.Label, e.Family = 1, Named
	case last == 0 || l[0].is(text, numeric, v):
		e.Label, e.Family = -1, Named
	default:
		s.failed.add(BadLabel, -1, "the label %v is neither %q nor %q, which --label-names says%s", quoted(text),
			l[0].text, l[1].text, s.setting(labelRole))
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

func (l binaryLabels) quoted(s *sink, _, text []byte) { l.token(s, text, false, 0) }

func (l binaryLabels) word(s *sink, text []byte) {
	v, k := number.Text(text)
	//mutation:truth-in-tables
	if len(l) == 0 && k == number.Word {
		text = truth(text)
	}
	l.token(s, text, k == number.Finite && !math.IsInf(v, 0), v)
}

// truth returns true and false as json has them, where pandas writes True and Excel TRUE; other texts as they are.
func truth(text []byte) []byte {
	switch string(text) {
	case "True", "TRUE":
		return []byte("true")
	case "False", "FALSE":
		return []byte("false")
	}
	return text
}

// weight stores the example's weight.
func (s *sink) weight(text []byte, v float64) {
	switch {
	case !(v >= 0):
		s.badWeight(text)
	case v > limit:
		s.failed.add(OutOfRange, -1, "the weight %v is over %g%s", quoted(text), limit, s.setting(weightRole))
	default:
		s.example.Weight = v + 0 // -0 becomes 0
	}
}

// setting is the setting that names the field of a label or of a weight, empty where the format says what that is.
func (s *sink) setting(r role) string {
	flag, field := "label-field", s.options.LabelField
	if r == weightRole {
		flag, field = "weight-field", s.options.WeightField
	}
	switch {
	case field == "":
		return ""
	case s.records.labels:
		flag = "labels-" + flag
	}
	return " (--" + flag + " " + field + ")"
}

func (s *sink) badWeight(text []byte) {
	s.failed.add(BadWeight, -1, "the weight %v is not a number from 0 up%s", quoted(text), s.setting(weightRole))
}

// textWeight stores the weight of a text format.
func (s *sink) textWeight(text []byte) {
	switch v, k := number.Text(text); k {
	case number.Finite:
		s.weight(text, v)
	case number.NotFinite:
		s.failed.add(NotFinite, -1, "the weight %v is not finite%s", quoted(text), s.setting(weightRole))
	default:
		s.badWeight(text)
	}
}
