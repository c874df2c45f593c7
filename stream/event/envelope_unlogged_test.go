package event

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// unlogged are what Debezium 3.6 wrote for columns of PostgreSQL of the types text, bytea, uuid[] and int[] that did
// not change, and were too large to be in the log.
var unlogged = struct{ text, bytes, uuid, ints string }{"__debezium_unavailable_value",
	"X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==", "b68a35a7-17ad-35b3-af2a-ae46edb4545a",
	"[95,95,100,101,98,101,122,105,117,109,95,117,110,97,118,97,105,108,97,98,108,101,95,118,97,108,117,101]"}

// unloggedRow returns a row with an array of integers, one of dates, one of texts, and a text, in the formats of
// Debezium; in avro elements that are dates may be null, or not.
func unloggedRow(t *testing.T, ints, days, uuid, text string) map[string][]byte {
	var lists [2][]int64
	for n, text := range []string{ints, days} {
		if err := json.Unmarshal([]byte(text), &lists[n]); err != nil {
			t.Fatal(err)
		}
	}
	part := `{"fields":[{"field":"after","type":"struct","fields":[{"field":"d","type":"array","items":{"type":` +
		`"int32","name":"io.debezium.time.Date"}},{"field":"b","type":"string"}]}]}`
	after := fmt.Sprintf(`{"op":"u","after":{"x":1,"i":%s,"d":%s,"u":[%q],"b":%q,"z":2}}`, ints, days, uuid, text)
	p := []byte{1 << 3, 1}
	for n, values := range lists {
		var packed []byte
		for _, v := range values {
			packed = binary.AppendUvarint(packed, uint64(v))
		}
		p = append(binary.AppendUvarint(append(p, byte(n+2)<<3|2), uint64(len(packed))), packed...)
	}
	p = append(append(p, 4<<3|2, byte(len(uuid))), uuid...)
	p = append(append(append(p, 5<<3|2, byte(len(text))), text...), 6<<3, 2)
	inAvro := func(nullable bool) []byte {
		a := binary.AppendVarint(nil, 1)
		for n, values := range lists {
			if len(values) > 0 {
				a = binary.AppendVarint(a, int64(len(values)))
			}
			for _, v := range values {
				if nullable && n == 1 {
					a = append(a, 2) // the second branch, behind null
				}
				a = binary.AppendVarint(a, v)
			}
			a = append(a, 0)
		}
		a = avroText(append(avroText(append(a, 2), uuid), 0), text)
		return inAvroEnvelope(binary.AppendVarint(a, 2), "u")
	}
	return map[string][]byte{"protobuf": inProtoEnvelope("u", p), "avro": inAvro(false), "nullable": inAvro(true),
		"part": fmt.Appendf(nil, `{"schema":%s,"payload":%s}`, part, after), "bare": []byte(after),
		"spaced": []byte(strings.ReplaceAll(after, ",", " , "))}
}

// TestDebeziumUnlogged: what stands for a value that the database did not log is absent, whatever the type of the
// column, and what only begins like it is not.
func TestDebeziumUnlogged(t *testing.T) {
	decoders := unloggedDecoders(t)
	longer := strings.Replace(unlogged.ints, "[", "[95,", 1)
	for _, c := range []struct{ ints, days, uuid, text, alone string }{
		{"[1,2]", "[3]", "v", "w", `{"x":1,"i":[1,2],"d":[3],"u":["v"],"b":"w","z":2}`},
		{unlogged.ints, "[3]", "v", "w", `{"x":1,"d":[3],"u":["v"],"b":"w","z":2}`},
		{"[1,2]", unlogged.ints, "v", "w", `{"x":1,"i":[1,2],"u":["v"],"b":"w","z":2}`},
		{"[1,2]", "[3]", unlogged.uuid, "w", `{"x":1,"i":[1,2],"d":[3],"b":"w","z":2}`},
		{"[95]", "[3]", "v", unlogged.bytes, `{"x":1,"i":[95],"d":[3],"u":["v"],"z":2}`},
		{unlogged.ints, unlogged.ints, unlogged.text, unlogged.text, `{"x":1,"z":2}`},
		{"[95,95,100]", "[]", "v", "w", `{"x":1,"i":[95,95,100],"d":[],"u":["v"],"b":"w","z":2}`},
		{longer, unlogged.ints[:len(unlogged.ints)-1] + ",1]", "v", "w", `{"x":1,"i":` + longer + `,"d":` +
			unlogged.ints[:len(unlogged.ints)-1] + `,1],"u":["v"],"b":"w","z":2}`},
	} {
		row := unloggedRow(t, c.ints, c.days, c.uuid, c.text)
		for range 3 {
			var e Example
			want := slices.Clone(decoders["alone"].Decode(&Record{Value: []byte(c.alone)}, nil, &e))
			for format, value := range row {
				var e Example
				got := decoders[format].Decode(&Record{Value: value}, nil, &e)
				if e.Rejected != nil || !slices.Equal(got, want) {
					t.Fatalf("%s of %s: %v %s\nwant %v", format, row["bare"], got, e.text(), want)
				}
				form, ok := decoders[format].JSONForm(nil, &Record{Value: value})
				if !ok || strings.Contains(string(form), unlogged.ints) {
					t.Fatalf("%s of %s: %s", format, row["bare"], form)
				}
			}
		}
	}
}

func unloggedDecoders(t *testing.T) map[string]*Decoder {
	alone := Defaults(JSON)
	inProto := ofEnvelope(t, alone, protoEnvelope(`syntax = "proto3"; message Row { int32 x = 1; `+
		`repeated int32 i = 2; repeated int32 d = 3; repeated string u = 4; string b = 5; int32 z = 6; }`, "Row"))
	with := alone
	with.Envelope = Debezium
	inAvro := func(day string) *Decoder {
		o := with
		o.Format, o.Framed = Avro, false
		o.Schema = avroEnvelope(`{"type":"record","name":"Value","fields":[{"name":"x","type":"int"},` +
			`{"name":"i","type":{"type":"array","items":"long"}},{"name":"d","type":{"type":"array","items":` + day +
			`}},{"name":"u","type":{"type":"array","items":"string"}},{"name":"b","type":"string"},` +
			`{"name":"z","type":"int"}]}`)
		return decoder(t, o)
	}
	day := `{"type":"int","connect.name":"io.debezium.time.Date"}`
	return map[string]*Decoder{"alone": decoder(t, alone), "protobuf": decoder(t, inProto), "avro": inAvro(day),
		"nullable": inAvro(`["null",` + day + `]`), "part": decoder(t, with), "bare": decoder(t, with),
		"spaced": decoder(t, with)}
}
