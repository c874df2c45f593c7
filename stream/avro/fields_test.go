package avro

import (
	"fmt"
	"testing"
)

// TestFields: what of a schema makes features, what never does, and what rejects events.
func TestFields(t *testing.T) {
	top, err := Compile(`{"type":"record","name":"E","fields":[
		{"name":"x","type":["null","double"]},
		{"name":"raw","type":["null","bytes"]},
		{"name":"nothing","type":"null"},
		{"name":"user","type":{"type":"record","name":"U","fields":[
			{"name":"age","type":"int"},{"name":"friend","type":["null","U"]},{"name":"home","type":["null","E"]}]}},
		{"name":"m","type":{"type":"map","values":["string","long"]}},
		{"name":"tags","type":{"type":"array","items":"string"}},
		{"name":"items","type":{"type":"array","items":"U"}},
		{"name":"some","type":["null",{"type":"array","items":["null","string"]}]},
		{"name":"bits","type":{"type":"array","items":["null","boolean"]}},
		{"name":"blobs","type":{"type":"array","items":"bytes"}}]}`)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, f := range Fields(top) {
		got += fmt.Sprint(f.Path, " ", f.Use, ", ")
	}
	want := "x 0, raw 1, nothing 1, user.age 0, m.* 0, tags 0, items 2, some 3, bits 2, blobs 1, "
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	const said = "5 fields can make features; never: raw, nothing, blobs; arrays that reject events: items, bits" +
		"; arrays that reject events where null is in them: some"
	if got := Summary(Fields(top)); got != said {
		t.Error(got)
	}
}
