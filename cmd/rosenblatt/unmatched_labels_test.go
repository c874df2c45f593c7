package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/sr"
	"github.com/twmb/franz-go/pkg/sr/srfake"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/streamtest"
)

// TestCheckMatchesLabels: check fails where the topics are there in whole and no label is of an event; not where one
// is, nor for labels from before the first event.
func TestCheckMatchesLabels(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(2, "events", "events.predictions", "events.dlq", "events.outcomes"),
		kfake.SeedTopics(1, "clicks"))
	c := streamtest.Connect(t, k)
	const at = 1_700_000_000_000
	c.ProduceAt(t, "clicks", 0, at-1, `{"id":"before","payment":"old","label":1}`)
	for i := range 20 {
		c.ProduceAt(t, "events", i%2, at, fmt.Sprintf(`{"id":"e%d","bin":"b%d","x":1}`, i, i))
	}
	if got := checkLabels(t, k); strings.Contains(got.stdout, "none of") {
		t.Error(got.stdout)
	}
	for i := range 20 {
		c.ProduceAt(t, "clicks", 0, at+1, fmt.Sprintf(`{"id":"e%d","payment":"p%d","label":1}`, i, i))
	}
	if got := checkLabels(t, k); strings.Contains(got.stdout, "none of") {
		t.Error(got.stdout)
	}
	got := checkLabels(t, k, "--id-field", "bin", "--labels-id-field", "payment")
	got.want(t, cli.ExitFailed, `FAIL  labels       none of 20 labels is of an event: ids of events are as "b0", `+
		`those of labels as "p0": write ids alike`, "")
}

// TestFramedKeys: keys of events that have the frame of a registry, where those of labels are plain, are told by check
// and by replay. So are label records without a key.
func TestFramedKeys(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(1, "events", "events.predictions", "events.dlq", "events.outcomes", "clicks",
		"keyless"))
	c := streamtest.Connect(t, k)
	record := func(key, value string) kafka.Record {
		r := kafka.Record{Value: kafka.NewBytes([]byte(value))}
		if key != "" {
			r.Key = kafka.NewBytes([]byte(key))
		}
		return r
	}
	for i := range 20 {
		c.ProduceRecords(t, "events", 0, record(fmt.Sprintf("\x00\x00\x00\x00\x07\x06a%02d", i), `{"x":1}`))
		c.ProduceRecords(t, "clicks", 0, record(fmt.Sprintf("a%02d", i), `{"label":1}`))
		c.ProduceRecords(t, "keyless", 0, record("", `{"label":1}`))
	}
	const found = "keys of events begin with the frame of a schema registry (0, schema 7), those of labels do not"
	got := checkLabels(t, k, "--join", "key")
	got.want(t, cli.ExitFailed, "FAIL  labels       "+found+": keys are compared byte by byte", "")
	if strings.Count(got.stdout, "FAIL") != 1 {
		t.Error(got.stdout)
	}
	replay := func(labels string) outcome {
		return call(t, "", "replay", "--brokers", k, "--topic", "events", "--labels", labels, "--join", "key")
	}
	replay("clicks").want(t, cli.ExitFailed, "", "labels found no event: "+found)
	const keyless = "the label record has no key, which would be its id"
	checkLabels(t, k, "--join", "key", "--labels", "keyless").want(t, cli.ExitFailed,
		keyless+": have the producer of labels write the id as the key", "")
	replay("keyless").want(t, cli.ExitFailed, "", keyless+"; have the producer of labels write the id as the key")
}

// TestCheckSchemaOfLabels: the newest schema of the labels' subject lacks nothing, or is told; with --join key no field
// need be the id.
func TestCheckSchemaOfLabels(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(1, "events", "events.predictions", "events.dlq", "events.outcomes", "clicks"))
	fake := srfake.New()
	t.Cleanup(fake.Close)
	fake.SeedSchema("events-value", 1, 3, sr.Schema{Schema: `{"type":"record","name":"e","fields":[` +
		`{"name":"x","type":"double"}]}`})
	fake.SeedSchema("clicks-value", 1, 4, sr.Schema{Schema: `{"type":"record","name":"l","fields":[` +
		`{"name":"label","type":"int"}]}`})
	streamtest.Connect(t, k)
	of := []string{"--format", "avro", "--schema-registry", fake.URL()}
	got := checkLabels(t, k, of...)
	got.want(t, cli.ExitDone, `note  schema       it has no field "id": --id-field NAME names the id of events`, "")
	got.want(t, cli.ExitDone, `note  schema       it has no field "id": --labels-id-field NAME names the id`, "")
	got = checkLabels(t, k, append(of, "--join", "key")...)
	got.want(t, cli.ExitDone, "clicks-value version 1 (id 4, avro, l): it has what a label record needs", "")
	if strings.Contains(got.stdout, "it has no field") {
		t.Error(got.stdout)
	}
}
