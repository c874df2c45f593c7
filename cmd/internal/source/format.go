package source

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"rosenblatt/stream/event"
)

// packing tells by the ending whether a file is packed: ".gz", ".zst" or "". What is left is the path without that
// ending.
func packing(path string) (packed, left string) {
	lower := strings.ToLower(path)
	for _, ending := range []string{".gz", ".zst"} {
		if strings.HasSuffix(lower, ending) {
			return ending, path[:len(path)-len(ending)]
		}
	}
	return "", path
}

// choose returns a source's format: the one asked for, else the one that its path's ending stands for.
func choose(path, asked string) (event.Format, error) {
	if asked != "" {
		f, ok := event.FindFormat(asked)
		if !ok {
			return f, fmt.Errorf("%w %q: %s", ErrFormat, asked, sayFormat())
		}
		return f, nil
	}
	_, left := packing(path)
	ending := filepath.Ext(left)
	for _, f := range event.Formats() {
		if slices.Contains(f.Endings, strings.ToLower(ending)) {
			return f, nil
		}
	}
	if ending == "" {
		return event.Format{}, fmt.Errorf("%w, there is no ending to tell it by: %s", ErrFormat, sayFormat())
	}
	return event.Format{}, fmt.Errorf("%w, the ending %s does not tell it: %s", ErrFormat, ending, sayFormat())
}

func sayFormat() string { return "say --format " + event.FormatChoice() }
