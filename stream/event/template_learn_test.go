package event

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestTemplateOfSparseEvents: where features are missing at random, in any event of the format, nearly all events are
// read in a single pass once the template has all features. The results are those of the oracle.
func TestTemplateOfSparseEvents(t *testing.T) {
	for _, c := range []struct {
		name, start, first, feature, end string
	}{
		{"features field", `{"id":"e","label":1,"features":{`, `"f0":0.5`, `,"f%d":%s`, `}}`},
		{"flat", `{`, `"label":1`, `, "f%d": %s`, `}`},
		{"fields after it", `{"features":{`, `"f0":0.5`, `,"f%d":%s`, `},"label":1,"ts":17}`},
		{"nested", `{"label":1,"a":{`, `"f0":0.5`, `,"f%d":%s`, `},"b":{"f1":2,"f2":3}}`},
		{LIBSVM, "", "1", " %d:%s", ""},
		{VW, "1 |n ", "f0:0.5", " f%d:%s", " |m x:1"},
	} {
		r := rand.New(rand.NewPCG(1, 1))
		format, check := JSON, agree
		if c.start == "" || c.start[0] != '{' {
			format, check = c.name, agreeText
		}
		d := decoder(t, Defaults(format))
		event := func() string {
			var s strings.Builder
			s.WriteString(c.start + c.first)
			for i := 1; i < 40; i++ {
				if r.IntN(4) == 0 {
					fmt.Fprintf(&s, c.feature, i, []string{"1", "-0.25", "1e-3", "0.30000000000000004"}[r.IntN(4)])
				}
			}
			return s.String() + c.end
		}
		fit := 0
		for i := range 400 {
			value := event()
			if fits, _ := fitsTemplate(d, value); fits && i >= 200 {
				fit++
			}
			check(t, d, []byte(value))
		}
		if fit < 190 || len(d.template.keys) > 50 {
			t.Errorf("%s: %d of the last 200 events fit a template of %d keys", c.name, fit, len(d.template.keys))
		}
	}
}

// TestTemplateIsExtended checks which events fit after two others, of which the second one does not fit the template of
// the first.
func TestTemplateIsExtended(t *testing.T) {
	for _, c := range []struct {
		first, second, event string
		fits                 bool
	}{
		{`{"label":1,"a":1,"c":3}`, `{"label":1,"b":2}`, `{"label":1,"a":1,"b":2,"c":3}`, true},
		{`{"label":1,"a":1,"c":3}`, `{"label":1,"b":2}`, `{"label":1,"a":1,"b":2,"b":3}`, false},
		{`{"label":1,"a":1,"b":3}`, `{"label":1,"b":2,"a":1}`, `{"label":1,"b":2,"a":1}`, true},
		{`{"label":1,"a":1,"b":3}`, `{"label":1,"b":2,"a":1}`, `{"label":1,"a":2,"b":1}`, false},
		{`{"label":1,"a":1}`, `{"label":1,"a":1,"features":{"b":1}}`, `{"label":1,"a":1,"features":{"b":1}}`, false},
		{`{"label":1,"features":{"b":1}}`, `{"label":1,"a":2}`, `{"label":1,"a":2,"features":{"b":1}}`, false},
		{`{"label":1,"a":1}`, `{"label":1,"a":1,"id":1}`, `{"label":1,"a":1,"id":1}`, false}, // another role
		{`{"label":1,"id":1,"a":1}`, `{"label":1,"a":1,"b":1}`, `{"label":1,"id":2,"a":1,"b":1}`, true},
		{`{"label":1,"a":1}`, `{"label":1, "a":1,"b":1}`, `{"label":1,"a":1,"b":1}`, false}, // one name, two keys
		{`{"label":1,"a.b":1}`, `{"label":1,"a":{"b":1,"c":1}}`, `{"label":1,"a.b":1,"c":1}`, false},
		{`{"label":1,"a":1}`, `{"label":1,"a":1,"b":2e30}`, `{"label":1,"a":1,"b":2}`, false}, // it is rejected
		{`{"label":1,"a":1}`, `{"label":1,"a":1,"b":1} `, `{"label":1,"a":1,"b":1}`, false},   // another tail
	} {
		d := decoder(t, Defaults(JSON))
		for _, event := range []string{c.first, c.second} {
			agree(t, d, []byte(event))
		}
		if fits, _ := fitsTemplate(d, c.event); fits != c.fits {
			t.Errorf("%s after %s and %s: fits %v", c.event, c.first, c.second, fits)
		}
		for range 2 {
			agree(t, d, []byte(c.event))
		}
	}
}

