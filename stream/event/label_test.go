package event

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestLabels reads labels in all spellings, in json and in a text format.
func TestLabels(t *testing.T) {
	for _, c := range []struct {
		positive string
		names    []string
		json     string // the label's token
		text     string // the same in libsvm; empty: not tried
		label    int8
		family   Family
	}{
		{"", nil, `1`, "1", 1, One}, {"", nil, `1.0`, "1.0", 1, One}, {"", nil, `10e-1`, "10e-1", 1, One},
		{"", nil, `"+1"`, "+1", 1, One},
		{"", nil, `-1`, "-1", -1, PlusMinus}, {"", nil, `"-1"`, "-1.", -1, PlusMinus}, {"", nil, `0`, "0", -1, ZeroOne},
		{"", nil, `-0.0`, "-0", -1, ZeroOne},
		{"", nil, `"0"`, "+0", -1, ZeroOne}, {"", nil, `true`, "true", 1, Boolean},
		{"", nil, `"false"`, "false", -1, Boolean},
		{"", nil, `null`, "", 0, Unlabelled},
		{"", nil, `2`, "2", 0, Unlabelled}, {"", nil, `"1.0"`, "", 0, Unlabelled},
		{"", nil, `{"a":1}`, "nan", 0, Unlabelled}, {"", nil, `[1]`, "tRUE", 0, Unlabelled},
		{"UP", nil, `"UP"`, "UP", 1, Named}, {"UP", nil, `"\u0055P"`, "", 1, Named},
		{"UP", nil, `"up"`, "up", -1, Named}, {"UP", nil, `1`, "1", -1, Named},
		{"UP", nil, `[]`, "", 0, Unlabelled}, {"UP", nil, `null`, "", 0, Unlabelled},
		{"true", nil, `true`, "true", 1, Named},
		{"3", nil, `3.0`, "3.0", 1, Named}, {"3", nil, `"3"`, "3", 1, Named}, {"3", nil, `"3.0"`, "", -1, Named},
		{"3", nil, `1e400`, "1e400", -1, Named},
		{"", []string{"no", "yes"}, `"no"`, "no", -1, Named}, {"", []string{"no", "yes"}, `"yes"`, "yes", 1, Named},
		{"", []string{"no", "yes"}, `1`, "1", 0, Unlabelled},
		{"", []string{"1", "2"}, `1.0`, "1.0", -1, Named}, {"", []string{"1", "2"}, `2`, "+2", 1, Named},
		{"", []string{"false", "true"}, `false`, "false", -1, Named},
	} {
		for _, format := range []string{JSON, LIBSVM} {
			o := Defaults(format)
			o.Positive, o.LabelNames = c.positive, c.names
			event := `{"x":1,"label":` + c.json + `}`
			if format == LIBSVM {
				event = c.text + " x:1"
			}
			if event == " x:1" {
				continue
			}
			want := OK
			if c.label == 0 && c.json != "null" {
				want = BadLabel
			}
			if e := decoded(decoder(t, o), event); e.reason() != want || e.Label != c.label || e.Family != c.family {
				t.Errorf("positive %q, names %q, %s: %q, label %d of family %d; want %d of %d", c.positive, c.names,
					event, e.reason(), e.Label, e.Family, c.label, c.family)
			}
		}
	}
}

