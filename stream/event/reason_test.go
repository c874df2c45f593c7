package event

import (
	"fmt"
	"strings"
	"testing"

	"rosenblatt/learner"
)

// faults are pieces of a json event that are wrong in one way each; they can be put together. The parse stops at
// the last two, so those come last in an event.
var faults = []struct {
	reason Reason
	piece  string
}{
	{DuplicateField, `"d":1,"d":1`},
	{BadLabel, `"label":"what"`},
	{BadWeight, `"weight":-1`},
	{BadFeatures, `"bad":[1,"a"]`},
	{OutOfRange, `"far":-1e31`},
	{TooManyFeatures, `"many":[1,2,3,4,5,6,7,8,9]`},
	{Encoding, `"half":"\udc00"`},
	{TooDeep, `"deep":[[[[[[1]]]]]]`},
	{Syntax, `"open":"`},
}

func faultyOptions() Options {
	o := Defaults(JSON)
	o.WeightField, o.MaxDepth, o.MaxFeatures = "weight", 5, 8
	return o
}

// TestReasonOfTwo puts every pair of faults into one event, in both orders: the smaller reason wins, wherever it
// stands. Only where the parse stops it matters which comes first.
func TestReasonOfTwo(t *testing.T) {
	d := decoder(t, faultyOptions())
	for i, a := range faults {
		one := decoded(d, "{"+a.piece+"}")
		if one.reason() != a.reason || one.text() == "" {
			t.Errorf("%s: %q (%s), want %q", a.piece, one.reason(), one.text(), a.reason)
		}
		for j, b := range faults {
			want := min(a.reason, b.reason)
			if a.reason == Syntax && b.reason == TooDeep {
				want = Syntax
			}
			event := "{" + a.piece + "," + b.piece + "}"
			if i == j {
				continue
			}
			if a.reason == Syntax {
				event = "{" + a.piece + "\x01," + b.piece + "}" // else the next quote would close the string
			}
			if got := decoded(d, event); got.reason() != want {
				t.Errorf("%s: %q (%s), want %q", event, got.reason(), got.text(), want)
			}
		}
	}
}

// TestReasons has at least one event for each reason the decoder gives, and what comes before parsing.
func TestReasons(t *testing.T) {
	table := Defaults(CSV)
	table.Columns, table.WeightField = []string{"label", "w", "x"}, "w"
	vw := Defaults(VW)
	small := faultyOptions()
	small.MaxBytes = 20
	for _, c := range []struct {
		o      Options
		key    string
		value  string
		reason Reason
		text   string // is part of the error
	}{
		{small, "", "", Empty, "no bytes"},
		{small, strings.Repeat("k", 21), "", Empty, "no bytes"},
		{small, strings.Repeat("k", 21), `{"x":1}`, TooLarge, "the key has 21 bytes"},
		{small, strings.Repeat("k", 20), `{"x":1}`, OK, ""},
		{small, "", "\xff" + strings.Repeat(" ", 20), TooLarge, "21 bytes, more than 20"},
		{small, "", "{\"x\":\"\xff\"}", Encoding, "offset 6"},
		{small, "", `{"x":"\uD800"}`, Encoding, `offset 6: "\\uD800"`},
		{small, "", `{"x":"\\ud800"}`, OK, ""},
		{small, "", `{"x":"\ud83d\ude00"}`, OK, ""},
		{small, "", `{"x":[[[[1]]]]}`, BadFeatures, `"x"`},
		{small, "", `{"x":[[[[[1]]]]]}`, TooDeep, "offset 9"},
		{small, "", `[1]`, Syntax, "offset 0: an object"},
		{small, "", `{"x":1} {}`, Syntax, "offset 8: the end"},
		{small, "", `{"x":1`, Syntax, "offset 6"},
		{small, "", `{"x":NaN}`, Syntax, "offset 5: NaN and Infinity are no json (--nan)"},
		{small, "", `{"id":[]}`, Syntax, "id"},
		{small, "", `{"x":1,"x":2}`, DuplicateField, `"x"`},
		{small, "", `{"label":"?","x":1}`, BadLabel, `"?"`},
		{small, "", `{"weight":"1"}`, BadWeight, `"\"1\""`},
		{small, "", `{"weight":-1e400}`, BadWeight, "-1e400"},
		{small, "", `{"weight":1e400}`, OutOfRange, "1e400"},
		{small, "", `{"features":[1]}`, BadFeatures, "not an object"},
		{small, "", `{"features":null}`, Empty, "the field \"features\" is null"},
		{small, "", `{"x":1e400}`, OutOfRange, `"x"`},
		{small, "", `{"x":1e30,"y":-1e30}`, OK, ""},
		{small, "", ` { } `, NoFeatures, "--no-features zero"},
		{table, "", "1,1,NAN\n", NotFinite, `"x"`},
		{table, "", "1,1,-Infinity", NotFinite, `"-Infinity"`},
		{table, "", "1,inf,1", NotFinite, "weight"},
		{table, "", "1,heavy,1", BadWeight, `"heavy"`},
		{table, "", "1,1,1,1", Syntax, "4 cells"},
		{table, "", "1,1", Syntax, "2 cells"},
		{table, "", "maybe,1,nan", BadLabel, `"maybe"`},
		{table, "", "1,1,\xff", Encoding, "offset 4"},
		{vw, "", "1 -1 | a:nan", BadWeight, `"-1"`},
		{vw, "", "1 | a:NaN b:1e31", NotFinite, "offset 6"},
		{vw, "", "1 | a:1e400", OutOfRange, `"a"`},
		{Defaults(LIBSVM), "", " # 1 1:1", Empty, "only a comment"},
		{vw, "", "1 2", Syntax, "|"},
		{vw, "", "| ", NoFeatures, "neither a field nor a label"},
		{Defaults(LIBSVM), "", " \t", NoFeatures, "neither a field nor a label"},
	} {
		var e Example
		d := decoder(t, c.o)
		arena := d.Decode(&Record{Key: []byte(c.key), Value: []byte(c.value)}, nil, &e)
		if e.reason() != c.reason || !strings.Contains(e.text(), c.text) || (e.reason() == OK) == (len(arena) == 0) {
			t.Errorf("%s %q: %q, %s; want %q, %s", c.o.Format, c.value, e.reason(), e.text(), c.reason, c.text)
		}
	}
}

