package event

import (
	"slices"
	"strings"
	"testing"
)

// TestVWTemplate decodes events that are like the ones before or not. It checks how many features fit the template,
// since what is decoded does not show it.
func TestVWTemplate(t *testing.T) {
	for _, c := range []struct {
		before, event string
		follows       int // how many features, when all do; 0 when others come behind them
	}{
		{"1 | a:1 b:2 c:3", "-1 | a:0.5 b:-2.25 c:1e3", 3}, {"1 | a:1 b:2", "1 | a:1 b:12345678901234567890", 2},
		{"1 |f a:1 b:2", "1 |f a:1 b:2 ", 2},
		{"1 |f a:1 b:2", "1 |f a:1", 1}, {"1 |f a:1 b:2", "1 |f a:1 b:2 c:3", 0}, {"1 |f a:1 b:2", "1 |f a:1  b:2", 0},
		{"1 |f a:1 b:2", "1 |f a:1\tb:2", 0},
		{"1 |f a:1 b:2", "1 |f a:1 b:2|g a:3 |f b:4", 0}, {"1 |f a:1 b:2", "1 |g a:1 b:2", 0},
		{"1 |f a:1 b:2", "1 |f:2 a:1 b:2", 0},
		{"1 |f a:1 b:2", "1 | |f a:1 b:2", 0}, {"1 | |f a:1 b:2", "1 |f a:1 b:2", 0},
		{"1 | |f a:1 b:2", "1 | a:1 b:2", 0}, {"1 | x^a:1 b:2", "1 |x a:1 b:2", 0},
		{"1 | a:1 b c:2", "1 | a:1 b c:2", 0}, {"1 | a:1 a:2 b:3", "1 | a:1 a:2 b:3", 0},
		{"1 | a:1 b:2", "1 | a:1 b:2 a:3", 0},
		{"1 | a:1 b:2", "1 | a:1 b:nan", 1}, {"1 | a:1 b:2", "1 | a:1 b:2e30", 1}, {"1 | a:1 b:2", "1 | a:1 b:x", 1},
		{"1 | a:1 b:2", "1 | a:1 b:2:3", 1},
	} {
		d := decoder(t, Defaults(VW))
		for range 3 {
			agreeText(t, d, []byte(c.before))
		}
		var e Example
		d.Decode(nil, []byte(c.event), nil, &e)
		if got := d.template.matched; got != c.follows {
			t.Errorf("%s behind %s: %d features fitted the template, want %d", c.event, c.before, got, c.follows)
		}
		for range 3 {
			agreeText(t, d, []byte(c.before))
			agreeText(t, d, []byte(c.event))
		}
	}
}

// TestVWTemplateAgainstOracle decodes each event, cut at each byte, behind each other one.
func TestVWTemplateAgainstOracle(t *testing.T) {
	events := []string{"1 2.5 'e17|price:2 p:0.23 sqft |b a a:2 ig:1 x:5|c", "-1 |f 13:3.9e-02 24:3.4781646e-02 30:0.5",
		"| 13:1 24:2 30:-3.5\t31:4 ", "|f 13:1 24:2 30:-3.5"}
	for _, before := range events {
		for _, event := range events {
			for n := range len(event) + 1 {
				d := decoder(t, Defaults(VW))
				agreeText(t, d, []byte(before))
				agreeText(t, d, []byte(before))
				agreeText(t, d, []byte(event[:n]))
			}
		}
	}
}

// TestVWTemplateIsLearnedAgain when the events have changed.
func TestVWTemplateIsLearnedAgain(t *testing.T) {
	d := decoder(t, Defaults(VW))
	decoded(d, "1 | a:1 b:2")
	for range relearnAfter + 1 {
		decoded(d, "1 |g c:1 d:2")
	}
	if decoded(d, "1 |g c:1 d:2"); d.template.matched != 2 {
		t.Errorf("%d features fit the template", d.template.matched)
	}
}

// TestCSVTemplate: features of numbers in the order of the columns need no table. With every cell quoted they all go by
// the table, and are the same.
func TestCSVTemplate(t *testing.T) {
	o := Defaults(CSV)
	o.Columns = []string{"x", "label", "w", "y", "x=a", "z"}
	o.Ignore = []string{"w"}
	d := decoder(t, o)
	for event, follows := range map[string]int{
		"1,1,9,2,3,4": 4, "1,1,9,2,3,": 3, "1,1,9,-2.5,0,12345678": 0, "1.,1,x,.5,3,": 3, "-0,1,9,2,3,x": 0,
		"a,1,9,2,3,4": 0, ",1,9,2,3,4": 0, "1,1,9,2,, 4": 0, "1,1,9,2,1e31,4": 0, "1,1,9,2,3,nan": 3,
		"1,1,9,2,3,4,5": 4, "1,1,9,2": 2, "b,0,,1,2,a": 0,
	} {
		var plain, quoted Example
		got := d.Decode(nil, []byte(event), nil, &plain)
		if n := d.template.matched; n != follows {
			t.Errorf("%s: %d cells needed no table, want %d", event, n, follows)
		}
		all := `"` + strings.ReplaceAll(event, ",", `","`) + `"`
		want := d.Decode(nil, []byte(all), nil, &quoted)
		if d.template.matched != 0 {
			t.Fatalf("%s: %d cells needed no table", all, d.template.matched)
		}
		if plain.reason() != quoted.reason() || plain.Label != quoted.Label || !slices.Equal(got, want) ||
			!slices.Equal(walked(d, event), walked(d, all)) {
			t.Errorf("%s: %v %v, but with quotes %v %v", event, plain, got, quoted, want)
		}
	}
}

// TestNamesHaveNumbers also where an event is not read in a single pass: those with the names of the one before have
// its number, others none.
func TestNamesHaveNumbers(t *testing.T) {
	table := Defaults(CSV)
	table.Columns = []string{"x", "label", "y"}
	for _, c := range []struct {
		o              Options
		same, another  string
		shorter, other string // no number: fewer names, and others
	}{
		{Defaults(VW), "1 'a| x:1 y:2", "-1 'b| x:0.5 y:7", "1 'c| x:1", "1 'd| x:1 y:2 bare"},
		{Defaults(JSON), `{"id":"\u0061","features":{"x":1,"y":2}}`, `{"id":"\u0062","features":{"x":7,"y":0.5}}`,
			`{"id":"\u0063","features":{"x":1}}`, `{"id":"\u0064","features":{"x":1,"y":2,"word":true}}`},
		{table, "1,1,2", "7,1,0.5", "1,1,", "1,1,bare"},
	} {
		d := decoder(t, c.o)
		decoded(d, c.same)
		names := decoded(d, c.same).Names
		if names == 0 || decoded(d, c.another).Names != names {
			t.Errorf("%s: list of names %d, then %d", c.o.Format, names, decoded(d, c.another).Names)
		}
		for _, event := range []string{c.shorter, c.other} {
			if got := decoded(d, event).Names; got != 0 && got == names {
				t.Errorf("%s: %s has the number of %s", c.o.Format, event, c.same)
			}
		}
	}
}