func TestAppendLabel(t *testing.T) {
	for _, c := range []struct {
		positive string
		names    []string
		family   Family
		up, down string
	}{
		{"", nil, Unlabelled, "1", "-1"}, {"", nil, One, "1", "-1"}, {"", nil, PlusMinus, "1", "-1"},
		{"", nil, ZeroOne, "1", "0"}, {"", nil, Boolean, "true", "false"},
		{"UP", nil, Named, `"UP"`, `"not UP"`}, {`a"b`, nil, Unlabelled, `"a\"b"`, `"not a\"b"`},
		{"1", nil, Named, `"1"`, `"not 1"`},
		{"", []string{"no", "yes"}, Named, `"yes"`, `"no"`}, {"", []string{"-1", "1e0"}, Unlabelled, "1e0", "-1"},
		{"", []string{"false", "+1"}, Named, `"+1"`, "false"},
		{"", []string{"null", "\u00e9\n"}, Named, "\"\u00e9\\n\"", `"null"`},
	} {
		o := Defaults(JSON)
		o.Positive, o.LabelNames = c.positive, c.names
		if up, down := string(o.AppendLabel(nil, 1, c.family)), string(o.AppendLabel(nil, -1, c.family)); up != c.up ||
			down != c.down {
			t.Errorf("positive %q, names %q, family %d: %s and %s, want %s and %s", c.positive, c.names, c.family, up,
				down, c.up, c.down)
		}
	}
}

// TestAppendID: a json id is given back as it came, byte for byte; a text's is quoted.
func TestAppendID(t *testing.T) {
	o := Defaults(CSV)
	o.Columns = []string{"id", "x"}
	for _, c := range []struct {
		o         Options
		event, id string
	}{
		{Defaults(JSON), `{"id":"e\u00e9\"","x":1}`, `"e\u00e9\""`},
		{Defaults(JSON), `{"id": 1.50e0 ,"x":1}`, `1.50e0`}, {Defaults(JSON), `{"id":false,"x":1}`, `false`},
		{Defaults(JSON), `{"id":null,"x":1}`, `null`}, {Defaults(JSON), `{"x":1}`, `null`},
		{Defaults(JSON), `{"id":"","x":1}`, `""`},
		{Defaults(VW), `1 'a"b|x y`, `"a\"b"`}, {Defaults(VW), `1 17| y`, `"17"`}, {Defaults(VW), `1 '| y`, `null`},
		{Defaults(VW), `''a'| y`, `"'a'"`},
		{o, `"a ""b""",1`, `"a \"b\""`}, {o, `,1`, `null`}, {o, ` 7,1`, `" 7"`}, {Defaults(LIBSVM), `1 2:3`, `null`},
	} {
		d := decoder(t, c.o)
		e := decoded(d, c.event)
		decoded(d, `"zz""zz","ww""ww"`) // must not reach into e
		if got := string(AppendID(nil, &e)); got != c.id || e.reason() != OK {
			t.Errorf("%s: %s (%s), want %s", c.event, got, e.text(), c.id)
		}
	}
}

func FuzzAppendQuoted(f *testing.F) {
	f.Add([]byte("a\"\\/\b\t\n\r\x00\x7fé\u2028\U0001f600\xff\xed\xa0\x80"))
	f.Fuzz(func(t *testing.T, text []byte) {
		quoted := AppendQuoted([]byte("x"), text)
		var back string
		if err := json.Unmarshal(quoted[1:], &back); err != nil || quoted[0] != 'x' || !utf8.Valid(quoted) {
			t.Fatalf("%q: %s: %v", text, quoted, err)
		}
		want := string([]rune(string(text))) // each byte that is no UTF-8 becomes U+FFFD
		if back != want {
			t.Fatalf("%q: %s reads as %q, want %q", text, quoted, back, want)
		}
	})
}

// A weight with blanks beside it is read whatever its decimal point is; with a comma for that, a point is none.
func TestWeightOfACell(t *testing.T) {
	for _, c := range []struct {
		comma bool
		cell  string
		want  float64 // 0: none
	}{{false, " 1.5 ", 1.5}, {false, " 2", 2}, {true, " 1,5 ", 1.5}, {true, "2 ", 2}, {true, " 1.5", 0}} {
		o := Defaults(CSV)
		o.Columns, o.WeightField, o.Delimiter = []string{"label", "w", "x"}, "w", ";"
		if c.comma {
			o.Decimal = "comma"
		}
		var e Example
		decoder(t, o).Decode(&Record{Value: []byte("1;" + c.cell + ";1")}, nil, &e)
		if (e.reason() == OK) != (c.want > 0) || c.want > 0 && e.Weight != c.want {
			t.Errorf("%q, comma %v: %g, %q", c.cell, c.comma, e.Weight, e.text())
		}
	}
}

