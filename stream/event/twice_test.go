package event

import "testing"

// TestFeatureTwice (row 38): a feature named twice adds up, before anything is scaled; an element of an array of words
// counts once. In csv two columns of one name are refused with the settings.
func TestFeatureTwice(t *testing.T) {
	for _, c := range []struct {
		name    string
		options Options
		value   string
		want    float64
	}{
		{"json", Defaults(JSON), `{"features":{"a":1.5,"a":2}}`, 3.5},
		{"json, dotted and nested", Defaults(JSON), `{"features":{"b.a":1.5,"b":{"a":2}}}`, 3.5},
		{"json, words", Defaults(JSON), `{"a":["x","x"]}`, 1},
		{"libsvm", Defaults(LIBSVM), "+1 3:1.5 3:2", 3.5},
		{"vw", Defaults(VW), "1 | a:1.5 a:2", 3.5},
	} {
		d, err := New(c.options)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := walked(d, c.value)
		if len(got) != 1 || got[0].value != c.want {
			t.Errorf("%s: %v, want one feature of %v", c.name, got, c.want)
		}
	}
}
