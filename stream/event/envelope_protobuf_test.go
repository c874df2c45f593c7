package event

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"rosenblatt/stream/protobuf"
	"rosenblatt/stream/schema"
)

// protoEnvelope returns the schema of an envelope of Debezium around rows of a type, behind the text of a schema.
func protoEnvelope(text, row string) string {
	optional := ""
	if strings.Contains(text, "proto2") {
		optional = "optional "
	}
	return fmt.Sprintf("%s\nmessage Envelope { %[2]sstring before = 1; %[3]s after = 2; %[2]sstring source = 3;"+
		" %[2]sstring op = 4; %[2]sint64 ts_ms = 5; }\n", text, optional, row)
}

// inProtoEnvelope returns an envelope of a row, which may be written in several parts.
func inProtoEnvelope(op string, row ...[]byte) []byte {
	sized := func(b []byte, number int, text []byte) []byte {
		b = binary.AppendUvarint(b, uint64(number<<3|2))
		return append(binary.AppendUvarint(b, uint64(len(text))), text...)
	}
	b := sized(nil, 1, []byte("\xff")) // what is not read need not be UTF-8
	for _, part := range row {
		b = sized(b, 2, part)
	}
	return append(sized(sized(b, 3, []byte("mysql")), 4, []byte(op)), 5<<3, 7)
}