// TestTemplateHasLimits: a template has no more features than an event may have, and not many more keys than the events
// that extend it.
func TestTemplateHasLimits(t *testing.T) {
	o := Defaults(JSON)
	o.MaxFeatures = 20
	d := decoder(t, o)
	for i := range 100 {
		agree(t, d, fmt.Appendf(nil, `{"label":1,"f%d":1,"f%d":1}`, i, i+1))
		if n := d.template.features; n > 20 {
			t.Fatalf("%d features", n)
		}
	}
	d = decoder(t, Defaults(JSON))
	for i := range 100 {
		decoded(d, fmt.Sprintf(`{"label":1,"%s%d":1}`, strings.Repeat("k", maxText/20), i))
		if n := d.template.bytes(); n > maxText {
			t.Fatalf("%d bytes of keys and names", n)
		}
	}
	d = decoder(t, Defaults(LIBSVM))
	for i := range 1000 {
		agreeText(t, d, fmt.Appendf(nil, `1 %d:1 %d:1`, i, i+1000))
		if n := len(d.template.keys); n > 3*sparsest {
			t.Fatalf("%d keys", n)
		}
	}
}

// TestNamesOfSparseEvents: events with the same features as the one before have its number, also if some of the
// template's are missing.
func TestNamesOfSparseEvents(t *testing.T) {
	d := decoder(t, Defaults(JSON))
	all, some := `{"label":1,"a":1,"b":2,"c":3}`, `{"label":1,"a":1,"c":3}`
	for range 3 {
		decoded(d, all)
	}
	first := decoded(d, some).Names
	second, third := decoded(d, some).Names, decoded(d, some).Names
	if first != 0 || second == 0 || third != second {
		t.Errorf("numbers %d, %d, %d", first, second, third)
	}
	for _, other := range []string{`{"label":1,"a":1,"c":null}`, `{"label":1,"a":1,"c":"3"}`,
		`{"label":1,"a":1}`, all} {
		decoded(d, some)
		if decoded(d, some).Names == 0 || decoded(d, other).Names != 0 {
			t.Errorf("%s has a number", other)
		}
	}
}

// TestWordsOfTemplate: words are those of their field and of their event, also where the template has changed since
// they were first read.
func TestWordsOfTemplate(t *testing.T) {
	words := []string{"", "a", "b", "ab", "aab", "abb", "abcd", "abcde", "abXde", "abcdefgh", "abcXefgh", "abcdefghi",
		"é"}
	d := decoder(t, Defaults(JSON))
	for _, fields := range [][]string{{"x", "y"}, {"y", "x"}, {"x", "y", "z"}, {"z", "y"}} {
		for range 3 * relearnAfter {
			for i := range words {
				event := `{"label":1`
				for n, field := range fields {
					event += fmt.Sprintf(`,%q:%q`, field, words[(i+5*n)%len(words)])
				}
				agree(t, d, []byte(event+`}`))
			}
		}
	}
}

// TestTemplateIsKept: an event that cannot extend the template changes nothing, and the next ones are not learned.
func TestTemplateIsKept(t *testing.T) {
	for _, c := range []struct{ first, second string }{
		{`{"a":1,"b":2}`, `{"a":1} `},
		{`{"a":{"x":1},"b":{"y":2}}`, `{"a":{"x":1}}`},
		{`{"a":1,"b":2}`, `{"a":1,"c":{"b":2}}`},
		{`{"a":1,"b":2}`, `{"b":1,"a":2}`},
		{`{"label":1,"a":1}`, `{"label":1, "a":1,"b":1}`},
	} {
		d := decoder(t, Defaults(JSON))
		decoded(d, c.first)
		decoded(d, c.second)
		if fits, _ := fitsTemplate(d, c.first); !fits || d.template.patience == 0 {
			t.Errorf("%s then %s: fits %v, patience %d", c.first, c.second, fits, d.template.patience)
		}
	}
}

// TestUnionComparesPlaces: two keys that are written in the same way for values of another use are not the same.
func TestUnionComparesPlaces(t *testing.T) {
	made := func(last role) *template {
		made := new(template)
		made.reset()
		made.addFeature(newTemplateKey([]byte(`{"a":`), place{}), []byte(`{"a":`), []byte("a"))
		made.add(newTemplateKey([]byte(`,"b":`), place{role: last, optional: true}), []byte(`,"b":`))
		return made
	}
	both := new(template)
	for _, c := range []struct {
		second role
		want   bool
	}{{labelRole, true}, {ignoreRole, false}} {
		both.reset()
		if got := both.union(made(labelRole), made(c.second)); got != c.want {
			t.Errorf("role %d and %d: %v", labelRole, c.second, got)
		}
	}
}
