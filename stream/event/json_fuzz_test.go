package event

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"testing"

	"rosenblatt/learner"
)

// fuzzOptions are the ways in which json is fuzzed.
func fuzzOptions() []Options {
	plain := Defaults(JSON)
	plain.MaxDepth, plain.MaxFeatures, plain.WeightField = 5, 6, "weight"
	deep := plain
	deep.LabelField, deep.IDField, deep.WeightField, deep.FeaturesField = "m.label", "m.id", "p.w", "p.features"
	deep.TextField, deep.Ignore, deep.Positive = "p.text", []string{"a", "p.features.b", "m.x", "c.d"}, "UP"
	named := plain
	named.LabelNames, named.TextField, named.Ignore, named.Seed = []string{"down", "1.5"}, "msg", []string{"x", "y.z"},
		7
	inner := plain
	inner.LabelField, inner.WeightField, inner.Positive = "features.y", "features.m.w", "1"
	hidden := plain
	hidden.FeaturesField, hidden.Ignore = "p.features", []string{"p"}
	lenient := plain
	lenient.SkipUnknown, lenient.EmptyIsZero = true, true
	deletes := deep
	deletes.SkipUnknown, deletes.Tombstones = true, SkipTombstones
	kinds := plain
	kinds.MaxFeatures, kinds.Missing = 12, MissingWords()
	kinds.Categorical = []string{"x", "a.", "y", "b.c.d", "n"}
	kinds.Numeric = []string{"price", "y.", "z", "s", "features"}
	kinds.FeaturesField = "p.features"
	crossed := plain
	crossed.MaxFeatures, crossed.TextField, crossed.NGrams = 16, "msg", 3
	crossed.Cross = []string{"x*y", "a.*a.", "msg*x*b", "a*a*a", "x*a.b", "n*s*y*z"}
	crossed.Log, crossed.Numeric = []string{"a.", "x", "z", "s"}, []string{"s"}
	crossed.Categorical, crossed.FeaturesField = []string{"n"}, "p.features"
	timed := lenient
	timed.TimeParts, timed.SkipUnknown, timed.MaxFeatures = []string{"x", "a.", "y"}, false, 12
	timed.Cross = []string{"x.hour*n", "a.*b"}
	python, pythons := plain, lenient
	python.AbsentNaN, pythons.AbsentNaN = true, true
	return []Options{plain, deep, named, inner, hidden, lenient, deletes, kinds, python, pythons, crossed, timed}
}

// FuzzJSON holds the decoder against the oracle: what it accepts, the reason why not, and all it reads.
func FuzzJSON(f *testing.F) {
	for _, event := range jsonEvents {
		for which := range fuzzOptions() {
			f.Add([]byte(event), byte(which))
			f.Add([]byte(frames[which%len(frames)]+event), byte(which))
		}
	}
	var decoders []*Decoder
	for _, o := range fuzzOptions() {
		decoders = append(decoders, decoder(f, o))
	}
	f.Fuzz(func(t *testing.T, value []byte, which byte) {
		d := decoders[int(which)%len(decoders)]
		agree(t, d, value) // with the template of the event before
		forget(d)
		agree(t, d, value) // without a template
		agree(t, d, value) // with its own template
		agree(t, d, value) // in a single pass
		if i := int(which) % (len(value) + 1); i < len(value) {
			value = bytes.Clone(value) // the engine's own
			value[i] ^= which >> 3
			agree(t, d, value) // with the template of a similar event
		}
	})
}

// agree compares the decoder with the oracle on one event.
func agree(t *testing.T, d *Decoder, value []byte) {
	t.Helper()
	before := []learner.Feature{{Slot: 1, Value: 2}}
	var e Example
	arena := d.Decode(&Record{Value: value}, before, &e)
	if len(arena) < 1 || arena[0] != before[0] || e.Start != 1 || e.End != len(arena) {
		t.Fatalf("%q: features %d to %d of %v", value, e.Start, e.End, arena)
	}
	w, reasons := oracle(d.options, value)
	if e.Skip != (w != nil && w.skip) {
		t.Fatalf("%q: skipped: %t", value, e.Skip)
	}
	if w != nil && len(w.reasons) != 0 {
		reasons = []Reason{slices.Min(w.reasons)}
	}
	if e.reason() != OK || len(reasons) != 0 {
		if !slices.Contains(reasons, e.reason()) {
			t.Fatalf("%q: rejected for %q (%s), want %q", value, e.reason(), e.text(), reasons)
		}
		if e.text() == "" || len(arena) != 1 {
			t.Fatalf("%q: %s: error %q, features %v", value, e.reason(), e.text(), arena)
		}
	}
	if w == nil || e.reason() != OK && e.reason() <= BadLabel {
		return
	}
	if e.Label != w.label || e.Family != w.family {
		t.Fatalf("%q: label %d of family %d, want %d of %d", value, e.Label, e.Family, w.label, w.family)
	}
	if e.reason() == OK {
		agreeExample(t, d, value, &e, arena, w)
	}
}

func agreeExample(t *testing.T, d *Decoder, value []byte, e *Example, arena []learner.Feature, w *wanted) {
	t.Helper()
	if e.Weight != w.weight || math.Signbit(e.Weight) {
		t.Fatalf("%q: weight %g, want %g", value, e.Weight, w.weight)
	}
	id := json.NewDecoder(bytes.NewReader(AppendID(nil, e)))
	id.UseNumber()
	var got any
	if err := id.Decode(&got); err != nil || got != w.id {
		t.Fatalf("%q: id %v %v, want %v", value, got, err, w.id)
	}
	features := e.Features(arena)
	if len(features) != len(w.features) {
		t.Fatalf("%q: features %v, want %v", value, features, w.features)
	}
	agreeNames(t, e.Names, features)
	n := 0
	d.Walk(&Record{Value: value}, func(name []byte, f learner.Feature) {
		want := w.features[n]
		slot, print := d.Hash([]byte(want.name))
		same := math.Float64bits(f.Value) == math.Float64bits(want.value)
		if string(name) != want.name || !same || f.Kind != want.kind || f.Slot != slot || f.Print != print ||
			f != features[n] {
			t.Fatalf("%q: feature %d is %q %v, want %v", value, n, name, f, want)
		}
		n++
	})
	if n != len(features) {
		t.Fatalf("%q: names of %d features, want %d", value, n, len(features))
	}
}
