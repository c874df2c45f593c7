package event

import (
	"slices"
	"strings"
	"testing"
)

// TestCSVTemplate checks which rows fit the template that comes from the columns. With every cell quoted the features
// are the same.
func TestCSVTemplate(t *testing.T) {
	o := Defaults(CSV)
	o.Columns = []string{"x", "label", "w", "y", "x=a", "z"}
	o.Ignore = []string{"w"}
	d := decoder(t, o)
	for event, want := range map[string]bool{
		"1,1,9,2,3,4": true, "1,1,9,2,3,": true, "1,1,9,-2.5,0,12345678": true, "1.,1,x,.5,3,": true,
		"-0,1,9,2,3,x": true, "1,1,9,2,3,2024-01-01": true, "b,1,9,2,3,4\r\n": true, ",1,9,2,3,4": true,
		"1,1,9,2,, 4": true, "1,1,9,2,\"3\",4": true, "é,1,9,2,3,4": true, ",,,,,1": true,
		"2024-01-01,1,9,2,3,0.0000000000000000000000000000000000000000001": true,
		"a,1,9,2,3,4": false, "1,1,9,2,1e31,4": true, "1,1,9,2,3,NAN": false,
		"1,1,9,2,3,nan": true, "NA,1,?,2,3, N/A ": true, "1,1,9,2,3,4,5": false, "1,1,9,2": false,
		"1,2,9,2,3,4": false, "1,1,9,2,3,\xff": false, ",1,,,,": false, "1,1,9,2,3,\"4": false,
	} {
		if got, _ := fitsTemplate(d, event); got != want {
			t.Errorf("%s: fits %v, want %v", event, got, want)
		}
		var plain, quoted, general Example
		got := d.Decode(&Record{Value: []byte(event)}, nil, &plain)
		if parsed(d, []byte(event), nil, &general); !slices.Equal(got, d.arena) {
			t.Errorf("%s: %v, without the template %v", event, got, d.arena)
		}
		if strings.ContainsAny(event, "\"\r") {
			continue
		}
		all := `"` + strings.ReplaceAll(event, ",", `","`) + `"`
		want := d.Decode(&Record{Value: []byte(all)}, nil, &quoted)
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
