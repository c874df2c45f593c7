package learner

import (
	"cmp"
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
	Values  []string // of a word: what it may be
	Range   string   // of a number: "a number over 0 and up to 1"
}

// parameter is a field of Spec that may follow a learner's name.
type parameter struct {
	ParameterInfo
	field     func(*Spec) any // *float64, *int or *string
	span      span            // of a number
	initial   float64         // of a number: its default
	dependent bool            // its default depends on other fields: see Spec.WithDefaults
}

type span struct {
	least, most float64
	open        bool // least itself is not in it
	whole       bool // only whole numbers are
	zero        bool // 0 is in it too
	unset       bool // a field of Spec may also be 0, for not given
}

func numberParameter(key, help string, allowed span, initial float64, field func(*Spec) any) *parameter {
	info := ParameterInfo{Key: key, Help: help, Range: allowed.String()}
	return parameter{ParameterInfo: info, field: field, span: allowed}.withDefault(initial)
}

// wordParameter has the first word as its default.
func wordParameter(key, help string, words []string, field func(*Spec) any) *parameter {
	info := ParameterInfo{Key: key, Help: help, Default: words[0], Values: words}
	return &parameter{ParameterInfo: info, field: field}
}

func (p parameter) withDefault(x float64) *parameter {
	p.initial, p.Default = x, formatNumber(x)
	return &p
}

func (p parameter) dependently() *parameter {
	p.dependent = true
	return &p
}

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
		fill(field, p.Default)
	}
}

func (p *parameter) number(s *Spec) float64 {
	if whole, ok := p.field(s).(*int); ok {
		return float64(*whole)
	}
	return *p.field(s).(*float64)
}

func (p *parameter) text(s *Spec) string {
	if word, ok := p.field(s).(*string); ok && p.dependent {
		return cmp.Or(*word, p.Default)
	} else if ok {
		return *word
	}
	return formatNumber(p.number(s))
}

func (p *parameter) set(s *Spec, value string) error {
	if word, ok := p.field(s).(*string); ok {
		*word = value
		return p.check(s)
	}
	x, err := strconv.ParseFloat(value, 64)
	if err != nil || !p.span.has(x) {
		return fmt.Errorf("%s %q: want %v", p.Key, value, p.span)
	}
	switch field := p.field(s).(type) {
	case *float64:
		*field = x
	case *int:
		*field = int(x)
	}
	return nil
}

func (p *parameter) check(s *Spec) error {
	if word, ok := p.field(s).(*string); ok {
		if !slices.Contains(p.Values, p.text(s)) {
			return fmt.Errorf("%s %q: want %s", p.Key, *word, list(p.Values, "or"))
		}
		return nil
	}
	if x := p.number(s); !p.span.has(x) && !(p.span.unset && x == 0) {
		return fmt.Errorf("%s %v: want %v", p.Key, x, p.span)
	}
	return nil
}

func (r span) has(x float64) bool {
	if r.whole && x != math.Trunc(x) {
		return false
	}
	return x >= r.least && x <= r.most && !(r.open && x == r.least) || r.zero && x == 0
}

func (r span) String() string {
	kind := "number"
	if r.whole {
		kind = "whole number"
	}
	if r.zero {
		return fmt.Sprintf("0 or a %s from %v to %v", kind, r.least, r.most)
	}
	if r.open {
		return fmt.Sprintf("a %s over %v and up to %v", kind, r.least, r.most)
	}
	return fmt.Sprintf("a %s from %v to %v", kind, r.least, r.most)
}

func formatNumber(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// list joins words: "a, b or c".
func list(words []string, last string) string {
	n := len(words) - 1
	if n == 0 {
		return words[0]
	}
	return strings.Join(words[:n], ", ") + " " + last + " " + words[n]
}
