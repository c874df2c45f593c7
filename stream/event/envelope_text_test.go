package event

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// outerTexts are envelopes of Debezium around a row %s: good ones, and some that look like them and are not.
var outerTexts = []string{
	`{"before":null,"after":%s,"source":{"ts_ms":1764194700123,"snapshot":"false","lsn":99},"op":"c","ts_ms":10}`,
	`{"before":null,"after":%s,"source":{"ts_ms":1764194700999,"snapshot":"false","lsn":100},"op":"u","ts_ms":9}`,
	`{"before":null,"after":%s,"source":{"ts_ms":1764194700123,"snapshot":"false","lsn":0},"op":"r","ts_ms":10}`,
	`{"before":null,"after":%s,"source":{"ts_ms":1764194700123,"snapshot":"false","lsn":00},"op":"r","ts_ms":10}`,
	`{"before":null,"after":%s,"source":{"ts_ms":1764194700123,"snapshot":"false","lsn":},"op":"r","ts_ms":10}`,
	`{"before":null,"after":%s,"source":{"ts_ms":1764194700123,"snapshot":"false","lsn":9.5},"op":"c","ts_ms":10}`,
	`{"before":null,"after":%s,"source":{"ts_ms":1764194700123,"snapshot":"false","lsn":9.},"op":"c","ts_ms":10}`,
	`{"before":null,"after":%s,"source":{"ts_ms":1764194700123,"snapshot":"false","lsn":99},"op":"d","ts_ms":10}`,
	`{"before":null,"after":%s,"source":{"ts_ms":1764194700123,"snapshot":"false","lsn":99},"op":"c","ts_ms":10`,
	`{"before":null,"after":%s,"source":{"ts_ms":1764194700123,"snapshot":"false","lsn":99},"op":"c","ts_ms":10}}`,
	`{"before":null,"after":%s,"source":{"ts_ms":1,"s":"\u00e9"},"op":"c"}`,
	`{"before":null,"after":%s,"source":{"ts_ms":1,"s":"\u0e9"},"op":"c"}`,
	`{"op":"c","after":%s,"ts_ms":1}`, `{"op":"d","after":%s,"ts_ms":1}`, `{"op":"u","after":%s,"ts_ms":01}`,
	`{"op":"u","after":%s,"ts_ms":1e5}`, `{"op":"u","after":%s,"ts_ms":1e50}`,
	`{"payload":{"op":"c","after":%s},"schema":{"type":"struct","fields":[` + outerSide + `16` + outerBehind,
	`{"payload":{"op":"c","after":%s},"schema":{"type":"struct","fields":[` + outerSide + `32` + outerBehind,
	`{"schema":{"type":"struct","fields":[` + outerSide + `16` + outerBehind[:len(outerBehind)-1] +
		`,"payload":{"op":"c","after":%s}}`,
	`{"schema":null,"payload":{"op":"c","after":%s}}`, `{"payload":{"op":"c","after":%s},"schema":null}`,
}

const (
	outerSide   = `{"type":"struct","field":"after","fields":[{"type":"int`
	outerBehind = `","name":"org.apache.kafka.connect.data.Date","field":"a"}]}]}}`
)

// TestDebeziumOuterTexts reads each envelope behind each other one, with rows that are good and some that are not, and
// compares it with what a decoder says that reads no other.
func TestDebeziumOuterTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	rows := []string{`{"label":1,"a":1,"b":0.5}`, `{"label":0,"a":22,"b":-5}`, `{"label":1,"a":3,"b":1.5`,
		`{"label":1,"a":3,"b":{"c":1}}`, `null`, `{"label":1,"a":01,"b":1}`, `{"label":1,"a":1,"b":"}"}`,
		`{"label":1,"a":1,"b":"__debezium_unavailable_value"}`, `{"label":1,"\u0062":1,a:2}`,
		`{"label":1,"a":1,"b":"\u005f_debezium_unavailable_value"}`}
	o := Defaults(JSON)
	o.Envelope, o.TimeParts = Debezium, []string{"a"}
	plain := Defaults(JSON)
	plain.Envelope = Debezium
	for _, o := range []Options{plain, o} {
		read := 0
		for pair := range len(outerTexts) * len(outerTexts) {
			a, b := outerTexts[pair%len(outerTexts)], outerTexts[pair/len(outerTexts)]
			d := decoder(t, o)
			for i := range 12 {
				row := rows[0]
				if i > 5 {
					row = rows[r.IntN(len(rows))]
				}
				value := []byte(fmt.Sprintf([]string{a, b}[i/4%2], row))
				if d.rows != nil && d.rows.types == nil && d.template.ready() && d.rows.alike(value) != nil {
					read++
				}
				got, want := readOnce(d, value), readOnce(decoder(t, o), value)
				if got != want {
					t.Fatalf("%s behind %s:\n%s, want\n%s", value, a, got, want)
				}
			}
		}
		if read < 300 {
			t.Errorf("%d envelopes were read like the one before", read)
		}
	}
}

// readOnce returns all that is read of an event.
func readOnce(d *Decoder, value []byte) string {
	var e Example
	arena := d.Decode(&Record{Value: bytes.Clone(value)}, nil, &e)
	var b strings.Builder
	fmt.Fprintf(&b, "%d %q %s %v", e.reason(), e.ID, e.text(), e.Skip)
	if e.reason() == OK {
		fmt.Fprintf(&b, " %d %d %v", e.Label, e.Family, arena[e.Start:e.End])
	}
	return b.String()
}

// TestHalfOfAPairInAnEnvelope: half of a surrogate pair is told as such wherever an envelope has it, also at the end of
// one that is cut off.
func TestHalfOfAPairInAnEnvelope(t *testing.T) {
	for _, envelope := range Envelopes() {
		o := Defaults(JSON)
		o.Envelope = envelope
		for value, want := range map[string]Reason{
			`{"op":"c","specversion":"1.0","after":{"x":1},"data":{"x":1},"\ud83d":1}`:            Encoding,
			`{"op":"\ud83d","specversion":"\ud83d","after":{"x":1},"data":{"x":1}}`:               Encoding,
			`{"op":"c","specversion":"1.0","after":{"\ud83d":1},"data":{"\ud83d":1}}`:             Encoding,
			`{"op":"c","specversion":"1.0","after":{"\ude00\ud83d":1},"data":{"x\ude00":1}}`:      Encoding,
			`{"op":"c","specversion":"1.0","after":{"x":1,"\ud83d`:                                Encoding,
			`{"op":"c","specversion":"1.0","\ud83d`:                                               Encoding,
			`{"op":"c","specversion":"1.0","\ud83d\ud83d`:                                         Encoding,
			`{"op":"c","specversion":"1.0","data":{"\ud83d\ude00":1},"after":{"\ud83d\ude00":1}}`: OK,
		} {
			var e Example
			decoder(t, o).Decode(&Record{Value: slices.Clip([]byte(value))}, nil, &e)
			if e.reason() != want && (want != OK || e.reason() != BadLabel) {
				t.Errorf("%s: %s: %v (%s), want %v", envelope, value, e.reason(), e.text(), want)
			}
		}
	}
}
