package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/sr"
	"github.com/twmb/franz-go/pkg/sr/srfake"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/streamtest"
)

// framedRecord is a record with a frame before its value, or in its header, as a GUID's are.
func framedRecord(frame, data string, inHeader bool) kafka.Record {
	if inHeader {
		return kafka.Record{Value: kafka.NewBytes([]byte(data)),
			Headers: []kafka.Header{{Key: "__value_schema_id", Value: []byte(frame)}}}
	}
	return kafka.Record{Value: kafka.NewBytes([]byte(frame + data))}
}

// eventAs is event i of a format, labelAs its label.
func eventAs(format string, i int) kafka.Record {
	x := math.Sin(float64(i))
	if format == "json" {
		return kafka.Record{Value: kafka.NewBytes(fmt.Appendf(nil, `{"id":"e%d","x":%v}`, i, x))}
	}
	id := fmt.Sprintf("e%d", i)
	b := append(binary.AppendVarint(nil, int64(len(id))), id...)
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	return framedRecord("\x00\x00\x00\x00\x03", string(b), i%2 == 0)
}

// labelAs is the label of event i under the id of a schema. That of protobuf is the second message of its file.
func labelAs(format string, schema byte, i int) kafka.Record {
	id, label := fmt.Sprintf("e%d", i), int64(1)
	if math.Sin(float64(i)) < 0 {
		label = -1
	}
	frame := "\x00\x00\x00\x00" + string(schema)
	switch format {
	case "json":
		return kafka.Record{Value: kafka.NewBytes(fmt.Appendf(nil, `{"id":%q,"label":%d}`, id, label))}
	case "avro":
		b := append(binary.AppendVarint(nil, int64(len(id))), id...)
		return framedRecord(frame, string(binary.AppendVarint(b, label)), i%2 == 0)
	}
	b := append([]byte{0x0a, byte(len(id))}, id...)
	b = binary.AppendVarint(append(b, 0x10), label) // sint64
	return framedRecord(frame+"\x02\x02", string(b), i%2 == 0)
}

// TestFramedLabels: label records name their schemas, in a format that need not be that of the events. Schemas arrive
// later, and a label of an unknown one is a dead letter. verify needs no registry with the state, and asks one without;
// replay does as run did. A label that no daemon has read may have a schema that nobody knows.
func TestFramedLabels(t *testing.T) {
	t.Parallel()
	k := broker(t)
	fake := srfake.New()
	t.Cleanup(fake.Close)
	c := streamtest.Connect(t, k)
	seed := func(ids ...int) {
		fake.Reset()
		for _, id := range ids {
			of := sr.Schema{Schema: fmt.Sprintf(`{"type":"record","name":"l%d","fields":[`+
				`{"name":"id","type":"string"},{"name":"label","type":"int"}]}`, id)}
			switch {
			case id == 3:
				of.Schema = `{"type":"record","name":"e","fields":[{"name":"id","type":"string"},` +
					`{"name":"x","type":"double"}]}`
			case id >= 6:
				of = sr.Schema{Type: sr.TypeProtobuf, Schema: fmt.Sprintf(`syntax = "proto3"; `+
					`message O { int32 a = 1; } message L%d { string id = 1; sint64 label = 2; }`, id)}
			}
			fake.SeedSchema(fmt.Sprintf("s%d", id), 1, id, of)
		}
	}
	for n, f := range []struct {
		events, labels string
		ids            [2]byte
	}{{"json", "avro", [2]byte{4, 5}}, {"json", "protobuf", [2]byte{6, 7}}, {"avro", "json", [2]byte{}},
		{"avro", "avro", [2]byte{4, 5}}, {"avro", "protobuf", [2]byte{6, 7}}} {
		t.Run(f.events+" and "+f.labels, func(t *testing.T) {
			in, state := fmt.Sprintf("e%d", n), t.TempDir()
			labels := in + "l"
			c.Topic(t, in, 1)
			c.Topic(t, labels, 1)
			seed(3, 4, 6)
			for i := range 60 {
				c.ProduceRecords(t, in, 0, eventAs(f.events, i))
			}
			send := func(schema byte, from, to int) {
				for i := from; i < to; i++ {
					c.ProduceRecords(t, labels, 0, labelAs(f.labels, schema, i))
				}
			}
			registry := []string{"--schema-registry", fake.URL()}
			parameters := []string{"--labels", labels, "--labels-format", f.labels, "--format", f.events}
			of := []string{"--brokers", k, "--input", in}
			join := func(parts ...[]string) (all []string) {
				for _, p := range parts {
					all = append(all, p...)
				}
				return all
			}
			run := join([]string{"run", "--state", state, "--until-end", "--create-topics", "--http", "off"}, of,
				parameters, registry)
			send(f.ids[0], 0, 20)
			call(t, "", run...).want(t, cli.ExitDone, "60 predictions", "")
			rejected := 0
			if f.labels != "json" {
				send(9, 50, 53) // unknown
				rejected = 3
			}
			seed(3, 4, 5, 6, 7)
			send(f.ids[1], 20, 40)
			send(f.ids[0], 10, 12)
			again := call(t, "", run...)
			again.want(t, cli.ExitDone, "(40)", "")
			if strings.Contains(again.stderr, "it has no field") { // of protobuf it is the second message
				t.Error(again.stderr)
			}
			sound := fmt.Sprintf("%d dead letters", rejected)
			verify := join([]string{"verify"}, of)
			call(t, "", join(verify, parameters, registry)...).want(t, cli.ExitDone, sound, "")
			call(t, "", join(verify, []string{"--state", state}, registry)...).want(t, cli.ExitDone, sound, "")
			call(t, "", join([]string{"replay", "--brokers", k, "--topic", in, "--order", "journal", "--outcomes",
				in + ".outcomes"}, parameters, registry)...).want(t, cli.ExitDone, "40", "")
			call(t, "", join([]string{"replay", "--brokers", k, "--topic", in}, parameters, registry)...).want(t,
				cli.ExitDone, "40", "")
			fake.Reset()
			if f.labels != "json" {
				send(8, 55, 56) // what no daemon has read says nothing about what was
			}
			call(t, "", join(verify, []string{"--state", state})...).want(t, cli.ExitDone, sound, "")
			call(t, "", join(verify, parameters, registry)...).want(t, cli.ExitFailed, "", "that nobody knows here: ")
		})
	}
}
