package learner

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ParseLearner reads a learner and its parameters, "pa" or "perceptron:rate=0.5,threshold=1", into the fields of into that
// they belong to; parameters not named get their defaults, Scale, Bits and MaxNames stay. On an error, which names the wrong
// word and what is allowed, into is as it was.
func ParseLearner(text string, into *Spec) error {
	name, rest, given := strings.Cut(text, ":")
	if parametersOf(name) == nil {
		return fmt.Errorf("learner: %q: unknown learner %q: want %s", text, name, learnerNames())
	}
	s := Spec{Learner: name}
	if given {
		if err := s.parse(rest); err != nil {
			return fmt.Errorf("learner: %q: %w", text, err)
		}
	}
	s = s.WithDefaults()
	if err := s.checkParameters(); err != nil {
		return fmt.Errorf("learner: %q: %w", text, err)
	}
	s.Scale, s.Bits, s.MaxNames = into.Scale, into.Bits, into.MaxNames
	*into = s
	return nil
}

// parse reads "rate=0.5,threshold=1".
func (s *Spec) parse(list string) error {
	var seen []string
	for part := range strings.SplitSeq(list, ",") {
		key, value, ok := strings.Cut(part, "=")
		if !ok || slices.Contains(seen, key) {
			return fmt.Errorf("parameter %q: want each of %s at most once, as key=value", part, listOf(s.Learner, "and"))
		}
		seen = append(seen, key)
		if err := s.set(key, value); err != nil {
			return err
		}
	}
	return s.given(seen)
}

// given looks at what the zero of a field cannot tell: that it was written.
func (s *Spec) given(keys []string) error {
	has := func(key string) bool { return slices.Contains(keys, key) }
	switch {
	case s.Update == UpdateMistake && has("threshold"):
		return fmt.Errorf("threshold: update=%s knows no threshold", UpdateMistake)
	case s.Kernel != KernelPoly && (has("degree") || has("offset")):
		return fmt.Errorf("degree and offset: only kernel=%s has them", KernelPoly)
	case s.Kernel == KernelPoly:
		fill(&s.Degree, 2)
		if !has("offset") {
			s.Offset = 1
		}
	}
	return nil
}

func listOf(learner, last string) string { return list(parametersOf(learner), last) }

// set puts a value into the field of its key. A 0 is refused where only a field nobody set is one.
func (s *Spec) set(key, value string) error {
	at := slices.IndexFunc(parameters, func(p parameter) bool { return p.key == key })
	if at < 0 || !slices.Contains(parametersOf(s.Learner), key) {
		return fmt.Errorf("unknown parameter %q: want %s", key, listOf(s.Learner, "or"))
	}
	p := &parameters[at]
	if p.word != nil {
		if *p.word(s) = value; !slices.Contains(p.words, value) {
			return fmt.Errorf("%s %q: want %s", key, value, list(p.words, "or"))
		}
		return nil
	}
	allowed := p.spanOf(s.Learner)
	allowed.unset = false
	x, err := strconv.ParseFloat(value, 64)
	if err != nil || !allowed.has(x) {
		return fmt.Errorf("%s %q: want %v", key, value, allowed)
	}
	p.put(s, x)
	return nil
}

// String is the learner with the parameters that are not at their defaults, in the form ParseLearner reads. Scale, bits
// and names are not part of it.
func (s Spec) String() string {
	s = s.WithDefaults()
	untouched := Spec{Learner: s.Learner, Kernel: s.Kernel}.WithDefaults()
	var parts []string
	for i := range parameters {
		p := &parameters[i]
		if text := p.text(&s); text != p.text(&untouched) || p.key == "kernel" && text != KernelLinear && text != "" {
			parts = append(parts, p.key+"="+text)
		}
	}
	if len(parts) == 0 {
		return s.Learner
	}
	return s.Learner + ":" + strings.Join(parts, ",")
}
