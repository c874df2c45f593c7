package event

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"reflect"
	"testing"
)

// TestAvroRows: values that fastavro wrote have the JSON forms that a program in Python gives them.
func TestAvroRows(t *testing.T) {
	text, err := os.ReadFile("testdata/avro.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows struct {
		Schema json.RawMessage
		Values []struct {
			Value string
			Form  json.RawMessage
		}
	}
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	o := Defaults(Avro)
	o.Schema = string(rows.Schema)
	d := decoder(t, o)
	for _, row := range rows.Values {
		value, err := hex.DecodeString(row.Value)
		if err != nil {
			t.Fatal(err)
		}
		form, ok := d.JSONForm(nil, &Record{Value: value})
		if got, want := numbersOf(t, form), numbersOf(t, row.Form); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%x\n%s\nwant %s", value, form, row.Form)
		}
	}
}

// numbersOf reads JSON. Numbers are what they are however they are written; order does not count.
func numbersOf(t *testing.T, text []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}
