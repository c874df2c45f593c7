package main

import (
	"strings"
	"testing"

	"rosenblatt/cmd/internal/cli"
)

// TestSchemaSettings: run and check refuse the same settings of events, with one fault for one mistake.
func TestSchemaSettings(t *testing.T) {
	t.Parallel()
	broken := write(t, "broken.avsc", `{"type":"record"`)
	for _, c := range []struct{ given, fault string }{
		{"--format avro", "format avro or protobuf: it needs --schema-registry URL"},
		{"--labels l --labels-format avro", "format avro or protobuf: it needs --schema-registry URL"},
		{"--format avro --schema " + broken, "schema: the schema is no JSON"},
		{"--format avro --schema none.avsc", "schema: open none.avsc"},
		{"--labels l --labels-format avro --labels-schema " + broken, "labels-schema: the schema is no JSON"},
		{"--schema-registry http://127.0.0.1:1", "schema-registry: only avro and protobuf without a schema"},
		{"--ids foo", `ids: "foo": want typed or text`},
		{"--max-depth 0", "max-depth: 0"},
	} {
		for _, command := range []string{"run", "check"} {
			args := append([]string{command, "--brokers", "127.0.0.1:1", "--input", "x"}, strings.Fields(c.given)...)
			if command == "run" {
				args = append(args, "--http", "off")
			}
			got := call(t, "", args...)
			got.want(t, cli.ExitUsage, "", "rosenblatt: "+c.fault)
			if strings.Contains(got.stderr, "settings are wrong") {
				t.Errorf("%s %s: several faults: %s", command, c.given, got.stderr)
			}
		}
	}
}
