package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// Argument is a setting of one or more names as an argument of a shell.
func Argument(names ...string) string {
	return "'" + strings.ReplaceAll(kong.JoinEscaped(names, ','), "'", `'\''`) + "'"
}

// When returns the text if the condition holds, else nothing.
func When(condition bool, text string) string {
	if condition {
		return text
	}
	return ""
}

// Total adds up counts by name.
func Total(counts map[string]int64) (n int64) {
	for _, c := range counts {
		n += c
	}
	return n
}

// Reasons lists counts by name, " (bad-label 9, syntax 3)", or nothing.
func Reasons(counts map[string]int64) string {
	if len(counts) == 0 {
		return ""
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", name, counts[name]))
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// Untrained says how many predictions were made without a label before anything was learned, or nothing.
func Untrained(n int64) string {
	return When(n > 0, fmt.Sprintf(" (%d before anything was learned: in no figure)", n))
}

// AllUntrained says that all labels, so many, are of predictions that are in no figure.
func AllUntrained(n int64) string {
	return fmt.Sprintf("all labels that came (%d) are of predictions that were made before anything was learned: they"+
		" were learned, and are in no figure", n)
}
