package streamtest

import (
	"os"
	"testing"
)

// Long reports whether tests may take minutes where they take seconds otherwise: ROSENBLATT_TEST_LONG is set.
func Long() bool { return os.Getenv("ROSENBLATT_TEST_LONG") != "" }

// Rounds is how often a test repeats itself: few times with -short and on a real cluster, many if it may take minutes,
// on a real one, too.
func Rounds(few, usual, many int) int {
	switch {
	case Long():
		return many
	case testing.Short() || Real():
		return few
	}
	return usual
}