func ofEnvelope(t testing.TB, o Options, text string) Options {
	t.Helper()
	bundle, err := protobuf.Normalize(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	o.Format, o.Envelope, o.Schema, o.Message, o.Framed = Protobuf, Debezium, bundle, "Envelope", false
	return o
}

// TestDebeziumProtobufIsItsRow: an envelope in protobuf is decoded as the row in it is, also where that is written in
// two parts, and cut off it is rejected.
func TestDebeziumProtobufIsItsRow(t *testing.T) {
	read := 0
	for seed := range uint64(300) {
		random := &randomProto{Rand: rand.New(rand.NewPCG(seed, 76)), clock: true}
		all := avroFuzzOptions()
		o, text := all[random.IntN(len(all))], random.text()
		rowType := "E"
		if strings.Contains(text, "proto2") {
			rowType = "optional E"
		}
		plain, descriptor := protoOptions(t, o, text)
		alone, d := decoder(t, plain), decoder(t, ofEnvelope(t, o, protoEnvelope(text, rowType)))
		for range 10 {
			value, more := random.value([]byte{}, descriptor, 5), random.value([]byte{}, descriptor, 3)
			whole := inProtoEnvelope("u", value)
			for range 2 {
				agreeOpened(t, d, alone, &Record{Value: whole}, opened{event: value})
			}
			agreeOpened(t, d, alone, &Record{Value: inProtoEnvelope("r", value, more)},
				opened{event: append(slices.Clone(value), more...)})
			if decoded(d, string(whole)).Rejected == nil {
				read++
			}
			cut := whole[:len(whole)-3-random.IntN(len(value)+1)]
			if e := decoded(d, string(cut)); e.reason() != Syntax && e.reason() != Envelope {
				t.Fatalf("%q: %q %s", cut, e.reason(), e.text())
			}
		}
	}
	if read < 300 {
		t.Errorf("%d rows were read", read)
	}
}

const protoRow = `syntax = "proto3"; message Row { int32 x = 1; string w = 2; }`

// TestDebeziumProtobuf: which values are envelopes.
func TestDebeziumProtobuf(t *testing.T) {
	d := decoder(t, ofEnvelope(t, Defaults(Protobuf), protoEnvelope(protoRow, "Row")))
	row, none := []byte("\x08\x07\x12\x01a"), [][]byte(nil)
	for _, c := range []struct {
		op     string
		row    [][]byte
		reason Reason
		text   string
	}{
		{"c", [][]byte{row}, OK, ""}, {"r", [][]byte{row}, OK, ""}, {"u", [][]byte{{}}, OK, ""},
		{"u", [][]byte{{}, {}}, OK, ""}, {"d", none, Empty, "has no row"}, {"t", none, Empty, ""},
		{"m", none, Empty, ""}, {"d", [][]byte{row}, Empty, ""}, {"c", none, Envelope, "no object after"},
		{"x", [][]byte{row}, Envelope, "none of"}, {"", [][]byte{row}, Envelope, "neither op"},
		{"c", [][]byte{[]byte("\x12\x01\xff")}, Encoding, "offset 7"}, {"c", [][]byte{[]byte("\x12\x02a")}, Syntax, ""},
		{"c", [][]byte{row, []byte("\x12\x01\xff")}, Encoding, "not UTF-8"},
	} {
		for range 2 {
			value := inProtoEnvelope(c.op, c.row...)
			e := decoded(d, string(value))
			if e.reason() != c.reason || !strings.Contains(e.text(), c.text) {
				t.Errorf("%q %q: %q %s, want %q %s", c.op, c.row, e.reason(), e.text(), c.reason, c.text)
			}
		}
	}
	if e := decoded(d, ""); e.reason() != Envelope {
		t.Errorf("no bytes: %q %s", e.reason(), e.text())
	}
	o := ofEnvelope(t, Defaults(Protobuf), protoEnvelope(protoRow, "Row"))
	o.Message = "Row"
	if e := decoded(decoder(t, o), string(row)); e.reason() != Envelope || !strings.Contains(e.text(), "flattened") {
		t.Errorf("%q %s", e.reason(), e.text())
	}
}

// debeziumRows are rows of one table in the formats of Debezium: protobuf, avro and json.
func debeziumRows(x int64, w, inList, inMap string) (inProto, inAvro, inJSON []byte) {
	sized := func(b []byte, tag byte, text string) []byte {
		return append(append(b, tag<<3|2, byte(len(text))), text...)
	}
	p := sized(binary.AppendUvarint([]byte{1 << 3}, uint64(x)), 2, w)
	p = sized(sized(sized(p, 3, inList), 3, "z"), 4, string(sized(sized(nil, 1, "k"), 2, inMap)))
	a := avroText(append(avroText(binary.AppendVarint(nil, x), w), 4), inList)
	a = avroText(append(avroText(a, "z"), 0, 2), "k")
	a = append(avroText(a, inMap), 0)
	j := fmt.Appendf(nil, `{"op":"c","after":{"x":%d,"w":%q,"l":[%q,"z"],"m":{"k":%q}}}`, x, w, inList, inMap)
	return inProtoEnvelope("c", p), inAvroEnvelope(a, "c"), j
}

// TestDebeziumFormats: the same rows in protobuf, avro and json are the same examples, also where the database did not
// log a value.
func TestDebeziumFormats(t *testing.T) {
	const missing = "__debezium_unavailable_value"
	row := `syntax = "proto3"; message Row { int32 x = 1; string w = 2; repeated string l = 3; ` +
		`map<string, string> m = 4; }`
	avroRow := `{"type":"record","name":"Value","fields":[{"name":"x","type":"int"},{"name":"w","type":"string"},` +
		`{"name":"l","type":{"type":"array","items":"string"}},{"name":"m","type":{"type":"map","values":"string"}}]}`
	for _, o := range []Options{{}, {Categorical: []string{"x"}}, {Cross: []string{"x*w"}},
		{TextField: "w", NGrams: 2}} {
		with := Defaults(JSON)
		with.Categorical, with.Cross, with.TextField, with.NGrams = o.Categorical, o.Cross, o.TextField, o.NGrams
		inProto := decoder(t, ofEnvelope(t, with, protoEnvelope(row, "Row")))
		with.Envelope = Debezium
		inJSON := decoder(t, with)
		with.Format, with.Schema, with.Framed = Avro, avroEnvelope(avroRow), false
		inAvro := decoder(t, with)
		for range 3 {
			for i, w := range []string{"a b", missing, "b", missing, "a c"} {
				p, a, j := debeziumRows(int64(i), w, []string{missing, "q"}[i%2], []string{"v", missing, "v"}[i/2])
				var of, ofAvro, ofProto Example
				want := inJSON.Decode(&Record{Value: j}, nil, &of)
				got := inAvro.Decode(&Record{Value: a}, nil, &ofAvro)
				if of.Rejected != nil || !slices.Equal(got, want) {
					t.Fatalf("avro of %s: %v %s\nwant %v", j, got, of.text(), want)
				}
				if got := inProto.Decode(&Record{Value: p}, nil, &ofProto); !slices.Equal(got, want) {
					t.Fatalf("protobuf of %s: %v %s\nwant %v", j, got, ofProto.text(), want)
				}
				form, ok := inProto.JSONForm(nil, &Record{Value: p})
				if !ok || strings.Contains(string(form), missing) {
					t.Fatalf("%s", form)
				}
			}
		}
	}
}

// TestDebeziumProtobufMaps: a row may be a map, or a Struct.
func TestDebeziumProtobufMaps(t *testing.T) {
	double := "\x11\x00\x00\x00\x00\x00\x00\xf0\x3f"
	for _, c := range []struct{ of, row string }{
		{"map<string, double>", "\x0a\x01x" + double},
		{"google.protobuf.Struct", "\x0a\x0e\x0a\x01x\x12\x09" + double},
	} {
		text := protoEnvelope(`syntax = "proto3"; import "google/protobuf/struct.proto";`, c.of)
		d, alone := decoder(t, ofEnvelope(t, Defaults(Protobuf), text)), decoder(t, Defaults(JSON))
		for range 3 {
			agreeOpened(t, d, alone, &Record{Value: inProtoEnvelope("c", []byte(c.row))},
				opened{event: []byte(`{"x":1}`)})
		}
		if e := decoded(d, string(inProtoEnvelope("c"))); e.reason() != Envelope {
			t.Errorf("%s: %q %s", c.of, e.reason(), e.text())
		}
	}
}

// TestUseOfDebeziumProtobuf: what is said of a schema is about its rows.
func TestUseOfDebeziumProtobuf(t *testing.T) {
	o := Defaults(Protobuf)
	o.Envelope, o.LabelField, o.IDField = Debezium, "paid", ""
	text := `syntax = "proto3"; message Key { int32 id = 1; } message Envelope { message Value { int32 x = 1; ` +
		`bool paid = 2; } Value before = 1; Value after = 2; string op = 4; }`
	u := o.UseOf(&schema.Schema{Type: schema.Protobuf, Text: text}, false, false)
	if len(u.Lacks) != 0 || !strings.Contains(u.Summary, "1 field") || u.Fault != "" {
		t.Errorf("%+v", u)
	}
}

// TestDebeziumProtobufFrames: each event names the schema of its envelope, and the place of the message in it.
func TestDebeziumProtobufFrames(t *testing.T) {
	o := Defaults(Protobuf)
	o.Envelope = Debezium
	o.Schemas = schemaMap{
		1: {Type: schema.Protobuf, Text: protoEnvelope(protoRow, "Row")},
		2: {Type: schema.Protobuf, Text: strings.Replace(protoEnvelope(protoRow, "Row"), " x = 1", " y = 1", 1)},
	}
	d, alone := decoder(t, o), decoder(t, Defaults(JSON))
	row := []byte("\x08\x07\x12\x01a")
	for i := range 20 {
		id, name := uint32(i/3%2+1), "xy"[i/3%2:i/3%2+1]
		value := framed(id, "\x02\x02"+string(inProtoEnvelope("c", row)))
		agreeOpened(t, d, alone, &Record{Value: []byte(value)},
			opened{event: fmt.Appendf(nil, `{%q:7,"w":"a"}`, name)})
		if i%4 == 0 {
			gone := decoded(d, framed(2, "\x02\x02"+string(inProtoEnvelope("d", row))))
			if gone.reason() != Empty {
				t.Errorf("%q %s", gone.reason(), gone.text())
			}
		}
	}
	if e := decoded(d, framed(1, "\x00"+string(row))); e.reason() != Envelope {
		t.Errorf("%q %s", e.reason(), e.text())
	}
}
