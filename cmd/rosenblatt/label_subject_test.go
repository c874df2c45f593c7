package main

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/sr"
	"github.com/twmb/franz-go/pkg/sr/srfake"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/streamtest"
)

// bareLabel is the label of event i in a format, without a frame.
func bareLabel(format string, i int) kafka.Record {
	id, label := fmt.Sprintf("e%d", i), int64(1)
	if i%2 == 0 {
		label = -1
	}
	b := append(binary.AppendVarint(nil, int64(len(id))), id...)
	if format == "protobuf" {
		b = append(append([]byte{0x0a, byte(len(id))}, id...), 0x10)
	}
	return kafka.Record{Value: kafka.NewBytes(binary.AppendVarint(b, label))}
}

// TestLabelSchemaOfASubject: bare label records have the schema that a subject had when the model was begun, whatever
// the format of events. Later starts and verify do without the registry, though the subject has another schema since; a
// start with that one is refused.
func TestLabelSchemaOfASubject(t *testing.T) {
	t.Parallel()
	k := broker(t)
	c := streamtest.Connect(t, k)
	schemas := map[string]sr.Schema{
		"avro": {Schema: `{"type":"record","name":"l","fields":[{"name":"id","type":"string"},` +
			`{"name":"label","type":"int"}]}`},
		"protobuf": {Type: sr.TypeProtobuf, Schema: `syntax = "proto3"; message L { string id = 1; ` +
			`sint64 label = 2; }`},
	}
	others := map[string]sr.Schema{
		"avro": {Schema: `{"type":"record","name":"l","fields":[{"name":"id","type":"string"},` +
			`{"name":"label","type":"int"},{"name":"more","type":"int"}]}`},
		"protobuf": {Type: sr.TypeProtobuf, Schema: `syntax = "proto3"; message L { string id = 1; sint64 label = 2;` +
			` int32 more = 3; }`},
	}
	for _, format := range []string{"avro", "protobuf"} {
		t.Run(format, func(t *testing.T) {
			fake := srfake.New()
			t.Cleanup(fake.Close)
			in := "of-" + format
			labels, subject := in+".labels", in+".labels-value"
			c.Topic(t, in, 1)
			c.Topic(t, labels, 1)
			fake.SeedSchema(subject, 1, 3, schemas[format])
			send := func(from, to int) {
				for i := from; i < to; i++ {
					c.Produce(t, in, 0, fmt.Sprintf(`{"id":"e%d","x":%d}`, i, i%2))
					c.ProduceRecords(t, labels, 0, bareLabel(format, i))
				}
			}
			send(0, 50)
			state := t.TempDir()
			with := func(command, schema string, more ...string) []string {
				return append([]string{command, "--brokers", k, "--input", in, "--labels", labels, "--labels-format",
					format, "--labels-schema", schema, "--schema-registry", fake.URL()}, more...)
			}
			run := func(schema string) []string {
				return with("run", schema, "--state", state, "--http", "off", "--until-end", "--create-topics")
			}
			call(t, "", with("check", subject, "--state", state, "--create-topics")...).want(t, cli.ExitDone, "", "")
			call(t, "", run(subject)...).want(t, cli.ExitDone, "50 predictions", "that of a subject")
			fake.SeedSchema(subject, 2, 4, others[format])
			send(50, 60)
			call(t, "", run(subject)...).want(t, cli.ExitDone, "60 predictions", "")
			call(t, "", run(subject+":2")...).want(t, cli.ExitStopped, "", "schema was")
			call(t, "", run(subject+":1")...).want(t, cli.ExitDone, "60 predictions", "")
			call(t, "", with("verify", subject+":1")...).want(t, cli.ExitDone, "60 predictions", "")
			call(t, "", "replay", "--brokers", k, "--topic", in, "--labels", labels, "--labels-format", format,
				"--labels-schema", subject+":1", "--schema-registry", fake.URL()).want(t, cli.ExitDone, "60", "")
			call(t, "", with("check", "other", "--state", t.TempDir())...).want(t, cli.ExitFailed, "no subject other",
				"")
			if t.Failed() {
				return // a start that asks again would wait for the registry below
			}
			fake.Reset()
			send(60, 70)
			call(t, "", run(subject)...).want(t, cli.ExitDone, "70 predictions", "")
			call(t, "", "verify", "--brokers", k, "--input", in, "--state", state).want(t, cli.ExitDone,
				"outcomes: 70 labelled, 0 waiting", "")
		})
	}
}
