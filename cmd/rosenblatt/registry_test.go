package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/sr"
	"github.com/twmb/franz-go/pkg/sr/srfake"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/streamtest"
)

// framedPoints are events of a number x and a label under an id.
func framedPoints(id uint32, n int) (all []string) {
	for i := range n {
		x := math.Sin(float64(i))
		b := binary.BigEndian.AppendUint32([]byte{0}, id)
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		all = append(all, string(binary.AppendVarint(b, int64(math.Copysign(1, x)))))
	}
	return all
}

// TestSchemaRegistry: events that name schemas of a registry are predicted, verified from the state folder without the
// registry, from nothing with it, and not without either. An id that is registered later stays a dead letter.
func TestSchemaRegistry(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(2, "points", "points.predictions", "points.dlq"))
	fake := srfake.New()
	t.Cleanup(fake.Close)
	seed := func(id int, name string) {
		fake.SeedSchema(name, 1, id, sr.Schema{Schema: fmt.Sprintf(`{"type":"record","name":"%s","fields":[`+
			`{"name":"x","type":"double"},{"name":"label","type":"int"}]}`, name)})
	}
	seed(3, "a")
	seed(4, "b")
	c := streamtest.Connect(t, k)
	c.Produce(t, "points", 0, append(framedPoints(3, 50), framedPoints(9, 5)...)...)
	c.Produce(t, "points", 1, append(framedPoints(4, 50), framedPoints(3, 50)...)...)
	state := t.TempDir()
	run := []string{"run", "--brokers", k, "--input", "points", "--format", "avro", "--state", state, "--until-end",
		"--http", "off"}
	call(t, "", run...).want(t, cli.ExitUsage, "", "it needs --schema-registry URL, or --schema FILE")
	call(t, "", append(run, "--schema-registry", "http://u:p@"+fake.URL()[7:])...).want(t, cli.ExitUsage, "",
		"schema-registry-user")
	check := []string{"check", "--brokers", k, "--input", "points", "--format", "avro", "--state", t.TempDir()}
	call(t, "", append(check, "--schema-registry", fake.URL())...).want(t, cli.ExitDone, "answers", "")
	call(t, "", append(check, "--schema-registry", fake.URL()+"/v9")...).want(t, cli.ExitFailed,
		"this is no registry: is the path right?", "")
	call(t, "", check...).want(t, cli.ExitUsage, "", "it needs --schema-registry URL")
	call(t, "", append(run, "--schema-registry", fake.URL())...).want(t, cli.ExitDone, "150 predictions",
		`"schema":"3"`)
	seed(9, "late")
	c.Produce(t, "points", 0, framedPoints(9, 5)...)
	call(t, "", append(run, "--schema-registry", fake.URL())...).want(t, cli.ExitDone, "155 predictions",
		`"schema":"9"`)
	audit := []string{"verify", "--brokers", k, "--input", "points"}
	of := append(audit[:len(audit):len(audit)], "--state", state)
	const found = "155 predictions (seq 1 to 155), 5 dead letters"
	call(t, "", of...).want(t, cli.ExitDone, found, "")
	none := append(audit, "--format", "avro", "--schema-registry", fake.URL())
	call(t, "", none...).want(t, cli.ExitDone, found, "")
	fake.Reset()
	call(t, "", none...).want(t, cli.ExitFailed, "", "nobody knows here: ")
	call(t, "", of...).want(t, cli.ExitDone, found, "")
	if err := os.Remove(filepath.Join(state, "points", "schemas")); err != nil {
		t.Fatal(err)
	}
	call(t, "", of...).want(t, cli.ExitFailed, "", "nobody knows here: ")
}

