package learner

import (
	"fmt"
	"strings"
)

// The parameters of ScaleStandard.
var (
	paramHalfLife = numberParameter("half-life", "a value counts half after so many further ones of its feature",
		span{least: 1, most: 1e15, unset: true}, 0, func(s *Spec) any { return &s.HalfLife })
	paramClip = numberParameter("clip", "values are at most so many deviations from the mean",
		span{least: 2, most: MaxValue, unset: true}, 0, func(s *Spec) any { return &s.Clip })
	paramCentre = wordParameter("centre", "subtract the mean of what half of the examples have, or of everything",
		[]string{CentreHalf, CentreAlways}, func(s *Spec) any { return &s.Centre }).dependently()

	ofStandard = &definition{parameters: []*parameter{paramHalfLife, paramClip, paramCentre}}
)

// ParseScale reads a way of scaling, "none" or "standard:half-life=10000,clip=5", into Scale, HalfLife, Clip and
// Centre. On an error into is unchanged.
func ParseScale(text string, into *Spec) error {
	name, rest, given := strings.Cut(text, ":")
	s := Spec{Scale: name}
	switch {
	case name != ScaleStandard && name != ScaleMaxAbs && name != ScaleNone:
		return fmt.Errorf("%q: want %s, %s or %s", text, ScaleStandard, ScaleMaxAbs, ScaleNone)
	case given && name != ScaleStandard:
		return fmt.Errorf("%q: only %s has parameters", text, ScaleStandard)
	case given:
		if _, err := s.parse(ofStandard, rest); err != nil {
			return fmt.Errorf("%q: %w", text, err)
		}
	}
	into.Scale, into.HalfLife, into.Clip, into.Centre = s.Scale, s.HalfLife, s.Clip, s.Centre
	if s.Centre == CentreHalf {
		into.Centre = ""
	}
	return nil
}

// checkScale needs an s with its defaults.
func (s *Spec) checkScale() error {
	switch {
	case s.Scale != ScaleStandard && s.Scale != ScaleMaxAbs && s.Scale != ScaleNone:
		return fmt.Errorf("scale %q: want %s, %s or %s", s.Scale, ScaleStandard, ScaleMaxAbs, ScaleNone)
	case s.Scale != ScaleStandard && (s.HalfLife != 0 || s.Clip != 0 || s.Centre != ""):
		return fmt.Errorf("half-life, clip and centre: only scale %s has them", ScaleStandard)
	}
	for _, p := range ofStandard.parameters {
		if err := p.check(s); err != nil {
			return fmt.Errorf("scale: %w", err)
		}
	}
	return nil
}

// ScaleText is the way of scaling as ParseScale reads it.
func (s Spec) ScaleText() string {
	s = s.WithDefaults()
	text, separator := s.Scale, ":"
	for _, p := range ofStandard.parameters {
		if p.text(&s) != p.Default {
			text += separator + p.Key + "=" + p.text(&s)
			separator = ","
		}
	}
	return text
}
