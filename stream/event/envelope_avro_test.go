package event

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"rosenblatt/learner"
)

// avroText appends a string in avro.
func avroText(b []byte, text string) []byte {
	return append(binary.AppendVarint(b, int64(len(text))), text...)
}

// avroEnvelope returns the schema of an envelope of Debezium around rows of a schema.
func avroEnvelope(row string) string {
	return `{"type":"record","name":"Envelope","fields":[{"name":"source","type":["null","string"]},` +
		`{"name":"after","type":["null",` + row + `]},{"name":"op","type":"string"},` +
		`{"name":"ts_ms","type":["null","long"]}]}`
}

// inAvroEnvelope returns an envelope of a row; nil for none.
func inAvroEnvelope(row []byte, op string) []byte {
	b := avroText([]byte{2}, "mysql \xff") // what is not read need not be UTF-8
	if row == nil {
		b = append(b, 0)
	} else {
		b = append(append(b, 2), row...)
	}
	return append(avroText(b, op), 2, 0x7e)
}

// TestDebeziumAvroIsItsRow: an envelope in avro is decoded as the row in it is, and cut off or with a byte more it is
// rejected.
func TestDebeziumAvroIsItsRow(t *testing.T) {
	read := 0
	for seed := range uint64(300) {
		random := &randomAvro{Rand: rand.New(rand.NewPCG(seed, 75)), named: map[string]any{}}
		all := avroFuzzOptions()
		o := all[random.IntN(len(all))]
		random.clock = true
		row := random.record(4)
		o.Format, o.Schema = Avro, schemaText(row)
		if _, err := New(o); err != nil {
			continue // it refers to a type that was left out
		}
		alone := decoder(t, o)
		o.Envelope, o.Schema = Debezium, avroEnvelope(o.Schema)
		d := decoder(t, o)
		for range 10 {
			value := random.value([]byte{}, row, 6)
			if len(value) == 0 {
				continue
			}
			whole := inAvroEnvelope(value, "u")
			for range 2 {
				agreeOpened(t, d, alone, &Record{Value: whole}, opened{event: value})
			}
			if decoded(d, string(whole)).Rejected == nil {
				read++
			}
			cut := whole[:random.IntN(len(whole))]
			for _, wrong := range [][]byte{cut, append(slices.Clone(whole), 0)} {
				if e := decoded(d, string(wrong)); e.reason() != Syntax && !(len(wrong) == 0 && e.reason() == Empty) {
					t.Fatalf("%q: %q %s", wrong, e.reason(), e.text())
				}
			}
		}
	}
	if read < 300 {
		t.Errorf("%d rows were read", read)
	}
}

// TestDebeziumAvro: which values are envelopes.
func TestDebeziumAvro(t *testing.T) {
	o := Defaults(Avro)
	row := `{"type":"record","name":"Value","fields":[{"name":"x","type":"int"},{"name":"w","type":"string"}]}`
	o.Envelope, o.Schema = Debezium, avroEnvelope(row)
	d := decoder(t, o)
	value := avroText([]byte{14}, "a")
	for _, c := range []struct {
		op     string
		row    []byte
		reason Reason
		text   string
	}{
		{"c", value, OK, ""}, {"r", value, OK, ""}, {"u", value, OK, ""}, {"d", nil, Empty, "has no row"},
		{"t", nil, Empty, ""}, {"m", nil, Empty, ""}, {"d", value, Empty, ""}, {"c", nil, Envelope, "no object after"},
		{"x", value, Envelope, "none of"}, {"", value, Envelope, "none of"},
		{"c", avroText([]byte{14}, "\xff"), Encoding, "offset 12"},
	} {
		for range 2 {
			e := decoded(d, string(inAvroEnvelope(c.row, c.op)))
			if e.reason() != c.reason || !strings.Contains(e.text(), c.text) {
				t.Errorf("%q %q: %q %s, want %q %s", c.op, c.row, e.reason(), e.text(), c.reason, c.text)
			}
		}
	}
	o.Schema = row
	if e := decoded(decoder(t, o), string(value)); e.reason() != Envelope || !strings.Contains(e.text(), "flattened") {
		t.Errorf("%q %s", e.reason(), e.text())
	}
	o.Schema, o.Tombstones = `["null",`+avroEnvelope(row)+`]`, SkipTombstones
	if e := decoded(decoder(t, o), "\x00"); !e.Skip {
		t.Errorf("null: %+v", e)
	}
}

