package event

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// valuesOf lists the values of an event as text, or says that it has none.
func valuesOf(d *Decoder, event string) string {
	var all []string
	ok := d.Values(&Record{Value: []byte(event)}, func(v Value) {
		switch v.Kind {
		case NumberValue:
			all = append(all, fmt.Sprintf("%s %g", v.Field, v.Number))
		case NullValue:
			all = append(all, fmt.Sprintf("%s null", v.Field))
		default:
			all = append(all, fmt.Sprintf("%s %d %q", v.Field, v.Kind, v.Word))
		}
	})
	if !ok {
		all = append(all, "none")
	}
	return strings.Join(all, ", ")
}

func TestValues(t *testing.T) {
	json, csv, texts := Defaults(JSON), Defaults(CSV), Defaults(JSON)
	csv.Columns, csv.Categorical, csv.TimeParts = []string{"label", "x", "c", "t"}, []string{"c"}, []string{"t"}
	texts.TextField, texts.NGrams, texts.Log, texts.Numeric = "msg", 2, []string{"n"}, []string{"q"}
	texts.AbsentNaN = true
	for _, test := range []struct {
		o           Options
		event, want string
	}{
		{json, `{"label":1,"id":"e1","a":1.5,"b":"up","c":true,"d":null,"e":{"f":2,"g":"\u00e9"}}`,
			`a 1.5, b 1 "up", c 2 "true", d null, e.f 2, e.g 1 "é"`},
		{json, `{"a":[1,2],"b":["u","v","u"],"c":[]}`, `a 1, a 2, b 1 "u", b 1 "v", b 1 "u"`},
		{json, `{"before":1,"features":{"a":{"b":[3]}},"after":2}`, `a.b 3`},
		{json, `{"a":1,"label":"yes"}`, "none"},
		{json, `{"a":1e31}`, "none"},
		{texts, `{"msg":"One two","n":9,"q":"7","r":NaN,"x":{"y":NaN}}`,
			`msg 1 "one", msg 1 "two", n 9, q 7, r null, x.y null`},
		{texts, `{"msg":"a","z":1,"features":{"n":9}}`, `msg 1 "a", n 9`},
		{csv, "1,2.5,7,2026-11-26T22:05:00Z", `x 2.5, c 1 "7", t.hour 1 "22", t.weekday 1 "thu"`},
		{csv, "1,,NA,", `x null, c null, t null`},
		{csv, `1,big,"a b",`, `x 1 "big", c 1 "a b", t null`},
		{Defaults(LIBSVM), "+1 3:0.5 7:1", "3 0.5, 7 1"},
		{Defaults(VW), "1 2.0 'e1|price open:0.5 close:0.3 |flags vip at:home | alone", `price 0.5, price 0.3, ` +
			`flags 1 "vip", flags 1 "at=home", | 1 "alone"`},
	} {
		d := decoder(t, test.o)
		for range 3 { // those that fit the template, too
			decoded(d, test.event)
			if got := valuesOf(d, test.event); got != test.want {
				t.Errorf("%s:\n%s, want\n%s", test.event, got, test.want)
			}
		}
	}
}

// TestValuesAreFeatures: values have the names of features, and each feature has a value.
func TestValuesAreFeatures(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	compared := 0
	for which, o := range fuzzOptions() {
		if o.NGrams > 0 || len(o.Cross) > 0 || o.Format != JSON {
			continue
		}
		d := decoder(t, o)
		events := slices.Clone(jsonEvents)
		for range 2000 {
			events = append(events, randomTree(r, 0))
		}
		for _, event := range events {
			features := map[string]bool{}
			for _, f := range walked(d, event) {
				features[f.name] = true
			}
			named := map[string]bool{}
			ok := d.Values(&Record{Value: []byte(event)}, func(v Value) {
				switch v.Kind {
				case NumberValue:
					named[string(v.Field)] = true
				case WordValue, BooleanValue:
					named[fmt.Sprintf("%s=%s", v.Field, v.Word)] = true
				}
			})
			if e := decoded(d, event); ok != (e.Rejected == nil && !e.Skip) {
				t.Fatalf("options %d, %s: accepted %v", which, event, ok)
			}
			for name := range features {
				array, _, _ := strings.Cut(name, "[")
				if !named[name] && !named[array] {
					t.Fatalf("options %d, %s: no value of the feature %q", which, event, name)
				}
			}
			for name := range named {
				if !features[name] && !features[name+"[0]"] {
					t.Fatalf("options %d, %s: no feature %q", which, event, name)
				}
			}
			compared += len(named)
		}
	}
	if compared < 5000 {
		t.Errorf("%d values compared", compared)
	}
}

func BenchmarkValues(b *testing.B) {
	event := []byte(`{"id":"e1","label":1,"features":{`)
	for i := range 30 {
		event = fmt.Appendf(event, `"f%d":%d.5,`, i, i)
	}
	event = append(event, `"c":"red"}}`...)
	d, n := decoder(b, Defaults(JSON)), 0
	b.ReportAllocs()
	for range b.N {
		d.Values(&Record{Value: event}, func(Value) { n++ })
	}
	if n != 31*b.N {
		b.Error(n)
	}
}
