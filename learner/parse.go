package learner

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseLearner reads a learner and its parameters, "perceptron" or "perceptron:rate=0.5,threshold=1", into the fields of
// into that they belong to; parameters not named get their defaults, Scale, Bits and MaxNames stay. On an error, which
// names the wrong word and what is allowed, into is as it was.
func ParseLearner(text string, into *Spec) error {
	name, list, given := strings.Cut(text, ":")
	if name != Perceptron {
		return fmt.Errorf("learner: %q: unknown learner %q: want %s", text, name, Perceptron)
	}
	s := Spec{Learner: name, Scale: into.Scale, Bits: into.Bits, MaxNames: into.MaxNames}.WithDefaults()
	if given {
		if err := s.parse(list); err != nil {
			return fmt.Errorf("learner: %q: %w", text, err)
		}
	}
	parsed := *into
	parsed.Learner, parsed.Rate, parsed.Threshold, parsed.Update = s.Learner, s.Rate, s.Threshold, s.Update
	*into = parsed
	return nil
}

// parse reads "rate=0.5,threshold=1". A rate of 0 is refused here: only a field nobody set means the default.
func (s *Spec) parse(list string) error {
	seen := make(map[string]bool)
	for part := range strings.SplitSeq(list, ",") {
		key, value, ok := strings.Cut(part, "=")
		if !ok || seen[key] {
			return fmt.Errorf("parameter %q: want each of rate, threshold and update at most once, as key=value", part)
		}
		seen[key] = true
		if err := s.set(key, value); err != nil {
			return err
		}
	}
	if s.Update == UpdateMistake && seen["threshold"] {
		return fmt.Errorf("threshold: update=%s knows no threshold", UpdateMistake)
	}
	return nil
}

func (s *Spec) set(key, value string) error {
	number, err := strconv.ParseFloat(value, 64)
	switch key {
	case "rate":
		if s.Rate = number; err != nil || !(number > 0 && number <= 1) {
			return fmt.Errorf("rate %q: want a number over 0 and up to 1", value)
		}
	case "threshold":
		if s.Threshold = number; err != nil || !(number >= 0 && number <= MaxValue) {
			return fmt.Errorf("threshold %q: want a number from 0 to %v", value, MaxValue)
		}
	case "update":
		if s.Update = value; value != UpdateThreshold && value != UpdateMistake {
			return fmt.Errorf("update %q: want %s or %s", value, UpdateThreshold, UpdateMistake)
		}
	default:
		return fmt.Errorf("unknown parameter %q: want rate, threshold or update", key)
	}
	return nil
}
