package events

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Formats are the formats a source can have, in the words of --format.
func Formats() []string { return []string{"json", "libsvm", "vw", "csv"} }

var endings = map[string]string{
	".jsonl": "json", ".json": "json", ".csv": "csv", ".svm": "libsvm", ".libsvm": "libsvm", ".vw": "vw",
}

// packing tells by the ending whether a file is packed: ".gz", ".zst" or "". What is left is the path without that ending.
func packing(path string) (packed, left string) {
	lower := strings.ToLower(path)
	for _, ending := range []string{".gz", ".zst"} {
		if strings.HasSuffix(lower, ending) {
			return ending, path[:len(path)-len(ending)]
		}
	}
	return "", path
}

// choose finds a source's format: the one asked for, else the one its path's ending stands for.
func choose(path, asked string) (string, error) {
	const which = "say --format json, libsvm, vw or csv"
	if asked != "" {
		for _, f := range Formats() {
			if f == asked {
				return f, nil
			}
		}
		return "", fmt.Errorf("%w %q: %s", ErrFormat, asked, which)
	}
	_, left := packing(path)
	ending := filepath.Ext(left)
	switch f, known := endings[strings.ToLower(ending)]; {
	case known:
		return f, nil
	case ending == "":
		return "", fmt.Errorf("%w, there is no ending to tell it by: %s", ErrFormat, which)
	default:
		return "", fmt.Errorf("%w, the ending %s does not tell it: %s", ErrFormat, ending, which)
	}
}
