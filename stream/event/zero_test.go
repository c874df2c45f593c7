package event

import "testing"

// TestNoFeatureIsZero: an event that has a field or a label and no feature is accepted in each format, with its label,
// also behind events with features; without both it is rejected unless the options say otherwise.
func TestNoFeatureIsZero(t *testing.T) {
	table := Defaults(CSV)
	table.Columns = []string{"label", "x", "y"}
	text := Defaults(JSON)
	text.TextField = "text"
	for _, c := range []struct {
		o             Options
		before, event string
		label         int8
	}{
		{Defaults(JSON), `{"label":1,"features":{"x":1}}`, `{"label":-1,"features":{}}`, -1},
		{Defaults(JSON), `{"label":1,"x":1}`, `{"label":-1}`, -1},
		{Defaults(JSON), `{"label":1,"x":1}`, `{"x":null}`, 0},
		{Defaults(JSON), `{"id":7,"x":1}`, `{"id":7}`, 0},
		{text, `{"label":1,"text":"a b"}`, `{"label":-1,"text":"?!"}`, -1},
		{Defaults(LIBSVM), "1 3:1", "-1", -1}, {Defaults(LIBSVM), "1 3:1", "-1 # 3:1\n", -1},
		{Defaults(VW), "1 | a:1", "-1 |", -1},
		{Defaults(VW), "1 |f a:1", "|f", 0}, {Defaults(VW), "1 | a:1", "'e7|", 0},
		{table, "1,2,3", "-1,,\r\n", -1}, {table, "1,2,3", " ,NA,?", 0}, {table, "1,2,3", ",,", 0},
	} {
		d := decoder(t, c.o)
		for range 5 {
			if e := decoded(d, c.before); e.reason() != OK || e.Start == e.End {
				t.Fatalf("%s: %s", c.before, e.text())
			}
			if e := decoded(d, c.event); e.reason() != OK || e.Start != e.End || e.Label != c.label {
				t.Errorf("%s: %s, %d features, label %d", c.event, e.text(), e.End-e.Start, e.Label)
			}
		}
	}
	for format, value := range map[string]string{JSON: "{}", LIBSVM: " ", VW: "|"} {
		o := Defaults(format)
		for _, zero := range []bool{false, true} {
			o.EmptyIsZero = zero
			if e := decoded(decoder(t, o), value); zero && e.reason() != OK || !zero && e.reason() != NoFeatures {
				t.Errorf("%s %q: %s", format, value, e.text())
			}
		}
	}
}
