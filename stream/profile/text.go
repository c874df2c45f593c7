package profile

import (
	"fmt"
	"strconv"
	"strings"
)

// shownWords is how many words Text has.
const shownWords = 3

// Text says for people what a field held; "-" where there is nothing. Words come from events: they are quoted.
func (s *Summary) Text() string {
	if s == nil || s.values() == 0 {
		return "-"
	}
	var parts []string
	if s.Numbers > 0 {
		short := func(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }
		parts = append(parts, fmt.Sprintf("%s ± %s (%s to %s)", short(s.Mean), short(s.Deviation), short(s.Least),
			short(s.Greatest)))
	}
	words := s.Words + s.Booleans
	for i, w := range s.Top {
		if i == shownWords {
			parts = append(parts, "...")
			break
		}
		parts = append(parts, fmt.Sprintf("%q %.0f %%", w.Text, 100*float64(w.Count)/float64(max(1, words))))
	}
	return strings.Join(parts, ", ")
}
