package daemon

import (
	"fmt"
	"slices"
	"strings"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/learner"
)

// ParseLearner is learner.ParseLearner; its errors also say what may be meant. several says that the setting takes
// several learners.
func ParseLearner(text string, into *learner.Spec, several bool) error {
	err := learner.ParseLearner(text, into)
	if err == nil {
		return nil
	}
	meant, one := learnersMeant(text), learnerMeant(text)
	switch {
	case meant != "" && several:
		return fmt.Errorf("%w; did you mean %q? Spaces separate learners", err, meant)
	case meant != "":
		return fmt.Errorf("%w; a model has one learner, replay compares several", err)
	case one != "":
		return fmt.Errorf("%w; did you mean %s?", err, one)
	}
	return err
}

// learnersMeant returns the learners in a text that has several, separated by spaces; empty if it has not.
func learnersMeant(text string) string {
	known, n := learnerNames(), 0
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
	var meant strings.Builder
	for i, part := range parts {
		name, _, _ := strings.Cut(part, ":")
		separator := ","
		if slices.Contains(known, name) {
			n, separator = n+1, " "
		}
		if i > 0 {
			meant.WriteString(separator)
		}
		meant.WriteString(part)
	}
	if n < 2 {
		return ""
	}
	return meant.String()
}

// ratesElsewhere are names of the parameter rate in other programs.
var ratesElsewhere = []string{"lr", "learning_rate", "learning-rate", "eta", "eta0", "alpha", "step"}

// learnerMeant returns the learner or the parameter that is misspelt; empty if there is none.
func learnerMeant(text string) string {
	name, parameters, _ := strings.Cut(text, ":")
	all := learner.Learners()
	i := slices.IndexFunc(all, func(l learner.LearnerInfo) bool { return l.Name == name })
	if i < 0 {
		return cli.Meant(name, learnerNames())
	}
	var keys []string
	for _, p := range all[i].Parameters {
		keys = append(keys, p.Key)
	}
	for part := range strings.SplitSeq(parameters, ",") {
		key, _, _ := strings.Cut(part, "=")
		switch {
		case slices.Contains(keys, key):
		//mutation:rate-by-other-names
		case slices.Contains(ratesElsewhere, key) && slices.Contains(keys, "rate"):
			return "rate"
		default:
			return cli.Meant(key, keys)
		}
	}
	return ""
}

func learnerNames() (names []string) {
	for _, l := range learner.Learners() {
		names = append(names, l.Name)
	}
	return names
}
