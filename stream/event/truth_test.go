package event

import "testing"

// TestTruthInTables: the text formats take true and false as pandas and Excel write them; json has its own.
func TestTruthInTables(t *testing.T) {
	for text, want := range map[string]int8{"True": 1, "TRUE": 1, "true": 1, "False": -1, "FALSE": -1, "tRUE": 0} {
		for format, value := range map[string]string{CSV: text + ",1", LIBSVM: text + " 1:1", VW: text + " | a",
			JSON: `{"label":"` + text + `","x":1}`} {
			o := Defaults(format)
			if format == CSV {
				o.Columns = []string{"label", "x"}
			}
			d, err := New(o)
			if err != nil {
				t.Fatal(err)
			}
			var e Example
			d.Decode(&Record{Value: []byte(value)}, nil, &e)
			want := want
			if format == JSON && text != "true" {
				want = 0
			}
			if e.Label != want || (e.Rejected == nil) != (want != 0) {
				t.Errorf("%s: %q: label %d, want %d: %v", format, value, e.Label, want, e.Rejected)
			}
		}
	}
}
