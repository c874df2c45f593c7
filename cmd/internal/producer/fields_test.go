package producer

import (
	"slices"
	"testing"

	"rosenblatt/cmd/internal/source"
	"rosenblatt/stream/event"
)

// TestFields: one field is read, set or removed, and the others stay as they are written.
func TestFields(t *testing.T) {
	for _, c := range []struct{ event, field, value, set, removed string }{
		{`{"id":"e1","label":-1,"x":1.50}`, "label", `-1`, `{"id":"e1","label":"new","x":1.50}`,
			`{"id":"e1","x":1.50}`},
		{` { "label" : 1 , "x" : 2 } `, "label", `1`, ` { "label" : "new" , "x" : 2 } `, ` {  "x" : 2 } `},
		{`{"x":2, "label":"a\"b" }`, "label", `"a\"b"`, `{"x":2, "label":"new" }`, `{"x":2 }`},
		{`{"label":true}`, "label", `true`, `{"label":"new"}`, `{}`},
		{`{"a":{"label":0},"m":{"b":[1],"label":[7]}}`, "m.label", `[7]`,
			`{"a":{"label":0},"m":{"b":[1],"label":"new"}}`, `{"a":{"label":0},"m":{"b":[1]}}`},
		{`{"m.label":3,"m":{}}`, "m.label", `3`, `{"m.label":"new","m":{}}`, `{"m":{}}`},
		{`{"label":null}`, "label", ``, `{"label":"new"}`, `{}`},
		{` { }`, "m.id", ``, ` {"m.id":"new" }`, ` { }`},
		{`{"x":1}`, "id", ``, `{"id":"new","x":1}`, `{"x":1}`},
		{`{"label":tr`, "label", ``, `{"label":"new","label":tr`, `{"label":tr`},
		{`{"x":tru`, "label", ``, `{"label":"new","x":tru`, `{"x":tru`},
	} {
		checkFields(t, func() fields { return openObject([]byte(c.event)) }, c.field, c.value, c.set, c.removed)
	}
	table := source.Table{Columns: []string{"id", "x", "label"}, Dialect: event.Dialect{Delimiter: ";"}}
	for _, c := range []struct {
		cells               []string
		value, set, removed string
	}{
		{[]string{"7", "a;b", "1"}, `1`, `7;"a;b";new`, `7;"a;b";`},
		{[]string{"7", "2"}, ``, `7;2;new`, `7;2`},
		{[]string{"7"}, ``, `7`, `7`},
		{[]string{"7", "2", " "}, ``, `7;2;new`, `7;2;`},
	} {
		checkFields(t, func() fields { return &row{table, slices.Clone(c.cells)} }, "label", c.value, c.set, c.removed)
	}
	for _, value := range []string{"", "7", "[{}]"} {
		if openObject([]byte(value)) != nil {
			t.Errorf("%q has fields", value)
		}
	}
}

func checkFields(t *testing.T, open func() fields, field, value, set, removed string) {
	t.Helper()
	f := open()
	if got := string(f.get(field)); got != value {
		t.Errorf("%s: %s is %q, want %q", f.bytes(), field, got, value)
	}
	if f.set(field, "new"); string(f.bytes()) != set {
		t.Errorf("%s: set: %s, want %s", open().bytes(), f.bytes(), set)
	}
	f = open()
	if f.remove(field); string(f.bytes()) != removed {
		t.Errorf("%s: removed: %s, want %s", open().bytes(), f.bytes(), removed)
	}
}