// TestBlankLabel: a text without content is no label and no weight, in json as in a table.
func TestBlankLabel(t *testing.T) {
	for _, set := range []func(o *Options){func(*Options) {}, func(o *Options) { o.Task = Multiclass },
		func(o *Options) { o.Positive = "a" }, func(o *Options) { o.LabelNames = []string{"b", "a"} }} {
		for _, format := range []string{JSON, CSV} {
			o := Defaults(format)
			o.WeightField = "weight"
			events := []string{`{"label":"","weight":"","x":1}`, `{"label":" \u0020","x":2}`, `{"label":null,"x":3}`}
			if set(&o); format == CSV {
				o.Columns = []string{"label", "weight", "x"}
				events = []string{`"","",1`, `"  ",,2`, ` ,,3`}
			}
			d := decoder(t, o)
			for range 3 {
				for _, event := range events {
					e := decoded(d, event)
					if e.reason() != OK || e.Label != 0 || e.Class != nil || e.Family != Unlabelled || e.Weight != 1 {
						t.Errorf("%s: %q, label %d, class %q, weight %g", event, e.text(), e.Label, e.Class, e.Weight)
					}
				}
			}
		}
	}
}

// TestErrorsNameTheSetting: who reads why a label or a weight is rejected learns which setting says where it is.
func TestErrorsNameTheSetting(t *testing.T) {
	events := Defaults(JSON)
	events.LabelField, events.WeightField = "verdict", "amount"
	named := events
	named.LabelNames = []string{"fine", "fraud"}
	classes := events
	classes.Task = Multiclass
	for _, c := range []struct {
		o      Options
		labels bool
		value  string
		want   string
	}{
		{events, false, `{"verdict":"maybe"}`,
			" (--label-field verdict); other labels need names (--positive, --label-names)"},
		{events, false, `{"verdict":[1]}`, " (--label-field verdict)"},
		{events, false, `{"verdict":1,"amount":-2}`, " (--weight-field amount)"},
		{events, false, `{"verdict":1,"amount":"x"}`, " (--weight-field amount)"},
		{events, false, `{"verdict":1,"amount":[1]}`, " (--weight-field amount)"},
		{events, false, `{"verdict":1,"amount":1e31}`, " (--weight-field amount)"},
		{named, false, `{"verdict":"maybe"}`, `which --label-names says (--label-field verdict)`},
		{classes, false, `{"verdict":"` + strings.Repeat("x", 2000) + `"}`, " (--label-field verdict)"},
		{named, true, `{"id":1,"verdict":"maybe"}`, `which --label-names says (--labels-label-field verdict)`},
		{events, true, `{"id":1}`, "no label (verdict)"},
		{events, true, `{"id":1,"verdict":1,"amount":-2}`, " (--labels-weight-field amount)"},
		{Defaults(LIBSVM), false, `maybe 1:2`, "the label \"maybe\" is none of 1, -1, 0, true and false; other"},
	} {
		d, err := New(c.o)
		if c.labels {
			d, err = NewLabels(c.o, false)
		}
		if err != nil {
			t.Fatal(err)
		}
		var e Example
		d.Decode(&Record{Value: []byte(c.value)}, nil, &e)
		if e.Rejected == nil || !strings.Contains(e.Rejected.Text, c.want) {
			t.Errorf("%.60s: %v, want %q", c.value, e.Rejected, c.want)
		}
	}
	if _, err := PlusMinus.Join(ZeroOne); err == nil || !strings.Contains(err.Text, "--label-names") {
		t.Errorf("labels of two kinds: %v", err)
	}
}
