package event

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestDebeziumIsItsRow: an envelope is decoded as the row after the change is, with a schema part and without.
func TestDebeziumIsItsRow(t *testing.T) {
	for _, o := range fuzzOptions() {
		d, alone := enveloped(t, o, Debezium)
		for range 3 {
			for _, row := range jsonEvents {
				if !json.Valid([]byte(row)) || !strings.HasPrefix(strings.TrimSpace(row), "{") {
					continue
				}
				before := `{"before":{"x":[{}]},"op":"c","source":{"a":[[[[[[1]]]]]]},"after":`
				want := opened{event: []byte(row)}
				if halves([]byte(row)) {
					want = opened{reasons: []Reason{Encoding}}
				}
				agreeOpened(t, d, alone, &Record{Value: []byte(before + row + `,"ts_ms":1}`)}, want)
				agreeOpened(t, d, alone, &Record{Value: []byte(`{"schema":{"type":"struct"},"payload":` + before + row +
					`}}`)}, want)
				agreeOffset(t, d, alone, before, row)
			}
		}
	}
}

// TestDebezium: which values are envelopes, and what is wrong with others.
func TestDebezium(t *testing.T) {
	o := Defaults(JSON)
	o.Envelope = Debezium
	d := decoder(t, o)
	for _, c := range []cloudCase{
		{name: "a created row", value: `{"before":null,"after":{"x":1},"op":"c"}`},
		{name: "an update", value: `{"op":"u","before":{"x":2},"after":{"x":1}}`},
		{name: "a snapshot", value: `{"op":"r","after":{"x":1}}`},
		{name: "a payload", value: `{"schema":null,"payload":{"op":"r","after":{"x":1}}}`},
		{name: "a payload first", value: `{"payload":{"op":"r","after":{"x":1}},"schema":{}}`},
		{name: "behind a frame", value: "\x00\x00\x00\x00\x07{\"op\":\"r\",\"after\":{\"x\":1}}"},
		{name: "a deleted row", value: `{"op":"d","before":{"x":1},"after":null}`, reason: Empty, text: "has no row"},
		{name: "a truncated table", value: `{"op":"t"}`, reason: Empty},
		{name: "a message", value: `{"op":"m","message":{}}`, reason: Empty},
		{name: "null", value: `null`, reason: Empty},
		{name: "a payload that is null", value: `{"schema":null,"payload":null}`, reason: Empty},
		{name: "flat", value: `{"x":1}`, reason: Envelope, text: "flattened"},
		{name: "no op in the payload", value: `{"payload":{"x":1}}`, reason: Envelope, text: "flattened"},
		{name: "no payload that is one", value: `{"payload":[1]}`, reason: Envelope},
		{name: "another op", value: `{"op":"x","after":{"x":1}}`, reason: Envelope, text: "none of c, u, r"},
		{name: "an op that is no text", value: `{"op":1,"after":{"x":1}}`, reason: Envelope},
		{name: "no row", value: `{"op":"c"}`, reason: Envelope, text: "no object after"},
		{name: "a row that is none", value: `{"op":"c","after":[1]}`, reason: Envelope, text: "no object after"},
		{name: "no object", value: `[1]`, reason: Envelope},
		{name: "cut off", value: `{"op":"c","after":{"x":1}`, reason: Syntax, text: "offset 25"},
		{name: "not UTF-8", value: "{\"op\":\"c\",\"after\":{\"x\":1},\"q\":\"\xff\"}", reason: Encoding},
		{name: "two rows", value: `{"op":"c","after":{"x":1},"after":{"x":1}}`, reason: DuplicateField},
		{name: "two ops in the payload", value: `{"payload":{"op":"c","after":{"x":1},"op":"c"}}`,
			reason: DuplicateField, text: "offset 42"},
		{name: "no base64", reason: Envelope, text: "no", value: `{"schema":{"fields":[{"field":"after",` +
			`"type":"struct","fields":[{"field":"y","type":"bytes","name":"org.apache.kafka.connect.data.Decimal",` +
			`"parameters":{"scale":"2"}}]}]},"payload":{"op":"c","after":{"x":1,"y":"!"}}}`},
		{name: "behind what is left out", reason: BadFeatures, text: "offset 65",
			value: `{"op":"c","after":{"w":"__debezium_unavailable_value","x":1,"z":[{}]}}`},
	} {
		for range 2 {
			if e := decoded(d, c.value); e.reason() != c.reason || !strings.Contains(e.text(), c.text) {
				t.Errorf("%s: %q %s, want %q %s", c.name, e.reason(), e.text(), c.reason, c.text)
			}
		}
	}
}

// TestDebeziumClocks: a number that is a time counts by the schema part of its own envelope, in rows of numbers alone,
// which are else read in a single pass.
func TestDebeziumClocks(t *testing.T) {
	o := Defaults(JSON)
	o.Envelope, o.TimeParts = Debezium, []string{"at"}
	d := decoder(t, o)
	for range 4 {
		for name, want := range map[string]string{"io.debezium.time.Date": "at.weekday=fri", "": "at.hour=5",
			"org.apache.kafka.connect.data.Time": "at.hour=0"} {
			value := `{"schema":{"fields":[{"field":"after","type":"struct","fields":[{"type":"int32","name":"` + name +
				`","field":"at"}]}]},"payload":{"op":"c","after":{"label":1,"at":20455,"x":1}}}`
			var e Example
			arena := d.Decode(&Record{Value: []byte(value)}, nil, &e)
			names := walked(d, value)
			if e.Rejected != nil || len(names) < 2 || names[0].name != want ||
				arena[0].Slot != d.slot(d.sum([]byte(want))) {
				t.Errorf("%q: %v %s, want %s", name, names, e.text(), want)
			}
		}
	}
}
