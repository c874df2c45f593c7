package avro

import (
	"strings"
	"testing"
)

// TestCompile: references, names that are relative to a namespace, and a type that is used before it is defined.
func TestCompile(t *testing.T) {
	address := `{"type":"record","name":"Address","namespace":"com.x","fields":[{"name":"zip","type":"string"},` +
		`{"name":"kind","type":{"type":"enum","name":"Kind","symbols":["home","to-do"]}}]}`
	top, err := Compile(`{"type":"record","name":"com.x.Person","fields":[{"name":"first-name","type":"string"},
		{"name":"home","type":"Address"},{"name":"kind","type":"com.x.Kind"},{"name":"next","type":["null","Person"]},
		{"name":"later","type":"Later"},{"name":"def","type":{"type":"fixed","name":"Later","size":3}}]}`, address)
	if err != nil {
		t.Fatal(err)
	}
	field := func(i int) *Type { return top.Fields[i].Type }
	if field(1).Name != "com.x.Address" || field(1).Fields[1].Type != field(2) || field(3).Types[1] != top ||
		field(4) != field(5) || field(4).Size != 3 {
		t.Errorf("%+v", top)
	}
}

// TestCompileMeaning: a logical type counts if it suits its type, and the name that Connect gives a type if it has no
// logical one. Defaults and decimals that are none do not make a schema unusable.
func TestCompileMeaning(t *testing.T) {
	for _, c := range []struct {
		text string
		want Type
	}{
		{`{"type":"int","logicalType":"date"}`, Type{Kind: Int, Clock: Date, Divisor: 1}},
		{`{"type":"long","logicalType":"date"}`, Type{Kind: Long, Divisor: 1}},
		{`{"type":"int","logicalType":"time-millis"}`, Type{Kind: Int, Clock: Time, Divisor: 1}},
		{`{"type":"long","logicalType":"time-micros"}`, Type{Kind: Long, Clock: Time, Divisor: 1e3}},
		{`{"type":"long","logicalType":"timestamp-nanos"}`, Type{Kind: Long, Clock: Moment, Divisor: 1e6}},
		{`{"type":"int","logicalType":"timestamp-millis"}`, Type{Kind: Int, Divisor: 1}},
		{`{"type":"long","logicalType":"made-up"}`, Type{Kind: Long, Divisor: 1}},
		{`{"type":"string","logicalType":"uuid"}`, Type{Kind: String, Divisor: 1}},
		{`{"type":"bytes","logicalType":"uuid"}`, Type{Kind: Bytes, Divisor: 1, Absent: true}},
		{`{"type":"bytes","logicalType":"big-decimal"}`, Type{Kind: Bytes, Divisor: 1, Absent: true}},
		{`{"type":"fixed","name":"F","size":16,"logicalType":"uuid"}`, Type{Kind: UUID, Divisor: 1}},
		{`{"type":"fixed","name":"F","size":12,"logicalType":"duration"}`,
			Type{Kind: Fixed, Divisor: 1, Absent: true}},
		{`{"type":"bytes","logicalType":"decimal","precision":4,"scale":2}`,
			Type{Kind: Decimal, Scale: 2, Divisor: 1}},
		{`{"type":"bytes","logicalType":"decimal","precision":4,"scale":9}`,
			Type{Kind: Bytes, Divisor: 1, Absent: true}},
		{`{"type":"bytes","logicalType":"decimal","precision":"4"}`, Type{Kind: Bytes, Divisor: 1, Absent: true}},
		{`{"type":"fixed","name":"F","size":2,"logicalType":"decimal","precision":4}`,
			Type{Kind: Decimal, Divisor: 1}},
		{`{"type":"fixed","name":"F","size":2,"logicalType":"decimal","precision":5}`,
			Type{Kind: Fixed, Divisor: 1, Absent: true}},
		{`{"type":"long","connect.name":"io.debezium.time.MicroTimestamp"}`,
			Type{Kind: Long, Clock: Moment, Divisor: 1e3}},
		{`{"type":"long","logicalType":"what","connect.name":"io.debezium.time.MicroTimestamp"}`,
			Type{Kind: Long, Divisor: 1}},
		{`{"type":"string","connect.name":"io.debezium.time.Date"}`, Type{Kind: String, Divisor: 1}},
		{`{"type":"array","items":{"type":"array","items":"bytes"}}`, Type{Kind: Array, Divisor: 1, Absent: true}},
	} {
		top, err := Compile(`{"type":"record","name":"R","fields":[{"name":"f","type":` + c.text + `,"default":{}}]}`)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		got, want := top.Fields[0].Type, c.want
		if got.Kind != want.Kind || got.Clock != want.Clock || got.Divisor != want.Divisor ||
			got.Scale != want.Scale || got.Absent != want.Absent {
			t.Errorf("%s: %+v, want %+v", c.text, got, want)
		}
	}
}

func TestCompileRefuses(t *testing.T) {
	for _, c := range [][2]string{
		{`"string"`, "the schema is of string: an event is a record or a map"},
		{`int`, "the schema is of int"},
		{`{"type":"array","items":"int"}`, "the schema is of array"},
		{`["null","string"]`, "the schema is of union"},
		{`{"type":"record"`, "the schema is no JSON"},
		{`{"type":"map","values":"int"} 1`, "something behind its end"},
		{`{"type":"record","name":"R","fields":[{"name":"f","type":"Other"}]}`, "Other"},
		{`{"type":"record","name":"R","fields":[{"name":"f","type":"int"},{"name":"f","type":"int"}]}`, "duplicate"},
	} {
		if _, err := Compile(c[0]); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: %v, want %s", c[0], err, c[1])
		}
	}
	if _, err := Compile(`["null",{"type":"map","values":"int"}]`); err != nil {
		t.Error(err)
	}
}

// TestNormalize: what does not count makes no other schema.
func TestNormalize(t *testing.T) {
	a, err1 := Normalize(`{"type":"record","name":"R","doc":"x","fields":[
		{"name":"f","type":["null","int"],"default":null}]}`)
	b, err2 := Normalize(`{ "name": "R", "type": "record",
		"fields": [ { "type": [ "null", "int" ], "name": "f", "order": "ignore" } ], "aliases": [ "Q" ] }`)
	if a != b || err1 != nil || err2 != nil {
		t.Errorf("%s\n%s", a, b)
	}
}
