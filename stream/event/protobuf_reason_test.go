package event

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"rosenblatt/stream/protobuf"
	"rosenblatt/stream/schema"
)

// tagged is a value of protobuf behind its tag: an integer, a number or bytes.
func tagged(number protowire.Number, v any) string {
	switch v := v.(type) {
	case int:
		return string(protowire.AppendVarint(protowire.AppendTag(nil, number, protowire.VarintType), uint64(v)))
	case float64:
		return string(binary.LittleEndian.AppendUint64(protowire.AppendTag(nil, number, protowire.Fixed64Type),
			math.Float64bits(v)))
	}
	return string(protowire.AppendString(protowire.AppendTag(nil, number, protowire.BytesType), v.(string)))
}

const reasonProto = `syntax = "proto3"; import "google/protobuf/any.proto"; import "google/protobuf/struct.proto";
	message E { double x = 1; string s = 2; E e = 3; repeated int32 l = 4; map<string, int64> m = 5;
	google.protobuf.Any any = 6; E id = 7; oneof o { E one = 8; int32 other = 9; } google.protobuf.Value v = 10;
	int32 label = 11; map<int32, E> f = 12; }`

// TestProtobufReasons has an event for each fault of the bytes, with the offset that its error has.
func TestProtobufReasons(t *testing.T) {
	x := tagged(1, 1.5)
	structs := tagged(5, tagged(1, tagged(2, tagged(5, tagged(1, tagged(2, tagged(5, "")))))))
	lists := tagged(6, tagged(1, tagged(6, tagged(1, tagged(6, tagged(1, tagged(6, "")))))))
	deep := tagged(3, tagged(3, tagged(3, tagged(3, x))))
	for _, c := range []struct {
		value  string
		ignore string
		reason Reason
		offset int
		text   string
	}{
		{"", "", OK, 0, ""},
		{x + tagged(2, "é"), "", OK, 0, ""},
		{x + "\x12", "", Syntax, 10, "a number is not complete"},
		{x + "\x12\x05ab", "", Syntax, 10, "a length of 5 bytes, but 2 are left"},
		{x + "\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "", Syntax, 10, "a length of 18446744073709551615 bytes"},
		{x + "\x58\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", "", Syntax, 10, "more than 64 bits"},
		{x[:5], "", Syntax, 1, "8 bytes are expected, but 4 are left"},
		{x + "\x25\x00\x00", "", Syntax, 10, "4 bytes are expected, but 2 are left"}, // a type that l does not have
		{x + "\x00", "", Syntax, 9, "field 0"},
		{x + "\x0e", "", Syntax, 9, "wire type 6"},
		{x + "\x80\x80\x80\x80\x10\x00", "", Syntax, 9, "field 536870912"},
		{x + "\x0c", "", Syntax, 10, "the end of a group 1"},
		{x + "\xa3\x01\xa4\x01", "", OK, 0, ""}, // an unknown group
		{x + "\xa3\x01\xab\x01\xa4\x01", "", Syntax, 13, "the end of a group 20 within the group 21"},
		{x + "\xa3\x01", "", Syntax, 11, "a number is not complete"},
		{x + tagged(2, "a\xff"), "", Encoding, 12, `"\xff" is not UTF-8`},
		{x + tagged(2, "a\xff"), "s", OK, 0, ""},
		{x + tagged(5, "\x0a\x01\xff"), "", Encoding, 13, "is not UTF-8"},
		{x + tagged(5, "\x0a\x01\xff"), "m", OK, 0, ""},
		{x + tagged(6, tagged(1, "\xff")), "", OK, 0, ""},
		{x + tagged(6, "\x0a\x05a"), "", Syntax, 12, "a length of 5 bytes"}, // it has to be well formed all the same
		{x + tagged(2, "\xff") + "\x12", "", Encoding, 11, ""},              // the first counts
		{x + "\x12\x7f" + tagged(2, "\xff"), "", Syntax, 10, ""},
		{x + deep, "", TooDeep, 16, "nested deeper than 4"},
		{x + deep, "e", TooDeep, 16, "nested deeper than 4"},
		{x + deep[:len(deep)-1], "", Syntax, 10, "a length"},
		{x + tagged(3, tagged(3, tagged(3, tagged(4, "\x01\x02")))), "", TooDeep, 16, "nested deeper than 4"},
		{x + tagged(3, tagged(3, tagged(3, tagged(4, "")))), "", OK, 0, ""}, // there is no element
		{x + tagged(3, tagged(3, tagged(12, ""))), "", TooDeep, 14, "nested deeper than 4"},
		{x + tagged(3, tagged(3, tagged(8, deep)+tagged(9, 1))), "", OK, 0, ""}, // another one takes its place
		{x + tagged(10, structs), "", OK, 0, ""},
		{x + tagged(10, lists), "", TooDeep, 24, "nested deeper than 4"},
		{x + tagged(7, ""), "", Syntax, 10, "the id is not a string"},
		{x + tagged(7, "") + "\x12", "", Syntax, 10, "the id is not a string"},
		{x + tagged(2, "\xff") + tagged(7, ""), "", Encoding, 11, ""},
		{tagged(1, math.NaN()), "", NotFinite, 1, `the value of "x" is not finite: "NaN"`},
		{x + tagged(11, 5), "", BadLabel, -1, "5"},
	} {
		o := Defaults(JSON)
		if o.MaxDepth = 4; c.ignore != "" {
			o.Ignore = []string{c.ignore}
		}
		o, _ = protoOptions(t, o, reasonProto)
		d := decoder(t, o)
		for range 2 {
			e := decoded(d, c.value)
			if e.reason() != c.reason || c.reason != OK && (e.Rejected.Offset != c.offset ||
				!strings.Contains(e.text(), c.text)) {
				t.Errorf("%x: %v %s, want %v at %d: %s", c.value, e.reason(), e.text(), c.reason, c.offset, c.text)
			}
		}
	}
	o, _ := protoOptions(t, Defaults(JSON), reasonProto)
	d := decoder(t, o)
	var e Example
	if d.Decode(&Record{}, nil, &e); e.reason() != Empty {
		t.Errorf("null: %v", e.reason())
	}
	// Circles without an object do not exhaust the stack.
	circle := `syntax = "proto3"; message E { int32 label = 1; google.protobuf.Any a = 2; }`
	file := `syntax = "proto3"; package google.protobuf; message Any { Any any = 1; }`
	text, err := protobuf.Normalize(strings.Replace(circle, ";", `; import "google/protobuf/any.proto";`, 1),
		protobuf.Import{Path: "google/protobuf/any.proto", Text: file})
	if err != nil {
		t.Fatal(err)
	}
	o.Schema = text
	nested := ""
	for range 40_000 {
		nested = string(protowire.AppendVarint([]byte{0x0a}, uint64(len(nested)))) + nested
		if len(nested) > 800_000 {
			break
		}
	}
	if e := decoded(decoder(t, o), tagged(2, nested)); e.reason() != Syntax ||
		!strings.Contains(e.text(), "messages within each other") {
		t.Errorf("a circle: %v %s", e.reason(), e.text())
	}
	groups := strings.Repeat("\xa3\x01", 500_000)
	if e := decoded(d, groups); e.reason() != Syntax || !strings.Contains(e.text(), "groups within each other") {
		t.Errorf("groups: %v %s", e.reason(), e.text())
	}
}

// TestProtobufTags: a field with a number whose tag has three bytes is none with the first two of them, and a value of
// another type than the field has is none of its elements.
func TestProtobufTags(t *testing.T) {
	o, _ := protoOptions(t, Defaults(JSON), `syntax = "proto3"; message E { string id = 4000; double x = 5000; }`)
	d := decoder(t, o)
	for range 2 {
		if e := decoded(d, "\x82\xfa\x01\x05"); e.reason() != Syntax {
			t.Errorf("%v %s, %q", e.reason(), e.text(), e.ID)
		}
		if e := decoded(d, tagged(4000, "e1")+tagged(5000, 2.0)); e.reason() != OK || string(e.ID) != "e1" {
			t.Errorf("%v %s, %q", e.reason(), e.text(), e.ID)
		}
	}
	o, _ = protoOptions(t, Defaults(JSON), `syntax = "proto3"; message E { repeated int32 c = 1; double x = 2; }`)
	if e := decoded(decoder(t, o), tagged(1, 5)+"\x0c\x00"); e.reason() != Syntax {
		t.Errorf("%v %s", e.reason(), e.text())
	}
}

var protoSchemas = schemaMap{
	1: {Type: schema.Protobuf, Text: `syntax = "proto3"; import "b.proto"; message A { int32 label = 1; B b = 2;
		message In { string s = 1; } } message C { double x = 3; }`,
		References: []schema.Reference{{Name: "b.proto", Text: `syntax = "proto3"; message B { float y = 1; }`}}},
	7: avroSchema(`{"type":"record","name":"e","fields":[]}`),
	8: {Type: schema.Protobuf, Text: `message A {`},
	9: {Type: schema.Protobuf, Text: `syntax = "proto3"; import "google/protobuf/timestamp.proto";`},
}

// TestProtobufFrames: the message is the one at the place that the frame names, in the value or in a header.
func TestProtobufFrames(t *testing.T) {
	o := Defaults(Protobuf)
	o.Schemas = protoSchemas
	d := decoder(t, o)
	header := func(frame string) []byte {
		b := append([]byte{2, 34}, schema.Header...)
		return append(binary.AppendVarint(b, int64(len(frame))), frame...)
	}
	a, c := tagged(1, 1)+tagged(2, "\x0d\x00\x00\x80\x3f"), tagged(3, 2.0)
	for range 3 {
		for _, e := range []struct {
			value, header string
			form          string
			reason        Reason
			text          string
		}{
			{framed(1, "\x00"+a), "", `{"label":1,"b":{"y":1}}`, OK, ""},
			{framed(1, "\x02\x00"+a), "", `{"label":1,"b":{"y":1}}`, OK, ""},
			{framed(1, "\x02\x02"+c), "", `{"x":2}`, OK, ""},
			{framed(1, "\x04\x00\x00"+tagged(1, "w")), "", `{"s":"w"}`, OK, ""},
			{c, framed(1, "\x02\x02"), `{"x":2}`, OK, ""},
			{"", framed(1, "\x02\x02"), `{"x":0}`, OK, ""},
			{framed(1, "\x02\x02"), "", `{"x":0}`, OK, ""},
			{"", "", "", Empty, "no bytes"},
			{framed(1, "\x02\x04"+c), "", "", Frame, "schema 1 has no message at the place [2]"},
			{framed(1, "\x04\x00\x02"), "", "", Frame, "schema 1 has no message at the place [0 1]"},
			{framed(1, "\x02\x01"), "", "", Frame, "a message index is -1"},
			{framed(1, ""), "", "", Frame, "cut off"},
			{framed(1, "\x42"+strings.Repeat("\x00", 40)), "", "", Frame, "33 message indexes"},
			{`{"x":1}`, "", "", Frame, "--format json"},
			{framed(5, "\x00"), "", "", UnknownSchema, "does not know schema 5"},
			{framed(7, "\x00"), "", "", BadSchema, "schema 7: it is of type AVRO, and --format is protobuf"},
			{framed(8, "\x00"), "", "", BadSchema, "schema 8: line 1:12: syntax error"},
			{framed(9, "\x00"), "", "", Frame, "schema 9 has no message at the place [0]"},
			{framed(1, "\x02\x02\x1d"), "", "", Syntax, "; schema 1"},
		} {
			r := &Record{Value: []byte(e.value)}
			if e.header != "" {
				r.Headers = header(e.header)
			}
			var got Example
			d.Decode(r, nil, &got)
			if got.reason() != e.reason && (e.reason != OK || got.reason() != NoFeatures) ||
				e.reason != OK && !strings.Contains(got.text(), e.text) {
				t.Errorf("%q: %v %s, want %v %s", e.value, got.reason(), got.text(), e.reason, e.text)
			}
			if form, _ := d.JSONForm(nil, r); string(form) != e.form {
				t.Errorf("%q: %s, want %s", e.value, form, e.form)
			}
		}
	}
}
