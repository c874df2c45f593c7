package event

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
)

// multi is the options of a format for several classes.
func multi(format string) Options {
	o := Defaults(format)
	o.Task = Multiclass
	if format == CSV {
		o.Columns = []string{"label", "x"}
	}
	return o
}

func TestClasses(t *testing.T) {
	for _, c := range []struct{ format, event, class, spelled string }{
		{JSON, `{"label":"setosa","x":1}`, `setosa`, `"setosa"`},
		{JSON, `{"label":7,"x":1}`, `7`, `7`},
		{JSON, `{"label":7.0,"x":1}`, `7.0`, `7.0`},
		{JSON, `{"label":-1e3,"x":1}`, `-1e3`, `-1e3`},
		{JSON, `{"label":true,"x":1}`, `true`, `true`},
		{JSON, `{"label":"true","x":1}`, `"true"`, `"true"`},
		{JSON, `{"label":"7","x":1}`, `"7"`, `"7"`},
		{JSON, `{"label":"\u0037","x":1}`, `"7"`, `"7"`},
		{JSON, `{"label":"+7","x":1}`, `+7`, `"+7"`},
		{JSON, `{"label":"\"7\"","x":1}`, `"\"7\""`, `"\"7\""`},
		{JSON, `{"label":"a\tb\u00e9","x":1}`, "a\tbé", `"a\tbé"`},
		{JSON, `{"label":"null","x":1}`, `null`, `"null"`},
		{LIBSVM, `3 x:1`, `3`, `3`},
		{LIBSVM, `+3 x:1`, `+3`, `"+3"`},
		{LIBSVM, `"3" x:1`, `"\"3\""`, `"\"3\""`},
		{VW, `2 1.5 |x y`, `2`, `2`},
		{VW, `cat |x y`, `cat`, `"cat"`},
		{CSV, `dog,1`, `dog`, `"dog"`},
		{CSV, ` 1.0 ,1`, `1.0`, `1.0`},
		{CSV, `"a ""b""",1`, `a "b"`, `"a \"b\""`},
		{CSV, `"""b""",1`, `"\"b\""`, `"\"b\""`},
	} {
		e := decoded(decoder(t, multi(c.format)), c.event)
		if e.reason() != OK || string(e.Class) != c.class || e.Family != Named || e.Label != 0 {
			t.Errorf("%s: %q %q, class %q, family %d", c.event, e.reason(), e.text(), e.Class, e.Family)
		}
		if got := string(AppendClass(nil, string(e.Class))); got != c.spelled || !json.Valid([]byte(got)) {
			t.Errorf("%s: spelled %s, want %s", c.event, got, c.spelled)
		}
	}
}

func TestLabelsThatAreNoClass(t *testing.T) {
	for _, event := range []string{`{"label":[1],"x":1}`, `{"label":{"a":1},"x":1}`, `{"label":"` +
		strings.Repeat("a", 257) + `","x":1}`} {
		if e := decoded(decoder(t, multi(JSON)), event); e.reason() != BadLabel || e.Class != nil {
			t.Errorf("%s: %q, %q", event, e.reason(), e.Class)
		}
	}
	for _, row := range []struct{ format, event string }{{JSON, `{"label":null,"x":1}`}, {JSON, `{"x":1}`}, {CSV, `,1`},
		{LIBSVM, `x:1`}, {VW, `|x y`}} {
		if e := decoded(decoder(t, multi(row.format)), row.event); e.reason() != OK || e.Class != nil ||
			e.Family != Unlabelled {
			t.Errorf("%s: %q, %q", row.event, e.reason(), e.Class)
		}
	}
	if e := decoded(decoder(t, multi(JSON)), `{"label":"a","label":"b","x":1}`); e.reason() != DuplicateField ||
		e.Class != nil {
		t.Errorf("a rejected event keeps its class %q", e.Class)
	}
}

// TestClassesOfAChunk decodes with one decoder what stays in memory until all of it is learned.
func TestClassesOfAChunk(t *testing.T) {
	for format, events := range map[string][]string{
		JSON: {`{"label":"a\nb","x":"c\nd"}`, `{"label":"e\nf","x":"\tg"}`, `{"label":"plain","x":1}`,
			`{"label":"\u0031","x":"\u0032"}`},
		CSV: {`"a ""b""",1`, `"c ""d""","x ""y"""`, `"""e""",2`, `f,"g ""h"""`},
	} {
		d := decoder(t, multi(format))
		var kept []Example
		var want []string
		for _, event := range events {
			kept = append(kept, decoded(d, event))
			want = append(want, string(kept[len(kept)-1].Class))
		}
		for i := range kept {
			if string(kept[i].Class) != want[i] {
				t.Errorf("%s: event %d: class %q became %q", format, i, want[i], kept[i].Class)
			}
		}
	}
}

// TestEveryTokenIsItsOwnClass: what JSON tells apart are other classes, and each is spelled as the same JSON value
// again.
func TestEveryTokenIsItsOwnClass(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	pieces := []string{`"`, `\`, "1", "-", ".", "0", "e", "true", "false", "null", "a", "é", "\n", " "}
	seen := map[string]string{}
	d := decoder(t, multi(JSON))
	for range 3000 {
		var text string
		for range r.IntN(4) {
			text += pieces[r.IntN(len(pieces))]
		}
		token, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		if json.Valid([]byte(text)) && r.IntN(2) == 0 && text[0] != '"' && strings.TrimSpace(text) == text &&
			text != "null" {
			token = []byte(text)
		}
		if strings.Trim(text, " ") == "" {
			continue // no label
		}
		e := decoded(d, `{"x":1,"label":`+string(token)+`}`)
		if e.reason() != OK || e.Class == nil {
			t.Fatalf("%s: %q", token, e.reason())
		}
		if other, there := seen[string(e.Class)]; there && other != string(token) {
			t.Fatalf("%s and %s are the same class %q", token, other, e.Class)
		}
		seen[string(e.Class)] = string(token)
		var a, b any
		first := json.NewDecoder(bytes.NewReader(token))
		second := json.NewDecoder(bytes.NewReader(AppendClass(nil, string(e.Class))))
		first.UseNumber()
		second.UseNumber()
		if first.Decode(&a) != nil || second.Decode(&b) != nil || a != b {
			t.Fatalf("%s is spelled %s", token, AppendClass(nil, string(e.Class)))
		}
	}
}

func TestTask(t *testing.T) {
	for _, c := range []struct {
		change func(*Options)
		want   string
	}{
		{func(o *Options) { o.Task = Binary }, ""},
		{func(o *Options) { o.Task = Multiclass }, ""},
		{func(o *Options) { o.Task = "ranking" }, `task "ranking": want binary or multiclass`},
		{func(o *Options) { o.Task, o.Positive = Multiclass, "UP" }, "leave out"},
		{func(o *Options) { o.Task, o.LabelNames = Multiclass, []string{"a", "b"} }, "leave out"},
	} {
		o := Defaults(JSON)
		c.change(&o)
		if err := o.Validate(); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", o, err, c.want)
		}
	}
	if text, err := json.Marshal(Defaults(JSON)); err != nil || bytes.Contains(text, []byte("task")) {
		t.Errorf("%s, %v: what is saved of a binary task is as ever", text, err)
	}
}
