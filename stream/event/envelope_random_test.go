package event

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// randomConnect makes schemas of Kafka Connect and values of them in json.
type randomConnect struct{ *rand.Rand }

// row returns a struct: its schema without its field name, and a value.
func (r *randomConnect) row(depth int) (schema, value string) {
	var fields, members []string
	had := map[string]bool{}
	for range r.IntN(6) {
		name := randomNames[r.IntN(len(randomNames))]
		if had[name] {
			continue
		}
		had[name] = true
		of, v := r.value(depth - 1)
		fields = append(fields, strings.TrimSuffix(of, "}")+`,"field":`+strconv.Quote(name)+"}")
		if r.IntN(12) > 0 {
			members = append(members, strconv.Quote(name)+":"+v)
		}
	}
	return `{"type":"struct","fields":[` + strings.Join(fields, ",") + `]}`, `{` + strings.Join(members, ",") + `}`
}

// clocked are the names of integers that tell a time, with the type of each.
var clocked = map[string]string{"io.debezium.time.Date": "int32", "io.debezium.time.Time": "int32",
	"io.debezium.time.MicroTime": "int64", "io.debezium.time.NanoTime": "int64", "io.debezium.time.Timestamp": "int64",
	"io.debezium.time.MicroTimestamp": "int64", "io.debezium.time.NanoTimestamp": "int64",
	"org.apache.kafka.connect.data.Date": "int32", "org.apache.kafka.connect.data.Timestamp": "int64"}

// value returns a schema and a value of it.
func (r *randomConnect) value(depth int) (schema, value string) {
	kind := r.IntN(11)
	if depth <= 0 {
		kind = r.IntN(8)
	}
	optional := r.IntN(2) == 0
	null := optional && r.IntN(8) == 0
	switch kind {
	case 0:
		schema, value = `{"type":"double"}`, fmt.Sprint(r.NormFloat64()*100)
	case 1:
		schema, value = `{"type":"boolean"}`, "true"
	case 2, 3:
		schema, value = `{"type":"string"}`, strconv.Quote(randomNames[r.IntN(len(randomNames))])
		if r.IntN(3) == 0 {
			value = []string{`"__debezium_unavailable_value"`, `"\u005f_debezium_unavailable_value"`,
				strconv.Quote(unlogged.bytes), strconv.Quote(unlogged.uuid)}[r.IntN(4)]
		}
	case 4:
		schema, value = `{"type":"bytes"}`, `"AQI="`
	case 5:
		schema, value = r.decimal()
	case 6:
		schema = `{"type":"struct","name":"io.debezium.data.VariableScaleDecimal","fields":[{"type":"int32",` +
			`"field":"scale"},{"type":"bytes","field":"value"}]}`
		value = fmt.Sprintf(`{"scale":%d,"value":%q}`, r.IntN(9)-2, r.unscaled())
	case 7:
		name := slices.Sorted(maps.Keys(clocked))[r.IntN(len(clocked))]
		schema = fmt.Sprintf(`{"type":%q,"name":%q,"version":1}`, clocked[name], name)
		value = fmt.Sprint((r.Int64() - r.Int64()) >> r.IntN(60))
	case 8:
		schema, value = r.row(depth)
	case 9:
		of, _ := r.value(depth - 1)
		schema, value = `{"type":"array","items":`+of+`}`, "["+strings.Join(r.several(of, depth), ", ")+"]"
	default:
		of, _ := r.value(0)
		schema = `{"type":"map","keys":{"type":"string"},"values":` + of + `}`
		var members []string
		for i, v := range r.several(of, depth) {
			members = append(members, fmt.Sprintf(`"k%d":%s`, i, v))
		}
		value = `{ ` + strings.Join(members, " , ") + ` }`
	}
	if optional {
		schema = strings.TrimSuffix(schema, "}") + `,"optional":true}`
	}
	if null {
		value = "null"
	}
	return schema, value
}

// several returns values of one schema, as far as some are met.
func (r *randomConnect) several(schema string, depth int) (all []string) {
	for range 40 {
		if of, v := r.value(depth - 1); of == schema && len(all) < 4 {
			all = append(all, v)
		}
	}
	return all
}

func (r *randomConnect) decimal() (schema, value string) {
	return fmt.Sprintf(`{"type":"bytes","name":"org.apache.kafka.connect.data.Decimal","version":1,`+
		`"parameters":{"scale":"%d"}}`, r.IntN(12)-2), strconv.Quote(r.unscaled())
}

func (r *randomConnect) unscaled() string {
	b := make([]byte, 1+r.IntN(12))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return base64.StdEncoding.EncodeToString(b)
}

