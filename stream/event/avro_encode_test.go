package event

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rosenblatt/stream/avro"
)

// minusZero matches what a negative decimal may be rounded to, and none is.
var minusZero = regexp.MustCompile(`[:[,]-0[],}]`)

// TestAvroEncode: what is written of the JSON form of a value has the same JSON form.
func TestAvroEncode(t *testing.T) {
	written, text := 0, decoder(t, Defaults(JSON))
	for seed := range uint64(600) {
		random := &randomAvro{Rand: rand.New(rand.NewPCG(seed, 76)), named: map[string]any{}, clock: true}
		schema := random.record(4)
		o := Defaults(Avro)
		o.Schema, o.MaxFeatures = schemaText(schema), 1000
		d, err := New(o)
		if err != nil {
			continue // it refers to a type that was left out
		}
		top, err := avro.Compile(o.Schema)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			form, ok := d.JSONForm(nil, &Record{Value: random.value([]byte{}, schema, 6)})
			if !ok || !json.Valid(form) || minusZero.Match(form) { // not UTF-8, not finite, or too small a decimal
				continue
			}
			value, err := avro.Append([]byte{}, top, form)
			if err != nil {
				if text := err.Error(); strings.Contains(text, "needs more than the") ||
					strings.Contains(text, "has too many digits") { // a decimal that was rounded up, or is next to 0
					continue
				}
				t.Fatalf("%s\n%s: %v", o.Schema, form, err)
			}
			again, ok := d.JSONForm(nil, &Record{Value: value})
			if strings.Count(string(again), "null") > strings.Count(string(form), "null") { // what was left out
				continue
			}
			var e, want Example
			got := text.Decode(&Record{Value: again}, nil, &e)
			wanted := text.Decode(&Record{Value: form}, nil, &want)
			if len(value) > 0 && (!ok || !slices.Equal(got, wanted) || e.reason() != want.reason()) {
				t.Fatalf("%s\n%s\n%s %t", o.Schema, form, again, ok)
			}
			written++
		}
	}
	if written < 1000 {
		t.Errorf("%d values were written", written)
	}
}
