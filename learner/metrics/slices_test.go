package metrics

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// TestSlicesAgainstNaive: each decision is in the slice of its value, the values seen first have one of their own.
func TestSlicesAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	s := NewSlices([]string{"shop", "kind"})
	want, seen := map[string]Confusion{}, map[string]bool{}
	for i := range 5000 {
		shop := fmt.Sprintf("s%d", r.IntN(80))
		kind := []string{"a", "", "other", "(none)", strings.Repeat("x", 101)}[r.IntN(5)]
		label, prediction := int8(2*r.IntN(2)-1), int8(2*r.IntN(2)-1)
		fraction := i%100 == 0
		codes := SliceCodes{s.Code(0, []byte(shop), false, fraction), s.Code(1, []byte(kind), kind == "", false)}
		s.Add(codes, prediction, label)
		switch {
		case seen[shop]:
		case fraction || len(seen) == SliceValues:
			shop = "other"
		default:
			seen[shop] = true
		}
		switch {
		case kind == "":
			kind = "(none)"
		case len(kind) > SliceText:
			kind = "other"
		}
		for _, key := range []string{"shop " + shop, "kind " + kind} {
			c := want[key]
			switch {
			case label > 0 && prediction > 0:
				c.TruePositive++
			case label > 0:
				c.FalseNegative++
			case prediction > 0:
				c.FalsePositive++
			default:
				c.TrueNegative++
			}
			want[key] = c
		}
	}
	got, order := map[string]Confusion{}, []string{}
	for _, row := range s.Rows() {
		got[row.Field+" "+row.Value] = row.Confusion
		order = append(order, row.Value)
		c := row.Confusion
		if row.Mistakes() != c.FalseNegative+c.FalsePositive || row.Examples() != row.Mistakes()+c.TruePositive+
			c.TrueNegative || row.Recall != Quotient(c.TruePositive, c.TruePositive+c.FalseNegative) ||
			row.KappaM.known || row.RocAUC.known {
			t.Errorf("%+v", row)
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v\nwant\n%v", got, want)
	}
	if n := len(order); n != 51+3 || order[50] != "other" || order[n-1] != "(none)" {
		t.Errorf("the order is %v", order)
	}
}

// TestSlicesState: what is saved goes on as it was, a copy is one of its own, and broken ones are refused.
func TestSlicesState(t *testing.T) {
	s := NewSlices([]string{"a", "b"})
	add := func(s *Slices, a, b string) {
		s.Add(SliceCodes{s.Code(0, []byte(a), a == "", false), s.Code(1, []byte(b), b == "", false)}, 1, -1)
	}
	add(s, "x", "1")
	add(s, "", "2")
	saved, err := json.Marshal(s.Saved())
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := LoadSlices(saved)
	if err != nil || !reflect.DeepEqual(loaded.Rows(), s.Rows()) || !reflect.DeepEqual(loaded.Fields(), s.Fields()) {
		t.Fatalf("%v: %+v, want %+v", err, loaded, s)
	}
	var copied Slices
	s.CopyTo(&copied)
	before := fmt.Sprint(copied.Rows())
	for _, x := range []*Slices{s, loaded} {
		add(x, "y", "1")
		add(x, "x", "3")
	}
	if fmt.Sprint(copied.Rows()) != before {
		t.Error("the copy changes with what it was copied from")
	}
	if !reflect.DeepEqual(loaded.Rows(), s.Rows()) {
		t.Errorf("what was loaded goes on to %v, want %v", loaded.Rows(), s.Rows())
	}
	other := NewSlices([]string{"a", "b"})
	add(other, "z", "9")
	other.CopyTo(&copied) // other values in the same places
	if fmt.Sprint(copied.Rows()) != fmt.Sprint(other.Rows()) {
		t.Errorf("a copy over others is %v", copied.Rows())
	}
	s.Add(SliceCodes{}, 1, 1)        // nothing is known
	s.Add(SliceCodes{200, 77}, 1, 1) // of a damaged file
	if !reflect.DeepEqual(loaded.Rows(), s.Rows()) {
		t.Error("an example without values is counted")
	}
	for _, text := range []string{"", "{}", `[{"name":"a","values":["x"],"counts":[[0,0,0,0]]}]`,
		`[{"name":"a","values":["x","x"],"counts":[[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]]}]`,
		`[{"name":"a","values":[],"counts":[[0,0,0,0],[0,-1,0,0]]}]`,
		`[{"name":"a","values":[],"counts":[[0,0,0,0],[0,0.5,0,0]]}]`, strings.Repeat("[", 99),
		"[" + strings.Repeat(`{"values":[],"counts":[[0,0,0,0],[0,0,0,0]]},`, 4) +
			`{"values":[],"counts":[[0,0,0,0],[0,0,0,0]]}]`} {
		if x, err := LoadSlices([]byte(text)); err == nil {
			t.Errorf("%s is %+v", text, x)
		}
	}
}
