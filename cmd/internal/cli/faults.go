package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Faults are all that is wrong with settings. The zero value has none.
type Faults []error

func (f Faults) Error() string { return errors.Join(f...).Error() }

// Unwrap returns the single faults.
func (f Faults) Unwrap() []error { return f }

// Addf adds a fault.
func (f *Faults) Addf(format string, args ...any) { *f = append(*f, fmt.Errorf(format, args...)) }

// AddIf adds a fault if the condition holds.
func (f *Faults) AddIf(wrong bool, format string, args ...any) {
	if wrong {
		f.Addf(format, args...)
	}
}

// Check adds an error, if it is one, under the name of its setting.
func (f *Faults) Check(name string, err error) { f.AddIf(err != nil, "%s: %w", name, err) }

// Join adds the faults in an error, if it holds any.
func (f *Faults) Join(err error) {
	more, _ := AsFaults(err)
	*f = append(*f, more...)
}

// OneOf adds a fault if the value is none of those allowed.
func (f *Faults) OneOf(name, value string, allowed ...string) {
	f.AddIf(!slices.Contains(allowed, value), "%s: %q: want %s", name, value, alternatives(allowed))
}

// Within adds a fault if the value is not from low to high.
func (f *Faults) Within(name string, value, low, high int64) {
	f.AddIf(value < low || value > high, "%s: %d: want %d to %d", name, value, low, high)
}

// Err is nil without faults.
func (f Faults) Err() error {
	if len(f) == 0 {
		return nil
	}
	return f
}

// AsFaults finds the faults in an error.
func AsFaults(err error) (Faults, bool) { return errors.AsType[Faults](err) }

// alternatives lists words as "a, b or c".
func alternatives(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
