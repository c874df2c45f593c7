package learner

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// parameter is a field of Spec that a learner's name may be followed by.
type parameter struct {
	key   string
	words []string                                      // of a word: what it may be
	span  span                                          // of a number: its range
	get   func(*Spec) float64                           // of a number
	put   func(*Spec, float64)                          // of a number
	word  func(*Spec) *string                           // of a word
	other func(learner string) (own span, differs bool) // of a number whose range depends on the learner, or nil
}

// span is a range of numbers.
type span struct {
	least, most float64
	open        bool // least itself is not in it
	whole       bool // only whole numbers are
	unset       bool // 0 is in it too, for not given
}

func (r span) has(x float64) bool {
	switch {
	case r.unset && x == 0:
		return true
	case r.whole && x != math.Trunc(x):
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

func real(key string, r span, field func(*Spec) *float64) parameter {
	return parameter{key: key, span: r, get: func(s *Spec) float64 { return *field(s) }, put: func(s *Spec, x float64) { *field(s) = x }}
}

func integer(key string, least, most int, unset bool, field func(*Spec) *int) parameter {
	return parameter{key: key, span: span{least: float64(least), most: float64(most), whole: true, unset: unset},
		get: func(s *Spec) float64 { return float64(*field(s)) }, put: func(s *Spec, x float64) { *field(s) = int(x) }}
}

// parameters are all there are, in the order in which String writes them.
var parameters = []parameter{
	real("rate", span{most: 1, open: true}, func(s *Spec) *float64 { return &s.Rate }),
	real("threshold", span{most: MaxValue}, func(s *Spec) *float64 { return &s.Threshold }),
	{key: "update", words: []string{UpdateThreshold, UpdateMistake}, word: func(s *Spec) *string { return &s.Update }},
	real("C", span{most: MaxValue, open: true}, func(s *Spec) *float64 { return &s.C }),
	real("r", span{most: MaxValue, open: true}, func(s *Spec) *float64 { return &s.R }),
	real("floor", span{most: 1}, func(s *Spec) *float64 { return &s.Floor }),
	{key: "kernel", words: []string{KernelLinear, KernelPoly, KernelRBF}, word: func(s *Spec) *string { return &s.Kernel }},
	integer("degree", 1, MaxDegree, true, func(s *Spec) *int { return &s.Degree }),
	real("offset", span{most: MaxValue}, func(s *Spec) *float64 { return &s.Offset }),
	real("gamma", span{most: MaxValue, open: true, unset: true}, func(s *Spec) *float64 { return &s.Gamma }),
	integer("budget", 1, MaxBudget, false, func(s *Spec) *int { return &s.Budget }),
	integer("window", 2, MaxWindow, true, func(s *Spec) *int { return &s.Window }),
	real("decay", span{most: MaxValue}, func(s *Spec) *float64 { return &s.Decay }).
		unlike(Averaged, span{least: 0.5, most: 1 - 1e-12, unset: true}),
	real("l1", span{most: MaxValue}, func(s *Spec) *float64 { return &s.L1 }),
	real("l2", span{most: MaxValue}, func(s *Spec) *float64 { return &s.L2 }),
	real("positive-weight", span{most: MaxValue, open: true, unset: true}, func(s *Spec) *float64 { return &s.PositiveWeight }),
	real("negative-weight", span{most: MaxValue, open: true, unset: true}, func(s *Spec) *float64 { return &s.NegativeWeight }),
}

// unlike gives one learner a range of its own.
func (p parameter) unlike(learner string, own span) parameter {
	p.other = func(l string) (span, bool) { return own, l == learner }
	return p
}

// spanOf is the parameter's range with a learner.
func (p *parameter) spanOf(learner string) span {
	if p.other != nil {
		if own, differs := p.other(learner); differs {
			return own
		}
	}
	return p.span
}

// takes lists the learners in the order of Spec's names, and the keys of what each may be given.
var takes = []struct {
	learner string
	keys    []string
}{
	{Perceptron, []string{"rate", "threshold", "update", "decay", "l1", "l2"}},
	{Averaged, []string{"rate", "threshold", "update", "window", "decay"}},
	{PA, nil},
	{PA1, []string{"C"}},
	{PA2, []string{"C"}},
	{AROW, []string{"r", "floor"}},
	{Logistic, []string{"rate", "decay", "l1", "l2"}},
	{Dual, []string{"rate", "threshold", "update", "kernel", "degree", "offset", "gamma", "budget"}},
}

// parametersOf lists the keys that a learner takes, nil for an unknown learner.
func parametersOf(learner string) []string {
	for _, t := range takes {
		if t.learner == learner {
			return append(slices.Clone(t.keys), "positive-weight", "negative-weight")
		}
	}
	return nil
}

func learnerNames() string {
	var names []string
	for _, t := range takes {
		names = append(names, t.learner)
	}
	return list(names, "or")
}

// list joins words as a sentence does: "a, b or c".
func list(words []string, last string) string {
	n := len(words) - 1
	return strings.Join(words[:n], ", ") + " " + last + " " + words[n]
}

// checkParameters looks at each parameter and at how they go together. s has its defaults.
func (s *Spec) checkParameters() error {
	keys := parametersOf(s.Learner)
	untouched := Spec{Learner: s.Learner}.WithDefaults()
	for i := range parameters {
		p := &parameters[i]
		switch {
		case !slices.Contains(keys, p.key):
			if p.text(s) != p.text(&untouched) {
				return fmt.Errorf("%s %s: %s takes %s", p.key, p.text(s), s.Learner, list(keys, "and"))
			}
		case p.word != nil && !slices.Contains(p.words, *p.word(s)):
			return fmt.Errorf("%s %q: want %s", p.key, *p.word(s), list(p.words, "or"))
		case p.word == nil && !p.spanOf(s.Learner).has(p.get(s)):
			return fmt.Errorf("%s %v: want %v", p.key, p.get(s), p.spanOf(s.Learner))
		}
	}
	return s.fits()
}

// text is the parameter's value as ParseLearner reads it.
func (p *parameter) text(s *Spec) string {
	if p.word != nil {
		return *p.word(s)
	}
	return strconv.FormatFloat(p.get(s), 'g', -1, 64)
}
