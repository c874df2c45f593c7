package daemon

import (
	"cmp"
	"slices"
	"strings"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/source"
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
		Delimiter: event.ParseDelimiter(e.Delimiter), Missing: e.missing(defaults),
		Positive: e.Positive, LabelNames: e.LabelNames, Tombstones: e.Tombstones,
		SkipUnknown: e.Unknown == skip, NullFeatures: format == event.JSON,
		MaxBytes: e.MaxBytes, MaxDepth: e.MaxDepth, MaxFeatures: e.MaxFeatures,
	}
}

// missing is what was given, else the default of the format.
func (e *Events) missing(defaults event.Options) []string {
	switch {
	case len(e.Missing) == 0:
		return defaults.Missing
	case len(e.Missing) == 1 && e.Missing[0] == "none":
		return nil
	}
	return e.Missing
}

// Complete adds what is known of a file's table, if it is one, and validates the options. If the settings name columns
// too (given), they must be those of the file.
func (e *Events) Complete(o *event.Options, t source.Table, given bool) error {
	if t.Columns != nil {
		o.Columns, o.Delimiter = t.Columns, t.Delimiter
	}
	if t.Columns != nil && given && !slices.Equal(t.Columns, e.Columns) {
		return cli.Usagef("columns: the file's first row names them, %s: leave --columns out or, if that row is an "+
			"event, say --no-header", strings.Join(t.Columns, ","))
	}
	if e.Unknown != "" && e.Unknown != reject && e.Unknown != skip {
		return cli.Usagef("unknown: %q: want %s or %s", e.Unknown, reject, skip)
	}
	if err := o.Validate(); err != nil {
		return cli.Usagef("format %s: %w", o.Format, err)
	}
	return nil
}