// TestDebeziumNulls: in avro and in json with a schema part, the same row is the same example: what the database did
// not log is absent, of times the unit counts, and decimals are numbers.
func TestDebeziumNulls(t *testing.T) {
	const missing = "__debezium_unavailable_value"
	row := `{"type":"record","name":"Value","fields":[{"name":"id","type":"string"},` +
		`{"name":"w","type":["null","string"]},` +
		`{"name":"l","type":{"type":"array","items":"string"}},{"name":"m","type":{"type":"map","values":"string"}},` +
		`{"name":"day","type":{"type":"int","connect.name":"io.debezium.time.Date"}},` +
		`{"name":"at","type":{"type":"long","connect.name":"io.debezium.time.MicroTime"}},` +
		`{"name":"ts","type":{"type":"long","connect.name":"io.debezium.time.MicroTimestamp"}},` +
		`{"name":"price","type":{"type":"bytes","logicalType":"decimal","precision":9,"scale":2}},` +
		`{"name":"x","type":"double"}]}`
	field := func(of, name string) string { return strings.TrimSuffix(of, "}") + `,"field":"` + name + `"}` }
	clock := func(of, name string) string { return `{"type":"` + of + `","name":"io.debezium.time.` + name + `"}` }
	part := `{"type":"struct","fields":[{"type":"struct","field":"after","fields":[` + strings.Join([]string{
		field(clock("int32", "Date"), "day"), field(clock("int64", "MicroTime"), "at"),
		field(clock("int64", "MicroTimestamp"), "ts"), field(`{"type":"bytes","name":"org.apache.kafka.connect.data.`+
			`Decimal","parameters":{"scale":"2"}}`, "price")}, ",") + `]}]}`
	value := func(w, inList, inMap string, day, at, ts int64) (avro, text []byte) {
		avro = avroText(nil, "e1")
		avro = avroText(append(avro, 2), w)
		avro = append(avroText(avroText(append(avro, 4), inList), "z"), 0)
		avro = append(avroText(avroText(append(avro, 2), "k"), inMap), 0)
		for _, n := range []int64{day, at, ts} {
			avro = binary.AppendVarint(avro, n)
		}
		avro = append(avroText(avro, "\x01\xf4"), 0, 0, 0, 0, 0, 0, 0xf0, 0x3f)
		text = fmt.Appendf(nil, `{"schema":%s,"payload":{"op":"c","after":{"id":"e1","w":%q,"l":[%q,"z"],"m":{"k":%q},`+
			`"day":%d,"at":%d,"ts":%d,"price":"AfQ=","x":1}}}`, part, w, inList, inMap, day, at, ts)
		return inAvroEnvelope(avro, "c"), text
	}
	for _, o := range []Options{{}, {TimeParts: []string{"day", "at", "ts"}}, {Categorical: []string{"price", "at"}}} {
		with := Defaults(JSON)
		with.Envelope, with.TimeParts, with.Categorical = Debezium, o.TimeParts, o.Categorical
		text := decoder(t, with)
		with.Format, with.Schema, with.Framed = Avro, avroEnvelope(row), false
		d := decoder(t, with)
		for range 3 {
			for i, w := range []string{"a", missing, "b", missing} {
				n := int64(i)
				a, j := value(w, []string{missing, "q"}[i/2], []string{"v", missing}[i/2], n, 3_599_999_999+n,
					1764194700123456+n)
				var e, want Example
				got, wanted := d.Decode(&Record{Value: a}, nil, &e), text.Decode(&Record{Value: j}, nil, &want)
				if e.Rejected != nil || !slices.Equal(got, wanted) || !bytes.Contains(want.ID, e.ID) {
					t.Fatalf("%v: %+v %s %v\n%s: %+v %s %v", o, e, e.text(), got, j, want, want.text(), wanted)
				}
				d.Walk(&Record{Value: a}, func(name []byte, _ learner.Feature) {
					if bytes.Contains(name, []byte("unavailable")) {
						t.Errorf("a feature %s", name)
					}
				})
			}
		}
	}
}
