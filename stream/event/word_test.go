package event

import (
	"slices"
	"testing"
)

// TestWordsKeepTheirMarks: accents and vowel signs that are characters of their own belong to the word before them, as
// do the joiners within words. They are no words by themselves.
func TestWordsKeepTheirMarks(t *testing.T) {
	json, table := Defaults(JSON), Defaults(CSV)
	json.TextField, table.TextField, table.Columns = "t", "t", []string{"t", "label"}
	for text, want := range map[string][]string{
		"हिन्दी में, लिखा":              {"हिन्दी", "में", "लिखा"},
		"ที่นี่ ดี":                     {"ที่นี่", "ดี"},
		"Cafe\u0301 CAFE\u0301 E\u0301": {"cafe\u0301", "e\u0301"},
		"می\u200cروم":                   {"می\u200cروم"},
		"I \u2764\ufe0f \u0301 it":      {"i", "it"},
		"1\ufe0f\u20e3 2":               {"1\ufe0f\u20e3", "2"},
	} {
		for value, o := range map[string]Options{`{"label":1,"t":"` + text + `"}`: json, `"` + text + `",1`: table} {
			d := decoder(t, o)
			for range 3 { // by the parser, then along a template
				var got []string
				for _, f := range walked(d, value) {
					got = append(got, f.name[len("t="):])
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s: %q, want %q", o.Format, got, want)
				}
			}
		}
	}
}
