package event

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"rosenblatt/stream/schema"
)

// schemaMap has schemas under numbers, in place of a registry.
type schemaMap map[uint32]*schema.Schema

func (k schemaMap) Lookup(id schema.ID, _ schema.Place) *schema.Schema {
	if id.HasGUID {
		return k[uint32(id.GUID[15])]
	}
	return k[id.Number]
}

func avroSchema(text string, references ...string) *schema.Schema {
	s := &schema.Schema{Type: schema.Avro, Text: text}
	for _, r := range references {
		s.References = append(s.References, schema.Reference{Name: "r", Subject: "s", Version: 1, Text: r})
	}
	return s
}

// namedOptions are those of events that name schemas.
func namedOptions(k schemaMap) Options {
	o := Defaults(Avro)
	o.Schemas = k
	return o
}

func framed(id uint32, data string) string {
	return string(binary.BigEndian.AppendUint32([]byte{0}, id)) + data
}

var evolving = schemaMap{
	1: avroSchema(`{"type":"record","name":"e","fields":[{"name":"x","type":"double"},{"name":"label","type":"int"}]}`),
	2: avroSchema(`{"type":"record","name":"e","fields":[{"name":"label","type":"int"},{"name":"m","type":"string"},` +
		`{"name":"x","type":"int"}]}`),
	3: avroSchema(`{"type":"record","name":"f","fields":[{"name":"at","type":"s"},`+
		`{"name":"label","type":["null","int"]}]}`,
		`{"type":"record","name":"s","fields":[{"name":"y","type":"long"}]}`),
	7:  {Type: schema.Protobuf, Text: `message m {}`},
	8:  avroSchema(`{"type":"record"}`),
	9:  avroSchema(`"string"`),
	10: {Type: schema.Avro, Text: `{"type":"record","name":"e","fields":[]}`, Fault: "it refers to what is missing"},
}

// evolved are events of several schemas in one topic, and what they are in json.
var evolved = []struct{ value, form string }{
	{framed(1, "\x00\x00\x00\x00\x00\x00\xf8\x3f\x02"), `{"x":1.5,"label":1}`},
	{framed(2, "\x01\x06vic\x08"), `{"label":-1,"m":"vic","x":4}`},
	{framed(3, "\x0e\x02\x02"), `{"at":{"y":7},"label":1}`},
	{framed(3, "\x0e\x00"), `{"at":{"y":7},"label":null}`},
}

// TestNamedSchemas: each event is read with the schema that it names, whatever came before, and is what its JSON form
// is.
func TestNamedSchemas(t *testing.T) {
	d, inJSON := decoder(t, namedOptions(evolving)), decoder(t, Defaults(JSON))
	for i := range 200 {
		c := evolved[i*i/3%len(evolved)]
		var e Example
		arena := d.Decode(&Record{Value: []byte(c.value)}, nil, &e)
		want := decoded(inJSON, c.form)
		got, wanted := walked(d, c.value), walked(inJSON, c.form)
		if e.Rejected != nil || e.Label != want.Label || fmt.Sprint(got) != fmt.Sprint(wanted) ||
			len(arena) != len(got) {
			t.Fatalf("%d, %s: %v, %v, want %v", i, c.form, e.Rejected, got, wanted)
		}
		if form, ok := d.JSONForm(nil, &Record{Value: []byte(c.value)}); !ok || string(form) != c.form {
			t.Fatalf("%s, want %s", form, c.form)
		}
	}
	data := []byte(evolved[0].value[5:])
	inHeader := append([]byte("\x02\x22"+schema.Header+"\x22\x01"), make([]byte, 16)...)
	inHeader[len(inHeader)-1] = 1
	var e Example
	if arena := d.Decode(&Record{Value: data, Headers: inHeader}, nil, &e); e.Rejected != nil || len(arena) != 1 {
		t.Errorf("%v, %v", e.Rejected, arena)
	}
}

// TestNamedReasons: what is wrong with the frame or the schema comes before what is wrong with the data.
func TestNamedReasons(t *testing.T) {
	o := namedOptions(evolving)
	o.MaxBytes = 40
	d := decoder(t, o)
	for range 2 {
		for _, c := range []struct {
			value  string
			reason Reason
			text   string
		}{
			{"", Empty, "no bytes"},
			{strings.Repeat("x", 41), TooLarge, "41 bytes"},
			{`{"x":1}`, Frame, "--format json"},
			{framed(1, "")[:4], Frame, "--schema"},
			{framed(99, "\x00"), UnknownSchema, "the registry does not know schema 99"},
			{framed(0, "\x00\x00\x00\x07data"), UnknownSchema, "eight bytes"},
			{framed(7, "\x00"), BadSchema, "schema 7: it is of type PROTOBUF"},
			{framed(8, "\x00"), BadSchema, "schema 8: "},
			{framed(9, "\x00"), BadSchema, "schema 9: "},
			{framed(10, "\x00"), BadSchema, "schema 10: it refers to what is missing"},
			{framed(1, "\x00"), Syntax, "; schema 1"},
			{framed(2, "\x01\x02\xff\x02"), Encoding, "; schema 2"},
			{framed(1, "\x00\x00\x00\x00\x00\x00\xf8\x3f\x06"), BadLabel, "; schema 1"},
			{evolved[0].value, OK, ""},
		} {
			e := decoded(d, c.value)
			if e.reason() != c.reason || c.reason != OK && !strings.Contains(e.text(), c.text) {
				t.Errorf("%q: %v: %s, want %v: %s", c.value, e.reason(), e.text(), c.reason, c.text)
			}
		}
	}
	if e := decoded(d, framed(1, "\x00\x00")); e.Rejected.Offset < 5 {
		t.Errorf("offset %d of the value", e.Rejected.Offset)
	}
	o.Schemas = nil
	if e := decoded(decoder(t, o), evolved[0].value); e.reason() != UnknownSchema {
		t.Error(e.reason())
	}
}

// TestNamedAllocates: events of several schemas in turn take no memory.
func TestNamedAllocates(t *testing.T) {
	d := decoder(t, namedOptions(evolving))
	var records []Record
	for range 20 {
		for _, c := range evolved {
			records = append(records, Record{Value: []byte(c.value)})
		}
	}
	var b Batch
	b.Decode(d, records)
	if n := testing.AllocsPerRun(20, func() { b.Decode(d, records) }); n > 0 {
		t.Errorf("%v allocations for %d events", n, len(records))
	}
}
