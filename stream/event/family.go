package event

import "fmt"

// Join returns the spelling of labels in which the next label is family, and f those before it. The error rejects a
// label that does not fit: of 1 and -1, and 0, one is most likely a mistake.
func (f Family) Join(next Family) (Family, *Error) {
	switch {
	case f == Unlabelled || f == next || f == One && (next == PlusMinus || next == ZeroOne):
		return next, nil
	case next == One && (f == PlusMinus || f == ZeroOne):
		return f, nil
	}
	return f, NewError(BadLabel, fmt.Sprintf("the label is %s, but labels so far were %s: --label-names names two"+
		" others", next.name(), f.name()))
}

func (f Family) name() string {
	return [...]string{"absent", "1", "-1 or 1", "0 or 1", "true or false", "names"}[f]
}