// envelope returns an envelope of a row with its schema part.
func (r *randomConnect) envelope() string {
	schema, row := r.row(3)
	field := func(name string) string { return strings.TrimSuffix(schema, "}") + `,"field":"` + name + `"}` }
	part := `{"type":"struct","fields":[` + field("before") + `,` + field("after") + `,{"type":"string","field":"op"}]}`
	return `{"schema":` + part + `,"payload":{"before":null,"after":` + row + `,"op":"u"}}`
}

// TestDebeziumSchemaPart: random rows of random schemas are what their JSON form is, also with the schema of the row
// before, and when they are read again.
func TestDebeziumSchemaPart(t *testing.T) {
	changed := 0
	for _, o := range fuzzOptions() {
		if len(o.TimeParts) > 0 { // what a number counts is not in its JSON form
			continue
		}
		d, alone := enveloped(t, o, Debezium)
		for seed := range uint64(400) {
			r := &randomConnect{rand.New(rand.NewPCG(seed, 73))}
			value := []byte(r.envelope())
			if !json.Valid(value) {
				t.Fatalf("%s", value)
			}
			want := openDebezium(o, value)
			for range 2 {
				agreeOpened(t, d, alone, &Record{Value: value}, want)
			}
			if d.borrowed {
				changed++
			}
		}
	}
	if changed < 1000 {
		t.Errorf("%d rows were changed", changed)
	}
}

// FuzzEnvelope holds decoders of envelopes against the oracle, and each event against itself when it is read again.
func FuzzEnvelope(f *testing.F) {
	f.Add([]byte("\ufeff"), "", byte(5)) // a byte order mark alone has no bytes
	for i, c := range cloudCases {
		f.Add([]byte(c.value), strings.Join(c.headers, "\n"), byte(i))
	}
	for i, row := range jsonEvents {
		f.Add([]byte(`{"op":"c","after":`+row+`}`), "", byte(i))
		f.Add([]byte(`{"payload":{"op":"c","after":`+row+`}}`), "", byte(i))
		f.Add([]byte(`{"specversion":"1.0","data":`+row+`}`), "", byte(i))
	}
	for seed := range uint64(20) {
		f.Add([]byte((&randomConnect{rand.New(rand.NewPCG(seed, 74))}).envelope()), "", byte(seed))
	}
	options := fuzzOptions()
	var decoders [2][]*Decoder
	var plain []*Decoder
	for _, o := range options {
		cloud, alone := enveloped(f, o, CloudEvents)
		rows, _ := enveloped(f, o, Debezium)
		decoders[0], decoders[1], plain = append(decoders[0], cloud), append(decoders[1], rows), append(plain, alone)
	}
	f.Fuzz(func(t *testing.T, value []byte, headers string, which byte) {
		n := int(which) % len(options)
		o := options[n]
		lines := strings.SplitN(headers, "\n", 7)
		lines = lines[:len(lines)/2*2]
		r := &Record{Value: bytes.Clone(value), Headers: header(lines...)}
		last := map[string]string{}
		for i := 0; i < len(lines); i += 2 {
			last[lines[i]] = lines[i+1]
		}
		_, has := last["ce_specversion"]
		version := map[bool]string{true: "1"}[has]
		want := openCloud(o, last["content-type"], version, last["ce_id"], "", value)
		if last["__value_schema_id"] == "" {
			agreeOpened(t, decoders[0][n], plain[n], r, want)
			agreeOpened(t, decoders[0][n], plain[n], r, want)
		}
		agreeFuzzedRow(t, decoders[1][n], plain[n], r)
	})
}

// agreeFuzzedRow compares an envelope of Debezium with the oracle, and one with a schema part with itself.
func agreeFuzzedRow(t *testing.T, d, alone *Decoder, r *Record) {
	t.Helper()
	if bytes.Contains(r.Value, []byte("schema")) || bytes.Contains(r.Value, []byte(`\u00`)) ||
		len(r.Value) > 0 && r.Value[0] <= 1 {
		var e, again Example
		first := len(d.Decode(r, nil, &e))
		if n := len(d.Decode(r, nil, &again)); n != first || e.reason() != again.reason() || e.Label != again.Label {
			t.Fatalf("%q: %+v, and again %+v", r.Value, e, again)
		}
		return
	}
	want := openDebezium(d.options, r.Value)
	if len(r.Value) == 0 {
		want = opened{reasons: []Reason{Empty}}
	}
	for range 2 {
		agreeOpened(t, d, alone, r, want)
	}
}
