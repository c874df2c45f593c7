package learner

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// ParameterInfo describes a parameter of a learner, as in "perceptron:rate=0.5".
type ParameterInfo struct {
	Key     string
	Help    string   // one line
	Default string   // as it is written
	Values  []string // of a word: what it may be; nil of a number
	Range   string   // of a number: "a number over 0 and up to 1"
}

// parameter is a field of Spec that may follow a learner's name.
type parameter struct {
	key, help string
	field     func(*Spec) any // *float64, *int or *string
	words     []string        // of a word: its values, the default first
	span      span            // of a number
	initial   float64         // of a number: its default
	dependent bool            // whether it has its default depends on others: Spec.WithDefaults knows
}

// span is a range of numbers.
type span struct {
	least, most float64
	open        bool // least itself is not in it
	whole       bool // only whole numbers are
	unset       bool // a field of Spec may also be 0, for not given
}

func numberParameter(key, help string, allowed span, initial float64, field func(*Spec) any) parameter {
	return parameter{key: key, help: help, field: field, span: allowed, initial: initial}
}

func wordParameter(key, help string, words []string, field func(*Spec) any) parameter {
	return parameter{key: key, help: help, field: field, words: words}
}

func (p parameter) withDefault(x float64) parameter {
	p.initial = x
	return p
}

func (p parameter) dependently() parameter {
	p.dependent = true
	return p
}

func (p *parameter) info() ParameterInfo {
	info := ParameterInfo{Key: p.key, Help: p.help, Values: p.words}
	if p.words != nil {
		info.Default = p.words[0]
		return info
	}
	info.Default, info.Range = formatNumber(p.initial), p.span.String()
	return info
}

// fill gives the parameter its default where its field is zero.
func (p *parameter) fill(s *Spec) {
	if p.dependent {
		return
	}
	switch field := p.field(s).(type) {
	case *float64:
		fill(field, p.initial)
	case *int:
		fill(field, int(p.initial))
	case *string:
		fill(field, p.words[0])
	}
}

// text is the parameter's value as ParseLearner reads it.
func (p *parameter) text(s *Spec) string {
	switch field := p.field(s).(type) {
	case *float64:
		return formatNumber(*field)
	case *int:
		return formatNumber(float64(*field))
	case *string:
		return *field
	}
	return ""
}

// set reads a value into the parameter's field.
func (p *parameter) set(s *Spec, value string) error {
	x, err := strconv.ParseFloat(value, 64)
	if p.words == nil && (err != nil || !p.span.has(x)) {
		return fmt.Errorf("%s %q: want %v", p.key, value, p.span)
	}
	switch field := p.field(s).(type) {
	case *float64:
		*field = x
	case *int:
		*field = int(x)
	case *string:
		*field = value
		return p.check(s)
	}
	return nil
}

// check refuses a field that is out of range.
func (p *parameter) check(s *Spec) error {
	var x float64
	switch field := p.field(s).(type) {
	case *string:
		if !slices.Contains(p.words, *field) {
			return fmt.Errorf("%s %q: want %s", p.key, *field, list(p.words, "or"))
		}
		return nil
	case *float64:
		x = *field
	case *int:
		x = float64(*field)
	}
	if !p.span.has(x) && !(p.span.unset && x == 0) {
		return fmt.Errorf("%s %v: want %v", p.key, x, p.span)
	}
	return nil
}

func (r span) has(x float64) bool {
	if r.whole && x != math.Trunc(x) {
		return false
	}
	return x >= r.least && x <= r.most && !(r.open && x == r.least)
}

func (r span) String() string {
	kind := "number"
	if r.whole {
		kind = "whole number"
	}
	if r.open {
		return fmt.Sprintf("a %s over %v and up to %v", kind, r.least, r.most)
	}
	return fmt.Sprintf("a %s from %v to %v", kind, r.least, r.most)
}

func formatNumber(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// list joins words as a sentence does: "a, b or c".
func list(words []string, last string) string {
	n := len(words) - 1
	if n == 0 {
		return words[0]
	}
	return strings.Join(words[:n], ", ") + " " + last + " " + words[n]
}
