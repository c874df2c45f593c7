package event

import (
	"slices"
	"strings"
	"testing"

	"rosenblatt/learner"
)

// TestVWWords: features whose value is a word, behind blanks or without a name, as vw 9.11 --audit shows them. A word
// is city^paris with the value 1 whatever the scale of the namespace is. TestFormats in cmd/internal/source has more.
func TestVWWords(t *testing.T) {
	number := func(name string, v float64) named { return named{name, v, learner.Numeric} }
	word := func(name string) named { return named{name, 1, learner.Indicator} }
	for value, want := range map[string][]named{
		"1 | city:paris":            {word("city=paris")},
		"1 |b city:paris x:2":       {word("b^city=paris"), number("b^x", 2)},
		"1 |b:3 city:paris x:2":     {word("b^city=paris"), number("b^x", 6)},
		"1 | city:paris city:paris": {{"city=paris", 2, learner.Indicator}},
		"1 | a:b:c a::b":            {word("a=b:c"), word("a=:b")},
		"1 |b:3 a:":                 {number("b^a", 1)},
		"1 | a: 2 city:  paris b:":  {number("a", 2), word("city=paris"), number("b", 1)},
		"1 |b:2 a: |c d":            {number("b^a", 1), number("c^d", 1)},
		"1 |b:2 :3 x :4 |c :5 : w": {number("b^0", 6), number("b^x", 2), number("b^1", 8), number("c^0", 5),
			word("c^=w")},
	} {
		d := decoder(t, Defaults(VW))
		for range 3 {
			if got := walked(d, value); !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", value, got, want)
			}
			decoded(d, value)
		}
	}
}

// TestSeveralLabels: several labels for one event, and labels with costs, are no class, and not the negative label
// either.
func TestSeveralLabels(t *testing.T) {
	for value, want := range map[string]Reason{
		"1,2 | a": BadLabel, "-1.5,2e1,3 | a": BadLabel, "1:2 | a": BadLabel, "1:0.5:0.25 'tag| a": BadLabel,
		"0,5 | a": BadLabel, "a,b | a": OK, "a:b | a": OK, "10 | a": OK, "2026-11-26 | a": OK, "7,8 | a": OK,
	} {
		all, one := Defaults(VW), Defaults(VW)
		all.Task, one.Positive = Multiclass, "7,8"
		if e := decoded(decoder(t, one), value); e.reason() != want {
			t.Errorf("%s: %v, want %v", value, e.reason(), want)
		}
		if value[0] == '7' {
			want = BadLabel
		}
		if e := decoded(decoder(t, all), value); e.reason() != want {
			t.Errorf("%s: %v, want %v", value, e.reason(), want)
		}
	}
	o := Defaults(LIBSVM)
	o.Task = Multiclass
	if e := decoded(decoder(t, o), "1,2 a:1"); e.reason() != BadLabel {
		t.Errorf("libsvm: %v", e.reason())
	}
}

// TestHeadsOfOtherFiles: labels with costs, of which vw has several, and a tag with a blank are told as what they are.
func TestHeadsOfOtherFiles(t *testing.T) {
	for value, want := range map[string]string{
		"1:0 2:1 3:2 |a x":            `the label "1:0" is a class with its costs; send the class alone`,
		"1:0 2:1 3:2 4:0 5:1 6:7 | a": `the label "1:0" is a class with its costs; send the class alone`,
		"1 'tag with | a":             `a tag ends at a blank, and there is more behind "'tag"`,
		"1 'my tag| a":                `a tag ends at a blank, and there is more behind "'my"`,
		"1 2 'my tag| a":              `a tag ends at a blank, and there is more behind "'my"`,
		"1 2 x 'tag| a":               `the base must be a number, not "x"`,
		"1 2 0 'tag| a":               "",
		"1 'tag| a":                   "",
		"'a 1 | a":                    "",
	} {
		o := Defaults(VW)
		o.Task = Multiclass
		d := decoder(t, o)
		for range 3 {
			if e := decoded(d, value); e.Rejected == nil && want != "" || e.Rejected != nil &&
				(want == "" || !strings.Contains(e.Rejected.Message(), want)) {
				t.Errorf("%s: %v, want %s", value, e.Rejected, want)
			}
		}
	}
}

// TestAbsentNaNOfText: features that are not finite are absent with AbsentNaN, as scikit-learn writes holes of a table.
func TestAbsentNaNOfText(t *testing.T) {
	events := map[string]string{VW: "1 |b a:nan c:2 :inf :3", LIBSVM: "1 b^a:nan b^c:2 b^0:-inf b^1:3"}
	for format, value := range events {
		o := Defaults(format)
		if e := decoded(decoder(t, o), value); e.reason() != NotFinite {
			t.Errorf("%s: %v", value, e.reason())
		}
		o.AbsentNaN = true
		d := decoder(t, o)
		want := []named{{"b^c", 2, learner.Numeric}, {"b^1", 3, learner.Numeric}}
		for range 3 {
			if got := walked(d, value); !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", value, got, want)
			}
			decoded(d, value)
		}
	}
}
