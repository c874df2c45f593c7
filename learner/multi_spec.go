package learner

import (
	"errors"
	"fmt"
	"strings"
)

// The values of MultiSpec.Scheme: see Multi.
const (
	Direct = "direct"
	OVA    = "ova"
	OVO    = "ovo"
)

// Of classes with equally many votes in ovo, TiesFirst predicts the one seen first, TiesMargin the one with the largest
// sum of scores over its pairs, as scikit-learn's OneVsOneClassifier does; of equal sums the one seen first.
const (
	TiesFirst  = "first"
	TiesMargin = "margin" // MultiSpec.Ties
)

// Limits and defaults of MultiSpec.MaxClasses. The limits keep the columns within what a file may hold.
const (
	DefaultMaxClasses    = 1000
	DefaultMaxClassesOVO = 100 // of ovo: 4,950 pairs
	MostClasses          = 10_000
	MostClassesOVO       = 150 // of ovo: 11,175 pairs
	MaxClassBytes        = MaxNameBytes
)

// ErrTooManyClasses means that a label would exceed MultiSpec.MaxClasses. Nothing has changed.
var ErrTooManyClasses = errors.New("learner: one class more than the limit")

// MultiSpec describes a Multi. Zero fields have their defaults. It can be compared with == after WithDefaults. Memory
// is that of one Model of Spec for each class, in ovo for each pair, allocated as classes are discovered.
type MultiSpec struct {
	Spec              // each binary learner's
	Scheme     string `json:"scheme"`         // Direct, the default, OVA or OVO
	MaxClasses int    `json:"maxClasses"`     // 1 to MostClasses, default DefaultMaxClasses; ovo has limits of its own
	Ties       string `json:"ties,omitempty"` // of ovo: TiesMargin, or empty for TiesFirst
}

// ParseScheme reads a scheme, "ova" or "ovo:ties=margin", into Scheme and Ties. On an error into is unchanged.
func ParseScheme(text string, into *MultiSpec) error {
	name, rest, given := strings.Cut(text, ":")
	ties := ""
	switch {
	case name != Direct && name != OVA && name != OVO:
		return fmt.Errorf("%q: want %s, %s or %s", text, Direct, OVA, OVO)
	case given && name != OVO:
		return fmt.Errorf("%q: only %s has a parameter, ties=%s or ties=%s", text, OVO, TiesFirst, TiesMargin)
	case rest == "ties="+TiesMargin:
		ties = TiesMargin
	case given && rest != "ties="+TiesFirst:
		return fmt.Errorf("%q: want ties=%s or ties=%s", text, TiesFirst, TiesMargin)
	}
	into.Scheme, into.Ties = name, ties
	return nil
}

// SchemeText is the scheme as ParseScheme reads it.
func (s MultiSpec) SchemeText() string {
	s = s.WithDefaults()
	if s.Ties != "" {
		return s.Scheme + ":ties=" + s.Ties
	}
	return s.Scheme
}

// WithDefaults returns s with its zero fields filled in.
func (s MultiSpec) WithDefaults() MultiSpec {
	s.Spec = s.Spec.WithDefaults()
	fill(&s.Scheme, Direct)
	if s.Scheme == OVO {
		fill(&s.MaxClasses, DefaultMaxClassesOVO)
	}
	fill(&s.MaxClasses, DefaultMaxClasses)
	return s
}

// Validate is Spec.Validate.
func (s MultiSpec) Validate() error {
	if err := s.Spec.Validate(); err != nil {
		return err
	}
	s = s.WithDefaults()
	limit := MostClasses
	switch s.Scheme {
	case OVO:
		limit = MostClassesOVO
	case Direct, OVA:
	default:
		return fmt.Errorf("scheme %q: want %s, %s or %s", s.Scheme, Direct, OVA, OVO)
	}
	if s.Ties != "" && (s.Ties != TiesMargin || s.Scheme != OVO) {
		return fmt.Errorf("ties %q: only %s has ties, %s or %s", s.Ties, OVO, TiesFirst, TiesMargin)
	}
	if s.MaxClasses < 1 || s.MaxClasses > limit {
		return fmt.Errorf("max classes %d: want 1 to %d with %s", s.MaxClasses, limit, s.Scheme)
	}
	if s.Scheme != OVA && (s.PositiveWeight != 0 || s.NegativeWeight != 0) {
		return fmt.Errorf("positive-weight and negative-weight: only %s has a positive and a negative side",
			OVA)
	}
	if s.Scheme == Direct {
		return s.checkDirect()
	}
	return nil
}

func (s *MultiSpec) checkDirect() error {
	switch {
	case !definitionOf(s.Learner).Direct:
		return fmt.Errorf("%s has no %s form: %s have; %s works with %s and %s",
			s.Learner, Direct, namesOf("and", func(d *definition) bool { return d.Direct }), s.Learner, OVA, OVO)
	case s.Threshold != 0:
		return fmt.Errorf("threshold %v: %s learns from mistakes only; a threshold works with %s and %s",
			s.Threshold, Direct, OVA, OVO)
	}
	return nil
}

// String is Spec.String, then the scheme.
func (s MultiSpec) String() string {
	s = s.WithDefaults()
	return s.Spec.String() + " " + s.SchemeText()
}

func (s *MultiSpec) separators(classes int) int {
	if s.Scheme == OVO {
		return classes * (classes - 1) / 2
	}
	return classes
}
