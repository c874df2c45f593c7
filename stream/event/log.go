package event

import (
	"fmt"
	"slices"
	"strings"

	"rosenblatt/learner"
)

// isLogged reports whether a number is replaced by its logarithm (Options.Log): one of a field that is named, an
// element of its array, or one of a name that begins with a part which ends in a dot, or in vw in ^.
func (o *Options) isLogged(name []byte) bool {
	return slices.ContainsFunc(o.Log, func(part string) bool {
		if len(name) < len(part) || string(name[:len(part)]) != part {
			return false
		}
		rest := name[len(part):]
		return len(rest) == 0 || o.isGroup(part) || o.HasObjects() && isElement(rest)
	})
}

// isGroup reports whether a part of a setting means all names that begin with it.
func (o *Options) isGroup(part string) bool {
	return !slices.Contains(o.Columns, part) &&
		(strings.HasSuffix(part, ".") || o.Format == VW && strings.HasSuffix(part, "^"))
}

// logged is the value of a number of this name.
func (s *sink) logged(name []byte, v float64) float64 {
	//mutation:log-of-numbers
	if s.options.isLogged(name) {
		return learner.LogScale(v)
	}
	return v
}

// validateLog checks Options.Log.
func (o *Options) validateLog() error {
	for _, part := range o.Log {
		column := func(name string) bool { return o.means(part, name) }
		switch {
		case part == "":
			return fmt.Errorf("log: an empty name: want names of features")
		case len(o.Columns) > 0 && !slices.ContainsFunc(o.Columns, column):
			return fmt.Errorf("log: %q is none of the columns %s", part, strings.Join(o.Columns, ","))
		case slices.Contains(o.named(), part) || slices.Contains(o.Ignore, part):
			return fmt.Errorf("log: %q is no feature", part)
		}
	}
	if name := o.both(o.Categorical, o.Log); name != "" {
		return fmt.Errorf("%q is categorical, and a word has no logarithm: leave it out of log", name)
	}
	return distinct("feature of log", o.Log)
}
