package event

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"rosenblatt/learner"
)

// benchRow is a row of an id, a label and 30 columns, and the schema of such rows as Debezium writes it.
func benchRow() (row, schema string) {
	r := rand.New(rand.NewPCG(1, 2))
	members, fields := []string{`"id":"e17"`, `"label":1`}, []string{
		`{"type":"string","optional":false,"field":"id"}`, `{"type":"int32","optional":true,"field":"label"}`}
	for i := range 30 {
		members = append(members, fmt.Sprintf(`"f%d":%.6f`, i, r.NormFloat64()/3))
		fields = append(fields, fmt.Sprintf(`{"type":"double","optional":true,"field":"f%d"}`, i))
	}
	return "{" + strings.Join(members, ",") + "}", strings.Join(fields, ",")
}

// benchEnvelopes are ways in which the row is sent: records, and with which options they are read.
func benchEnvelopes() (names []string, records []Record, options []Options) {
	add := func(name, envelope, value string, headers []byte) {
		o := Defaults(JSON)
		o.Envelope = envelope
		names, options = append(names, name), append(options, o)
		records = append(records, Record{Value: []byte(value), Headers: headers})
	}
	row, fields := benchRow()
	side := func(name string) string {
		return `{"type":"struct","fields":[` + fields + `],"optional":true,"name":"shop.orders.Value","field":"` +
			name + `"}`
	}
	const source = `{"version":"3.0.0.Final","connector":"postgresql","name":"shop","ts_ms":1764194700123,` +
		`"snapshot":"false","db":"shop","sequence":"[null,\"24023128\"]","schema":"public","table":"orders"}`
	payload := `{"before":null,"after":` + row + `,"source":` + source + `,"op":"c","ts_ms":1764194700456}`
	part := `{"type":"struct","fields":[` + side("before") + `,` + side("after") +
		`,{"type":"string","optional":false,"field":"op"}],"optional":false,"name":"shop.orders.Envelope"}`
	add("json", "", row, nil)
	add("binary", CloudEvents, row, header("ce_specversion", "1.0", "ce_id", "c17", "ce_source", "/shop", "ce_type",
		"order.placed", "ce_time", "2026-11-26T22:05:00Z", "content-type", "application/json"))
	add("structured", CloudEvents, `{"specversion":"1.0","id":"c17","source":"/shop","type":"order.placed","data":`+
		row+`}`, header("content-type", "application/cloudevents+json"))
	add("rows", Debezium, payload, nil)
	whole := `{"schema":` + part + `,"payload":` + payload + `}`
	add("schema", Debezium, whole, nil)
	add("schemaAsJSON", "", whole, nil)
	o := &options[len(options)-1]
	o.LabelField, o.IDField, o.FeaturesField = "payload.after.label", "payload.after.id", "payload.after"
	decimal := strings.Replace(whole, `{"type":"double","optional":true,"field":"f7"}],"optional":true,"name"`, "", 1)
	decimal = strings.ReplaceAll(decimal, `{"type":"double","optional":true,"field":"f7"}`, `{"type":"bytes",`+
		`"optional":true,"name":"org.apache.kafka.connect.data.Decimal","parameters":{"scale":"2"},"field":"f7"}`)
	at := strings.Index(decimal, `"f7":`) + len(`"f7":`)
	end := at + strings.IndexByte(decimal[at:], ',')
	add("decimal", Debezium, decimal[:at]+`"AfQ="`+decimal[end:], nil)
	return names, records, options
}

// BenchmarkEnvelope decodes a row in envelopes, and the same bytes as json.
func BenchmarkEnvelope(b *testing.B) {
	names, records, options := benchEnvelopes()
	for i, name := range names {
		b.Run(name, func(b *testing.B) {
			d := decoder(b, options[i])
			var e Example
			var arena []learner.Feature
			b.ReportAllocs()
			other := records[i]
			other.Value = bytes.ReplaceAll(other.Value, []byte("1764194700"), []byte("1764194701"))
			for b.Loop() { // half of each
				records[i], other = other, records[i]
				arena = d.Decode(&records[i], arena[:0], &e)
			}
			if e.Rejected != nil || len(arena) < 29 {
				b.Fatal(e.text(), len(arena))
			}
		})
	}
}

// TestEnvelopesDoNotAllocate: once a decoder is warm, no envelope makes it allocate.
func TestEnvelopesDoNotAllocate(t *testing.T) {
	names, records, options := benchEnvelopes()
	for i, name := range names {
		d := decoder(t, options[i])
		var e Example
		var arena []learner.Feature
		decode := func() { arena = d.Decode(&records[i], arena[:0], &e) }
		for range 100 {
			decode()
		}
		if e.Rejected != nil || len(arena) < 29 || !bytes.Contains(e.ID, []byte("e17")) {
			t.Fatalf("%s: %s %d", name, e.text(), len(arena))
		}
		if n := testing.AllocsPerRun(500, decode); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
