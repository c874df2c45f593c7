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

	ofStandard = &definition{parameters: []*parameter{paramHalfLife, paramClip}}
)

// ParseScale reads a way of scaling, "none" or "standard:half-life=10000,clip=5", into Scale, HalfLife and Clip. On an
// error into is unchanged.
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
	into.Scale, into.HalfLife, into.Clip = s.Scale, s.HalfLife, s.Clip
	return nil
}

// checkScale needs an s with its defaults.
func (s *Spec) checkScale() error {
	switch {
	case s.Scale != ScaleStandard && s.Scale != ScaleMaxAbs && s.Scale != ScaleNone:
		return fmt.Errorf("scale %q: want %s, %s or %s", s.Scale, ScaleStandard, ScaleMaxAbs, ScaleNone)
	case s.Scale != ScaleStandard && (s.HalfLife != 0 || s.Clip != 0):
		return fmt.Errorf("half-life and clip: only scale %s has them", ScaleStandard)
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
	text, separator := s.WithDefaults().Scale, ":"
	for _, p := range ofStandard.parameters {
		if p.number(&s) != 0 {
			text += separator + p.Key + "=" + p.text(&s)
			separator = ","
		}
	}
	return text
}