// TestTombstones: only null is skipped, an empty value never is.
func TestTombstones(t *testing.T) {
	o := Defaults(JSON)
	for _, c := range []struct {
		tombstones string
		value      []byte
		reason     Reason
		skip       bool
	}{
		{RejectTombstones, nil, Empty, false}, {RejectTombstones, []byte{}, Empty, false},
		{SkipTombstones, nil, OK, true}, {SkipTombstones, []byte{}, Empty, false},
	} {
		o.Tombstones = c.tombstones
		e := Example{Rejected: NewError(Syntax, "old"), Label: 1, Family: One, ID: []byte("old"), IDIsJSON: true,
			Skip: true, End: 7}
		arena := decoder(t, o).Decode(&Record{Value: c.value}, make([]learner.Feature, 3), &e)
		if e.reason() != c.reason || e.Skip != c.skip || e.Start != 3 || e.End != 3 || len(arena) != 3 || e.ID != nil ||
			e.Label != 0 {
			t.Errorf("%s %v: %+v", c.tombstones, c.value, e)
		}
	}
}

// TestPanicIsInternal: a mistake in the decoder costs one event.
func TestPanicIsInternal(t *testing.T) {
	d := decoder(t, Defaults(JSON))
	arena := make([]learner.Feature, 1, 9)
	d.visit = func([]byte, int) { panic("at the disco") }
	var e Example
	arena = d.Decode(&Record{Value: []byte(`{"label":1,"features":{"x":1}}`)}, arena, &e)
	if e.reason() != Internal || !strings.Contains(e.text(), "at the disco") || len(arena) != 1 || e.Label != 0 ||
		e.Start != 1 || e.End != 1 {
		t.Fatalf("%+v, %v", e, arena)
	}
	d.visit = nil
	if e = decoded(d, `{"label":1,"x":1}`); e.reason() != OK {
		t.Fatalf("after a panic: %+v", e)
	}
}

// TestErrorsAreShort: what an error shows of an event is quoted and bounded.
func TestErrorsAreShort(t *testing.T) {
	d := decoder(t, Defaults(JSON))
	long := strings.Repeat("\\n", 5000)
	for _, event := range []string{`{"` + long + `":1e31}`, `{"label":"` + long + `","x":1}`, `{"x":"` + long, `{"` +
		long + `":[{}]}`} {
		e := decoded(d, event)
		if e.reason() == OK || len(e.text()) > 400 || strings.ContainsAny(e.text(), "\n\x00") {
			t.Errorf("%.40s...: %q", event, e.text())
		}
	}
}

// TestLabelStaysForLaterReasons: whether a label fits the stream is decided before reasons that come after bad-label.
func TestLabelStaysForLaterReasons(t *testing.T) {
	d := decoder(t, faultyOptions())
	for _, f := range faults {
		e := decoded(d, fmt.Sprintf(`{"label":false,%s,"x":1}`, f.piece))
		later := f.reason > BadLabel
		if later != (e.Family == Boolean && e.Label == -1) {
			t.Errorf("%s: %q, label %d of family %d", f.piece, e.reason(), e.Label, e.Family)
		}
	}
}
