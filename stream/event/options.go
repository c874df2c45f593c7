package event

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// What becomes of a null value.
const (
	RejectTombstones = "reject" // it is rejected, as Empty
	SkipTombstones   = "skip"   // it is passed by: Example.Skip
)

// The tasks: what labels say.
const (
	Binary     = "binary"     // one of two things, the default
	Multiclass = "multiclass" // one of any number of classes: Example.Class
)

// Options say how events are read. They are saved in the checkpoint and compared there: each of them reaches a feature,
// a label or a rejection. Defaults gives values to start from; the zero value is not valid.
type Options struct {
	// Format is the name of one of Formats.
	Format string `json:"format"`

	// The fields with a meaning of their own: in json dotted paths from the top of the event, in csv column names; libsvm
	// and vw have none. An empty name stands for none. A dotted path also matches a key that holds the dot itself.
	LabelField    string `json:"labelField,omitempty"`
	IDField       string `json:"idField,omitempty"`
	FeaturesField string `json:"featuresField,omitempty"` // json only: without such a field every other top-level field is a feature
	WeightField   string `json:"weightField,omitempty"`
	// TextField is split into words. Within the features object it is known by its feature's name as well.
	TextField string `json:"textField,omitempty"`

	// Ignore lists what is no feature: json paths from the top or, within the features object, feature names; csv
	// columns; names of features in libsvm and vw.
	Ignore []string `json:"ignore,omitempty"`
	// Columns are csv's column names in order. Csv cannot do without, the other formats have none.
	Columns []string `json:"columns,omitempty"`

	// Task is Binary, or empty for it, or Multiclass, in which every label is a class and Positive and LabelNames have no place.
	Task string `json:"task,omitempty"`
	// Positive is the label that stands against all others. Empty: labels are 1, 0, -1, true, false or LabelNames.
	Positive string `json:"positive,omitempty"`
	// LabelNames are the spellings of the negative and the positive label, in this order, or none.
	LabelNames []string `json:"labelNames,omitempty"`

	// Tombstones says what becomes of null values: RejectTombstones or SkipTombstones.
	Tombstones string `json:"tombstones"`

	MaxBytes    int `json:"maxBytes"`    // the longest value and the longest key, in bytes; at least 1
	MaxDepth    int `json:"maxDepth"`    // how deep json may be nested, 1 to 1000; the event itself is depth 1
	MaxFeatures int `json:"maxFeatures"` // how many distinct features an event may have; at least 1

	// Names are hashed with xxhash64 under Seed; the lowest Bits bits (1 to 30) are the slot.
	Bits int    `json:"bits"`
	Seed uint64 `json:"seed"`
}

// maxDepth bounds Options.MaxDepth, because the parser recurses.
const maxDepth = 1000

// Validate says what is wrong with the options; nil means that New will take them.
func (o Options) Validate() error {
	if o.Tombstones != RejectTombstones && o.Tombstones != SkipTombstones {
		return fmt.Errorf("tombstones %q: want %s or %s", o.Tombstones, RejectTombstones, SkipTombstones)
	}
	if err := o.validateLimits(); err != nil {
		return err
	}
	if err := o.validateLabels(); err != nil {
		return err
	}
	for _, name := range slices.Concat(o.named(), o.Ignore, o.Columns, o.LabelNames, []string{o.Positive}) {
		if !utf8.ValidString(name) {
			return fmt.Errorf("the name %q is not UTF-8, so no event can hold it", name)
		}
	}
	f, ok := FindFormat(o.Format)
	if !ok {
		return fmt.Errorf("format %q: want %s", o.Format, FormatChoice())
	}
	return f.validate(&o)
}

func (o Options) validateLimits() error {
	switch {
	case o.MaxBytes < 1:
		return fmt.Errorf("at most %d bytes: want 1 or more", o.MaxBytes)
	case o.MaxDepth < 1 || o.MaxDepth > maxDepth:
		return fmt.Errorf("depth %d: want 1 to %d", o.MaxDepth, maxDepth)
	case o.MaxFeatures < 1:
		return fmt.Errorf("at most %d features: want 1 or more", o.MaxFeatures)
	case o.Bits < 1 || o.Bits > 30:
		return fmt.Errorf("%d bits: want 1 to 30", o.Bits)
	}
	return nil
}

func (o Options) validateLabels() error {
	switch {
	case o.Task != "" && o.Task != Binary && o.Task != Multiclass:
		return fmt.Errorf("task %q: want %s or %s", o.Task, Binary, Multiclass)
	case o.multi() && (o.Positive != "" || len(o.LabelNames) != 0):
		return fmt.Errorf("a positive label and label names are for two labels: leave out the one or the task %s", Multiclass)
	}
	if len(o.LabelNames) == 0 {
		return nil
	}
	if o.Positive != "" {
		return errors.New("both a positive label and label names: want one of them")
	}
	if len(o.LabelNames) != 2 || o.LabelNames[0] == "" || o.LabelNames[1] == "" {
		return fmt.Errorf("label names %q: want two, the negative and the positive one", o.LabelNames)
	}
	if a, b := newSpelling(o.LabelNames[0]), newSpelling(o.LabelNames[1]); a.same(b) {
		return fmt.Errorf("label names %q are the same label", o.LabelNames)
	}
	return nil
}

// named lists the fields with a meaning of their own, as far as they have a name.
func (o Options) named() []string {
	all := []string{o.LabelField, o.IDField, o.FeaturesField, o.WeightField, o.TextField}
	return slices.DeleteFunc(all, func(name string) bool { return name == "" })
}

// validateUnnamed validates the options of a format without names of fields.
func (o *Options) validateUnnamed() error {
	if o.WeightField != "" || o.TextField != "" || len(o.Columns) != 0 {
		return fmt.Errorf("%s has neither named fields nor columns: leave out weight field, text field and columns", o.Format)
	}
	return nil
}

func (o *Options) validateJSON() error {
	if len(o.Columns) != 0 {
		return errors.New("json has no columns: leave them out")
	}
	return distinct("field", slices.Concat(o.named(), o.Ignore))
}

func (o *Options) validateCSV() error {
	if len(o.Columns) == 0 {
		return errors.New("csv needs the names of its columns, in order")
	}
	if slices.Contains(o.Columns, "") {
		return fmt.Errorf("columns %q: each needs a name", o.Columns)
	}
	if err := distinct("column", o.Columns); err != nil {
		return err
	}
	if o.FeaturesField != "" {
		return errors.New("csv has no features field: leave it out")
	}
	named := slices.Concat(o.named(), o.Ignore)
	for _, name := range named {
		// The default label and id may be missing: not every table has them.
		if !slices.Contains(o.Columns, name) && (name != o.LabelField || name != "label") && (name != o.IDField || name != "id") {
			return fmt.Errorf("%q is none of the columns %s", name, strings.Join(o.Columns, ","))
		}
	}
	return distinct("column", named)
}

// distinct checks that no name stands there twice.
func distinct(what string, names []string) error {
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("the %s %q is named twice", what, name)
		}
	}
	return nil
}
