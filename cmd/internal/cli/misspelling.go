package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/alecthomas/kong"
)

// kubernetes is the end of a variable that Kubernetes sets for a service of the program's name.
const kubernetes = "PORT"

// misspelled lists variables whose names are nearly a setting's. They are no errors: other programs may mean them.
func misspelled(prefix string, environment, names []string) (all []string) {
	for _, v := range environment {
		name, value, _ := strings.Cut(v, "=")
		rest, ours := strings.CutPrefix(name, prefix)
		if !ours || value == "" || rest == kubernetes || name == envName(prefix, passwordFlag) ||
			name == envName(prefix, "config") {
			continue
		}
		flag := strings.ToLower(strings.ReplaceAll(rest, "_", "-"))
		if meant := Meant(flag, names); meant != "" {
			const text = "%s is not a setting and is ignored: did you mean %s?"
			all = append(all, fmt.Sprintf(text, name, envName(prefix, meant)))
		}
	}
	slices.Sort(all)
	return all
}

// flagNames lists the settings of all commands: one file may serve several.
func flagNames(n *kong.Node) (names []string) {
	for _, f := range n.Flags {
		if f.Name != "help" && f.Name != "config" {
			names = append(names, f.Name)
		}
	}
	for _, child := range n.Children {
		names = append(names, flagNames(child)...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Meant returns the name that a misspelt word most likely means; empty if none is near. A word of two letters is near
// to any other one.
func Meant(word string, names []string) string {
	//mutation:guess-at-two-letters
	if name, d := nearest(word, names); d == 1 && len(word) > 2 || d == 2 && len(word) > 4 {
		return name
	}
	return ""
}

// nearest finds the name with the fewest letters to change, the first among equals, and how many.
func nearest(word string, names []string) (best string, least int) {
	least = -1
	for _, name := range names {
		if d := levenshtein.ComputeDistance(strings.ToLower(word), name); least < 0 || d < least {
			best, least = name, d
		}
	}
	return best, least
}
