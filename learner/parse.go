package learner

import (
	"fmt"
	"slices"
	"strings"
)

// ParseLearner reads a learner and its parameters, "pa" or "perceptron:rate=0.5,threshold=1", into the fields of
// into. Parameters not given get their defaults; other fields do not change. On an error into is
// unchanged.
func ParseLearner(text string, into *Spec) error {
	name, rest, given := strings.Cut(text, ":")
	d := definitionOf(name)
	if d == nil {
		return fmt.Errorf("learner: %q: unknown learner %q: want %s", text, name, learnerNames())
	}
	s := Spec{Learner: name}
	var keys []string
	if given {
		var err error
		if keys, err = s.parse(d, rest); err != nil {
			return fmt.Errorf("learner: %q: %w", text, err)
		}
	}
	s = s.completed(keys)
	if err := s.checkParameters(); err != nil {
		return fmt.Errorf("learner: %q: %w", text, err)
	}
	s.keep(into)
	*into = s
	return nil
}

// For returns s, which ParseLearner has read from text, for an existing model: parameters that text does not name are
// the model's, where the learner is the same and they go together with those named.
func (s Spec) For(model Spec, text string) Spec {
	next := model.WithDefaults()
	d := definitionOf(s.Learner)
	if d == nil || next.Learner != s.Learner || next.Kernel != s.Kernel && strings.Contains(text, "kernel=") {
		return s
	}
	next.keep(&s)
	_, rest, _ := strings.Cut(text, ":")
	for part := range strings.SplitSeq(rest, ",") {
		key, value, _ := strings.Cut(part, "=")
		if p := d.parameter(key); p != nil && p.set(&next, value) != nil {
			return s
		}
	}
	if next.Schedule == ScheduleConstant && s.Window == 0 {
		next.Window = 0 // the model's
	}
	if next = next.WithDefaults(); next.checkParameters() != nil {
		return s
	}
	return next
}

// keep takes over what is not a parameter of the learner.
func (s *Spec) keep(from *Spec) {
	s.Scale, s.HalfLife, s.Clip, s.Centre = from.Scale, from.HalfLife, from.Clip, from.Centre
	s.Bits, s.MaxNames = from.Bits, from.MaxNames
	s.StartWeights, s.StartSeed = from.StartWeights, from.StartSeed
}

// parse returns the keys of the parameters in text.
func (s *Spec) parse(d *definition, text string) (seen []string, err error) {
	for part := range strings.SplitSeq(text, ",") {
		key, value, ok := strings.Cut(part, "=")
		if !ok || slices.Contains(seen, key) {
			return nil, fmt.Errorf("parameter %q: want each of %s at most once, as key=value", part, d.keys("and"))
		}
		p := d.parameter(key)
		if p == nil {
			return nil, fmt.Errorf("unknown parameter %q: want %s", key, d.keys("or"))
		}
		if err := p.set(s, value); err != nil {
			return nil, err
		}
		seen = append(seen, key)
	}
	return seen, s.checkGiven(seen)
}

// checkGiven checks which parameters were given, where the zero of a field does not show it.
func (s *Spec) checkGiven(keys []string) error {
	has := func(key string) bool { return slices.Contains(keys, key) }
	switch {
	case s.Update == UpdateMistake && has("threshold"):
		return fmt.Errorf("threshold: update=%s has no threshold", UpdateMistake)
	case s.Kernel != KernelPoly && (has("degree") || has("offset")):
		return fmt.Errorf("degree and offset: only kernel=%s has them", KernelPoly)
	}
	return nil
}

// completed returns s with the defaults of the parameters that were not given, also where the zero of a field is a
// value of its own.
func (s Spec) completed(given []string) Spec {
	if s.Kernel == KernelPoly && !slices.Contains(given, "offset") {
		s.Offset = paramOffset.initial
	}
	if s.Kernel == KernelPoly {
		fill(&s.Degree, int(paramDegree.initial))
	}
	if s.Learner == Logistic && s.Schedule != ScheduleConstant && !slices.Contains(given, "window") {
		s.Window = int(paramWindow.initial)
	}
	return s.WithDefaults()
}

// String is the learner with the parameters that are not at their defaults, as ParseLearner reads it.
func (s Spec) String() string {
	s = s.WithDefaults()
	d := definitionOf(s.Learner)
	if d == nil {
		return s.Learner
	}
	defaults := Spec{Learner: s.Learner, Kernel: s.Kernel, Update: s.Update, Schedule: s.Schedule}.completed(nil)
	var parts []string
	for _, p := range d.parameters {
		if text := p.text(&s); text != p.text(&defaults) || p.Values != nil && text != p.Default {
			parts = append(parts, p.Key+"="+text)
		}
	}
	if len(parts) == 0 {
		return s.Learner
	}
	return s.Learner + ":" + strings.Join(parts, ",")
}
