package daemon

import (
	"fmt"
	"slices"
	"strings"

	"rosenblatt/stream/event"
)

// LabelColumn returns the column of a table that is most likely the label, and why: the last one with a name that
// labels usually have, else the last one. One called y counts only beside no other such name: it may be a coordinate.
// Columns with another role are passed; the name is empty if there is no other.
func LabelColumn(columns []string, roles ...string) (name, why string) {
	const byName = "by its name"
	for _, c := range slices.Backward(columns) {
		switch {
		case slices.Contains(roles, c):
		case event.IsLabelName(c) && strings.ToLower(strings.TrimSpace(c)) != "y":
			return c, byName
		case event.IsLabelName(c) && why != byName:
			name, why = c, byName
		case name == "":
			name, why = c, "it is the last one"
		}
	}
	return name, why
}

// likelyLabel returns the likely column of the label where no setting names it and no column has the default name; else
// nothing.
func (e *Events) likelyLabel(o *event.Options) (name, why string) {
	if e.LabelField != "" || slices.Contains(o.Columns, o.LabelField) {
		return "", ""
	}
	return LabelColumn(o.Columns, append([]string{o.IDField, o.WeightField, o.TextField}, o.Ignore...)...)
}

// ChooseLabel makes the likely column the label, and returns what to tell about that; nothing where a label is named.
// It is for commands on files: where a model lives on, the label is not guessed.
func (e *Events) ChooseLabel(o *event.Options) string {
	name, why := e.likelyLabel(o)
	if name == "" {
		return ""
	}
	o.LabelField = name
	return fmt.Sprintf("%q is the label (%s; --label-field NAME takes another)", name, why)
}

// AdviseLabel names the likely column of the label where there is none.
func (e *Events) AdviseLabel(o *event.Options) string {
	name, _ := e.likelyLabel(o)
	if name == "" {
		return ""
	}
	return fmt.Sprintf("no column is called %q, so nothing can be learned: name the label with --label-field; "+
		"is it %q?", o.LabelField, name)
}
