package event

import (
	"slices"
	"testing"

	"rosenblatt/learner"
)

// TestVWWords: values that are words, as vw 9.11 --audit shows them: city^paris with the value 1 whatever the scale of
// the namespace is, and 1 where no value follows the colon.
func TestVWWords(t *testing.T) {
	for value, want := range map[string][]named{
		"1 | city:paris":            {{"city=paris", 1, learner.Indicator}},
		"1 |b city:paris x:2":       {{"b^city=paris", 1, learner.Indicator}, {"b^x", 2, learner.Numeric}},
		"1 |b:3 city:paris x:2":     {{"b^city=paris", 1, learner.Indicator}, {"b^x", 6, learner.Numeric}},
		"1 | city:paris city:paris": {{"city=paris", 2, learner.Indicator}},
		"1 | a:b:c a::b":            {{"a=b:c", 1, learner.Indicator}, {"a=:b", 1, learner.Indicator}},
		"1 |b:3 a:":                 {{"b^a", 3, learner.Numeric}},
	} {
		d := decoder(t, Defaults(VW))
		for range 3 {
			if got := walked(d, value); !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", value, got, want)
			}
			decoded(d, value)
		}
	}
}
