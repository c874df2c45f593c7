package daemon

import (
	"cmp"
	"slices"
	"strings"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/event"
)

// Options returns how events of a format are decoded; the format decides the fields left open.
func (e *Events) Options(format string, bits int, seed uint64) event.Options {
	defaults := event.Defaults(format)
	return event.Options{
		Format: format, Bits: bits, Seed: seed,
		LabelField:    cmp.Or(e.LabelField, defaults.LabelField),
		IDField:       cmp.Or(e.IDField, defaults.IDField),
		FeaturesField: cmp.Or(e.FeaturesField, defaults.FeaturesField),
		WeightField:   e.WeightField, TextField: e.TextField, Ignore: e.Ignore, Columns: e.Columns,
		Positive: e.Positive, LabelNames: e.LabelNames, Tombstones: e.Tombstones,
		MaxBytes: e.MaxBytes, MaxDepth: e.MaxDepth, MaxFeatures: e.MaxFeatures,
	}
}

// Complete adds the columns that a file names, if any, and validates the options. If the settings name columns too
// (given), they must be the same.
func (e *Events) Complete(o *event.Options, columns []string, given bool) error {
	if columns != nil {
		if given && !slices.Equal(columns, e.Columns) {
			return cli.Usagef("columns: the file's first row names them, %s: leave --columns out, or give the file "+
				"a first row of names",
				strings.Join(columns, ","))
		}
		o.Columns = columns
	}
	if err := o.Validate(); err != nil {
		return cli.Usagef("format %s: %w", o.Format, err)
	}
	return nil
}
