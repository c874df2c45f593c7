package event

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"rosenblatt/stream/schema"
)

func TestDefaultsAreValid(t *testing.T) {
	for _, format := range []string{JSON, LIBSVM, VW, CSV} {
		o := Defaults(format)
		if format == CSV {
			o.Columns = []string{"a", "b"} // no label, no id: then there is none
		}
		if _, err := New(o); err != nil {
			t.Error(err)
		}
	}
}

func TestValidate(t *testing.T) {
	for want, change := range map[string]func(o *Options){
		"format":              func(o *Options) { o.Format = "xml" },
		"tombstones":          func(o *Options) { o.Tombstones = "" },
		"0 bytes":             func(o *Options) { o.MaxBytes = 0 },
		"depth 0":             func(o *Options) { o.MaxDepth = 0 },
		"depth 1001":          func(o *Options) { o.MaxDepth = 1001 },
		"0 features":          func(o *Options) { o.MaxFeatures = 0 },
		"0 bits":              func(o *Options) { o.Bits = 0 },
		"31 bits":             func(o *Options) { o.Bits = 31 },
		"one of them":         func(o *Options) { o.Positive, o.LabelNames = "a", []string{"a", "b"} },
		"want two":            func(o *Options) { o.LabelNames = []string{"a"} },
		"the same label":      func(o *Options) { o.LabelNames = []string{"1", "1.0"} },
		"UTF-8":               func(o *Options) { o.Positive = "\xff" },
		"named twice":         func(o *Options) { o.WeightField = "id" },
		"\"a\" is named":      func(o *Options) { o.Ignore = []string{"a", "a"} },
		"json has no columns": func(o *Options) { o.Columns = []string{"a"} },
		"columns, delim":      func(o *Options) { o.Delimiter = ";" },
		"leave out weight":    func(o *Options) { *o = Defaults(VW); o.Delimiter = ";" },
		"delimiter \"x\"":     func(o *Options) { *o = Defaults(CSV); o.Columns, o.Delimiter = []string{"a"}, "x" },
		"delimiter \".\"":     func(o *Options) { *o = Defaults(CSV); o.Columns, o.Delimiter = []string{"a"}, "." },
		"delimiter \"::\"":    func(o *Options) { *o = Defaults(CSV); o.Columns, o.Delimiter = []string{"a"}, "::" },
		"not \"ab\"":          func(o *Options) { *o = Defaults(CSV); o.Columns, o.Quote = []string{"a"}, "ab" },
		"not \",\"":           func(o *Options) { *o = Defaults(CSV); o.Columns, o.Quote = []string{"a"}, "," },
		"escape \"n\"":        func(o *Options) { *o = Defaults(CSV); o.Columns, o.Escape = []string{"a"}, "n" },
		"two quotes within":   func(o *Options) { *o = Defaults(CSV); o.Columns, o.Escape = []string{"a"}, `"` },
		"decimal \"x\"":       func(o *Options) { *o = Defaults(CSV); o.Columns, o.Decimal = []string{"a"}, "x" },
		"svm has no unknown":  func(o *Options) { *o = Defaults(LIBSVM); o.SkipUnknown = true },
		"libsvm has neither":  func(o *Options) { *o = Defaults(LIBSVM); o.TextField = "a" },
		"vw has neither":      func(o *Options) { *o = Defaults(VW); o.Columns = []string{"a"} },
		"csv needs":           func(o *Options) { *o = Defaults(CSV) },
		"each needs a name":   func(o *Options) { *o = Defaults(CSV); o.Columns = []string{"a", ""} },
		"column \"a\"":        func(o *Options) { *o = Defaults(CSV); o.Columns = []string{"a", "a"} },
		"none of the columns": func(o *Options) { *o = Defaults(CSV); o.Columns, o.LabelField = []string{"a"}, "b" },
		"features field":      func(o *Options) { *o = Defaults(CSV); o.Columns, o.FeaturesField = []string{"a"}, "a" },
	} {
		o := Defaults(JSON)
		change(&o)
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}

// TestOptionsAreSaved: the checkpoint's header holds all of them.
func TestOptionsAreSaved(t *testing.T) {
	o := Options{"json", "l", "i", "f", "w", "t", true, []string{"a"}, []string{"c"}, Dialect{";", "'", `\`, "comma"},
		"subject", "cloudevents",
		"s", "m", []string{"d"}, []string{"e"}, []string{"t"}, []string{"l"}, []string{"x*y"}, 2, []string{"NA"},
		"multiclass", "p", []string{"n", "p"}, "skip", true,
		"utf-16", true, true, true, 1, 2, 3, 4, 1 << 63, nil}
	saved, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	var back Options
	if err := json.Unmarshal(saved, &back); err != nil || !reflect.DeepEqual(o, back) {
		t.Errorf("%s: %+v, %v", saved, back, err)
	}
	o.Schemas = new(schema.Known) // which is not saved
	for i := range reflect.TypeFor[Options]().NumField() {
		if reflect.ValueOf(o).Field(i).IsZero() {
			t.Errorf("field %d is not tried", i)
		}
	}
}

// TestOptionsAreCopied: changing them later does not reach a decoder.
func TestOptionsAreCopied(t *testing.T) {
	o := Defaults(CSV)
	o.Columns = []string{"label", "x"}
	d := decoder(t, o)
	o.Columns[1] = "y"
	if got := walked(d, "1,2"); len(got) != 1 || got[0].name != "x" {
		t.Errorf("%v", got)
	}
}
