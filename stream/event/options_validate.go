package event

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Validate reports what is wrong with the options. Its errors have no prefix.
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
	for _, name := range slices.Concat(o.named(), o.Ignore, o.Columns, o.LabelNames, []string{o.Positive}, o.Missing,
		o.Categorical, o.Numeric, o.TimeParts, o.Log,
		o.Cross) {
		if !utf8.ValidString(name) {
			return fmt.Errorf("the name %v is not UTF-8, so no event can contain it; --encoding cp1252, or the name "+
				"of another one as gbk, reads a file that is not", quoted(name))
		}
	}
	f, ok := FindFormat(o.Format)
	switch {
	case !o.HasObjects() && o.Format != VW && o.SkipUnknown && len(o.TimeParts) == 0:
		return fmt.Errorf("%s has no unknown kinds of values: leave out what is said of them", o.Format)
	case f.Cells != nil && o.AbsentNaN:
		return fmt.Errorf("%s takes NaN as other words for a missing value: leave out what is said of it", o.Format)
	}
	if _, name, err := FindEncoding(o.Encoding); err != nil || name != o.Encoding {
		return cmp.Or(err, fmt.Errorf("encoding %q: want %q", o.Encoding, name))
	}
	switch {
	case !ok:
		return fmt.Errorf("format %q: want %s", o.Format, FormatChoice())
	case o.Schema+o.Subject+o.Message != "" && !o.HasSchema():
		return fmt.Errorf("%s has no schema: leave it out, or say --format %s or %s", o.Format, Avro, Protobuf)
	}
	if err := f.validate(&o); err != nil {
		return err
	}
	return errors.Join(o.validateEnvelope(), o.validateLog(), o.validateNGrams(), o.validateCross())
}

// WithoutFeatures returns the options without what they say of features.
func (o Options) WithoutFeatures() Options {
	o.FeaturesField, o.TextField, o.Ignore = "", "", nil
	o.Categorical, o.Numeric, o.TimeParts, o.Log, o.Cross, o.NGrams = nil, nil, nil, nil, nil, 0
	return o
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
		return fmt.Errorf("a positive label and label names are for two labels: leave out the one or the task %s",
			Multiclass)
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

// named returns the names of fields with a role.
func (o Options) named() []string {
	all := []string{o.LabelField, o.IDField, o.FeaturesField, o.WeightField, o.TextField}
	return slices.DeleteFunc(all, func(name string) bool { return name == "" })
}

var errNoMissing = errors.New("words for missing values are for csv, and for strings of json that --numeric names: " +
	"leave them out, and the field or null instead")

// validateUnnamed validates the options of a format without names of fields.
func (o *Options) validateUnnamed() error {
	if len(o.Missing) != 0 {
		return errNoMissing
	}
	if len(o.Categorical)+len(o.Numeric)+len(o.TimeParts) != 0 {
		return fmt.Errorf("%s says of each value whether it is a number: leave out categorical, numeric and time-parts",
			o.Format)
	}
	if o.NGrams != 0 {
		return o.noText()
	}
	if o.WeightField != "" || o.TextField != "" || len(o.Columns) != 0 || o.Dialect != (Dialect{}) {
		return fmt.Errorf("%s has neither named fields nor columns: leave out weight field, text field, columns, "+
			"delimiter, quote, escape and decimal", o.Format)
	}
	return nil
}

// noText is the error for runs of words in a format without a text field. A user of Vowpal Wabbit has --ngram there.
func (o *Options) noText() error {
	//mutation:no-text-in-vw
	if o.Format == VW {
		return errors.New("vw has no text field, and ngrams are of one: leave it out, and write pairs of words as " +
			"features of a namespace, as |pairs buy_now, or make json of the events, with a text field")
	}
	return fmt.Errorf("%s has no text field: leave out ngrams", o.Format)
}

// validateObjects validates the options of a format whose events are objects.
func (o *Options) validateObjects() error {
	switch {
	case len(o.Columns) != 0 || o.Dialect != (Dialect{}):
		return fmt.Errorf("%s has no columns: leave out columns, delimiter, quote, escape and decimal", o.Format)
	case len(o.Missing) != 0 && len(o.Numeric) == 0:
		return errNoMissing
	}
	if err := errors.Join(o.validateKinds(), o.validateMissing()); err != nil {
		return err
	}
	return distinct("field", slices.Concat(o.named(), o.Ignore))
}

func (o *Options) validateTable() error {
	if len(o.Columns) == 0 {
		return fmt.Errorf("%s needs the names of its columns, in order", o.Format)
	}
	if err := o.Dialect.validate(); err != nil {
		return err
	}
	if slices.Contains(o.Columns, "") {
		return fmt.Errorf("columns %q: each needs a name", o.Columns)
	}
	if err := distinct("column", o.Columns); err != nil {
		return err
	}
	if o.FeaturesField != "" {
		return fmt.Errorf("%s has no features field: leave it out", o.Format)
	}
	if err := o.validateMissing(); err != nil {
		return err
	}
	named := slices.Concat(o.named(), o.Ignore)
	for _, name := range named {
		// The default label and id may be missing: not every table has them.
		usual := name == o.LabelField && name == "label" || name == o.IDField && name == "id"
		if !slices.Contains(o.Columns, name) && !usual {
			return fmt.Errorf("%q is none of the columns %s", name, strings.Join(o.Columns, ","))
		}
	}
	if err := o.validateKinds(); err != nil {
		return err
	}
	return distinct("column", named)
}

// distinct checks that there are no duplicate names.
func distinct(what string, names []string) error {
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("the %s %q is named twice", what, name)
		}
	}
	return nil
}