// TestSchemaChanged: another schema under a known id ends the daemon with exit code 4. Accepted, records from there on
// have it, and verify computes all of them again, from the folder alone.
func TestSchemaChanged(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(1, "points", "points.predictions", "points.dlq"))
	fake := srfake.New()
	t.Cleanup(fake.Close)
	const fields = `{"name":"x","type":"double"},{"name":"label","type":"int"}`
	seed := func(fields string) {
		fake.Reset()
		text := `{"type":"record","name":"a","fields":[` + fields + `]}`
		fake.SeedSchema("points-value", 1, 3, sr.Schema{Schema: text})
	}
	seed(fields)
	c := streamtest.Connect(t, k)
	c.Produce(t, "points", 0, framedPoints(3, 50)...)
	state := t.TempDir()
	run := []string{"run", "--brokers", k, "--input", "points", "--format", "avro", "--state", state, "--http", "off",
		"--schema-registry", fake.URL()}
	call(t, "", append(run, "--until-end")...).want(t, cli.ExitDone, "50 predictions", "")
	seed(fields + `,{"name":"more","type":"long"}`)
	longer := framedPoints(3, 60)[50:]
	for i := range longer {
		longer[i] += "\x08"
	}
	call(t, "", run...).want(t, cli.ExitStopped, "",
		"schema 3 was a and is a, with the fields more")
	c.Produce(t, "points", 0, longer...)
	call(t, "", append(run, "--until-end", "--accept", "schema-changed")...).want(t, cli.ExitDone, "60 predictions", "")
	call(t, "", append(run, "--until-end")...).want(t, cli.ExitDone, "60 predictions", "")
	fake.Reset()
	audit := []string{"verify", "--brokers", k, "--input", "points", "--state", state}
	call(t, "", audit...).want(t, cli.ExitDone, "60 predictions (seq 1 to 60), 0 dead letters", "")
}

// TestSchemasWithACheckpoint: inspect and verify know the schemas of a model from its checkpoint topic, from an
// exported checkpoint, and from its folder, without the registry.
func TestSchemasWithACheckpoint(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(1, "points", "points.predictions", "points.dlq"))
	fake := srfake.New()
	t.Cleanup(fake.Close)
	fake.SeedSchema("points-value", 4, 3, sr.Schema{Schema: `{"type":"record","name":"a","fields":[` +
		`{"name":"x","type":"double"},{"name":"label","type":"int"},{"name":"raw","type":"bytes"}]}`})
	events := framedPoints(3, 50)
	for i := range events {
		events[i] += "\x00"
	}
	c := streamtest.Connect(t, k)
	c.Produce(t, "points", 0, events...)
	dir := t.TempDir()
	state := filepath.Join(dir, "state")
	of := []string{"--brokers", k, "--input", "points"}
	call(t, "", append([]string{"check", "--format", "avro", "--schema-registry", fake.URL(), "--state", state,
		"--label-field", "y"}, of...)...).want(t, cli.ExitDone, "points-value version 4 (id 3, avro, a): 2 fields "+
		"can make features; never: raw", "")
	run := append([]string{"run", "--format", "avro", "--schema-registry", fake.URL(), "--state", state, "--until-end",
		"--http", "off", "--checkpoint-topic", "points.checkpoints", "--create-topics"}, of...)
	call(t, "", run...).want(t, cli.ExitDone, "50 predictions", `"use":"1 field can make features; never: raw"`)
	fake.Reset()
	topic := []string{"inspect", "--brokers", k, "--checkpoint-topic", "points.checkpoints"}
	event := append(topic[:len(topic):len(topic)], "--event", "-")
	call(t, events[0], event...).want(t, cli.ExitDone, "prediction", "")
	folder := filepath.Join(state, "points")
	call(t, events[1], "inspect", folder, "--event", "-").want(t, cli.ExitDone, "prediction", "")
	call(t, "\x00\x00\x00\x00\x09xxx", event...).want(t, cli.ExitFailed, "", "the model does not know schema 9")
	file := filepath.Join(dir, "copy")
	call(t, "", append(topic, "--export", file)...).want(t, cli.ExitDone, "wrote", "")
	call(t, events[2], "inspect", file, "--event", "-").want(t, cli.ExitDone, "prediction", "")
	c.Produce(t, "points", 0, events...)
	call(t, "", run...).want(t, cli.ExitDone, "100 predictions", "")
	call(t, "", append([]string{"verify", "--from-checkpoint", file}, of...)...).want(t, cli.ExitPartial,
		"50 predictions (seq 51 to 100), 0 dead letters", "")
}
