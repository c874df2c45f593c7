package daemon

import (
	"errors"
	"fmt"
	"strings"
)

// Faults are all that is wrong with settings, so that they can be put right in one go.
type Faults []error

func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, err := range f {
		lines[i] = err.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives the single faults.
func (f Faults) Unwrap() []error { return f }

func (f *Faults) addf(format string, args ...any) { *f = append(*f, fmt.Errorf(format, args...)) }

// check adds an error, if it is one, under the name of its setting.
func (f *Faults) check(name string, err error) {
	if err != nil {
		f.addf("%s: %w", name, err)
	}
}

// oneOf adds a fault if the value is none of those allowed.
func (f *Faults) oneOf(name, value string, allowed ...string) {
	for _, a := range allowed {
		if value == a {
			return
		}
	}
	f.addf("%s: %q: want %s", name, value, orList(allowed))
}

// within adds a fault if the value is not from low to high.
func (f *Faults) within(name string, value, low, high int64) {
	if value < low || value > high {
		f.addf("%s: %d: want %d to %d", name, value, low, high)
	}
}

// err is nil without faults.
func (f Faults) err() error {
	if len(f) == 0 {
		return nil
	}
	return f
}

// AsFaults finds the faults in an error.
func AsFaults(err error) (Faults, bool) {
	var f Faults
	ok := errors.As(err, &f)
	return f, ok
}

func orList(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
