package daemon

import "rosenblatt/stream/event"

// OfModel returns the options of a model, with those of the flags that are given. If the formats differ, only limits,
// how names are hashed and how labels are spelled are the model's.
func (e *Events) OfModel(o, from event.Options, given map[string]bool) event.Options {
	was := o
	o.Bits, o.Seed = from.Bits, from.Seed
	o.MaxBytes, o.MaxDepth, o.MaxFeatures = from.MaxBytes, from.MaxDepth, from.MaxFeatures
	o.Tombstones, o.EmptyIsZero = from.Tombstones, from.EmptyIsZero
	if !given["label-names"] && !given["positive"] {
		o.Positive, o.LabelNames = from.Positive, from.LabelNames
	}
	if o.Format == from.Format {
		task := o.Task
		from.Bits, from.Seed, from.Positive, from.LabelNames = o.Bits, o.Seed, o.Positive, o.LabelNames
		o = from
		o.Task = task
	}
	for flag, set := range map[string]func(){
		"max-bytes":      func() { o.MaxBytes = was.MaxBytes },
		"max-depth":      func() { o.MaxDepth = was.MaxDepth },
		"max-features":   func() { o.MaxFeatures = was.MaxFeatures },
		"tombstones":     func() { o.Tombstones = was.Tombstones },
		"no-features":    func() { o.EmptyIsZero = was.EmptyIsZero },
		"unknown":        func() { o.SkipUnknown = was.SkipUnknown },
		"nan":            func() { o.AbsentNaN = was.AbsentNaN },
		"encoding":       func() { o.Encoding = was.Encoding },
		"envelope":       func() { o.Envelope = was.Envelope },
		"schema":         func() { o.Schema, o.Subject, o.Message = was.Schema, was.Subject, was.Message },
		"message":        func() { o.Message = was.Message },
		"label-field":    func() { o.LabelField = was.LabelField },
		"id-field":       func() { o.IDField = was.IDField },
		"ids":            func() { o.TextIDs = was.TextIDs },
		"features-field": func() { o.FeaturesField = was.FeaturesField },
		"weight-field":   func() { o.WeightField = was.WeightField },
		"text-field":     func() { o.TextField = was.TextField },
		"ignore":         func() { o.Ignore = was.Ignore },
		"columns":        func() { o.Columns = was.Columns },
		"delimiter":      func() { o.Delimiter = was.Delimiter },
		"quote":          func() { o.Quote = was.Quote },
		"escape":         func() { o.Escape = was.Escape },
		"decimal":        func() { o.Decimal = was.Decimal },
		"missing":        func() { o.Missing = was.Missing },
		"time-parts":     func() { o.TimeParts = was.TimeParts },
		"log":            func() { o.Log = was.Log },
		"cross":          func() { o.Cross = was.Cross },
		"ngrams":         func() { o.NGrams = was.NGrams },
		"categorical":    func() { o.Categorical = was.Categorical },
		"numeric": func() {
			if o.Numeric = was.Numeric; o.HasObjects() {
				o.Missing = was.Missing
			}
		},
	} {
		if given[flag] {
			set()
		}
	}
	return o
}
