package decision

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"rosenblatt/learner/internal/exact"
)

// Kind is by what a Rule decides.
type Kind uint8

// The kinds of rules.
const (
	Sign        Kind = iota // positive from score 0 on
	Probability             // from a probability on
	Cost                    // where silence would not cost less
	Precision               // so that of the positive predictions a share is right
	Recall                  // so that a share of the positive labels is predicted
	Alerts                  // so that a share of the events is predicted positive
)

var kindNames = [...]string{"sign", "probability", "cost", "precision", "recall", "alerts"}

// String returns the kind as rules are written.
func (k Kind) String() string { return kindNames[k] }

// Rule says from which score on positive is predicted. The zero value goes by the sign of the score.
type Rule struct {
	Kind   Kind
	Value  float64 // the probability, or the target; of Sign and Cost 0
	FP, FN float64 // of Cost: what a false positive costs, and a false negative
}

// MostCost is how much a mistake may cost.
const MostCost = 1e30

// ParseRule reads a rule as String writes it. Empty is sign.
func ParseRule(text string) (Rule, error) {
	name, value, given := strings.Cut(text, "=")
	for k := range kindNames {
		if r := (Rule{Kind: Kind(k)}); name == kindNames[k] || name == "" && k == 0 && !given {
			return r.parse(value, given)
		}
	}
	return Rule{}, fmt.Errorf("rule %q: want sign, probability=0.3, cost=fp:1,fn:20, precision=0.9, recall=0.8 or"+
		" alerts=0.01", text)
}

func (r Rule) parse(value string, given bool) (Rule, error) {
	var err error
	switch {
	case r.Kind == Sign && given:
		err = errors.New("rule sign: it has no value")
	case r.Kind == Sign:
	case r.Kind == Cost:
		if r.FP, r.FN, err = ParseCosts(value); err != nil {
			err = fmt.Errorf("rule %v: %w", r.Kind, err)
		}
	default:
		r.Value, err = strconv.ParseFloat(value, 64)
		if err != nil || !(r.Value > 0 && r.Value < 1) {
			err = fmt.Errorf("rule %v=%s: want a number above 0 and below 1", r.Kind, value)
		}
	}
	return r, err
}

// ParseCosts reads what a false positive and a false negative cost, as fp:1,fn:20, in either order.
func ParseCosts(text string) (fp, fn float64, err error) {
	bad := fmt.Errorf("%q: want what a false positive and a false negative cost, as fp:1,fn:20, each above 0 and at"+
		" most %g", text, MostCost)
	for part := range strings.SplitSeq(text, ",") {
		name, number, _ := strings.Cut(part, ":")
		to := map[string]*float64{"fp": &fp, "fn": &fn}[name]
		if to == nil || *to != 0 {
			return 0, 0, bad
		}
		x, err := strconv.ParseFloat(number, 64)
		if err != nil || !(x > 0 && x <= MostCost) {
			return 0, 0, bad
		}
		*to = x
	}
	if fp == 0 || fn == 0 {
		return 0, 0, bad
	}
	return fp, fn, nil
}

// String writes the rule in one spelling.
func (r Rule) String() string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	switch r.Kind {
	case Sign:
		return r.Kind.String()
	case Cost:
		return "cost=fp:" + number(r.FP) + ",fn:" + number(r.FN)
	}
	return r.Kind.String() + "=" + number(r.Value)
}

// Moves reports whether labels, or events, move the cut so that a figure comes to its target.
func (r Rule) Moves() bool { return r.Kind >= Precision }

// start is where the cut of the rule begins, a log-odds. That of probability stays there.
func (r Rule) start() float64 {
	switch r.Kind {
	case Probability, Precision:
		return exact.Log(r.Value / (1 - r.Value))
	case Cost:
		return exact.Log(r.FP / r.FN)
	}
	return 0
}
