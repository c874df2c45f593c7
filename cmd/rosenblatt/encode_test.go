package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/sr/srfake"

	"rosenblatt/cmd/internal/cli"
)

// TestEncode: events in json that are sent in avro, bare, behind ids of a registry or with them in headers, get the
// predictions of the events in json.
func TestEncode(t *testing.T) {
	t.Parallel()
	const n = 300
	topics := []string{"text", "bare", "prefix", "header"}
	k := broker(t, kfake.SeedTopics(1, append(topics, "bad")...))
	fake := srfake.New()
	t.Cleanup(fake.Close)
	_, forms := orders(n)
	file, schema := write(t, "orders.jsonl", strings.Join(forms, "\n")+"\n"), write(t, "order.avsc", orderSchema)
	var first []string
	for _, topic := range topics {
		args := []string{"produce", file, "--brokers", k, "--topic", topic, "--key", "id"}
		switch topic {
		case "bare":
			args = append(args, "--encode", "avro", "--schema", schema)
		case "prefix", "header":
			args = append(args, "--encode", "avro", "--schema", schema, "--schema-registry", fake.URL(),
				"--schema-id-in", topic)
			call(t, "", args...).want(t, cli.ExitFailed, "", "not registered under the subject "+topic+
				"-value: --register adds it")
			call(t, "", append(args, "--count", "100", "--register")...).want(t, cli.ExitDone, "100 events", "")
			args = append(args, "--count", "200")
		}
		sent := call(t, "", args...)
		sent.want(t, cli.ExitDone, " events in "+topic, "")
		found := predictedAsSent(t, k, topic, sent, n)
		if first == nil {
			first = found
		}
		if !slices.Equal(found[:100], first[:100]) || topic == "bare" && !slices.Equal(found, first) {
			t.Errorf("%s: other predictions", topic)
		}
	}
	for topic, code := range map[string]int{"header": cli.ExitDone, "prefix": cli.ExitFailed} { // values are bare
		call(t, "", "replay", "--brokers", k, "--topic", topic, "--format", "avro", "--schema", schema).want(t, code,
			"", "")
	}
	bad := write(t, "bad.jsonl", forms[0]+"\n"+`{"id":1.5,"price":1}`+"\n"+forms[1]+"\n")
	call(t, "", "produce", bad, "--brokers", k, "--topic", "bad", "--encode", "avro", "--schema", schema).want(t,
		cli.ExitFailed, "1 event in bad", filepath.Base(bad)+`:2: the event does not fit the schema, and nothing `+
			`behind it is sent: field "id": 1.5: it is no integer`)
	for want, args := range map[string][]string{
		"encode: \"csv\"":         {"--encode", "csv", "--schema", schema},
		"schema: missing":         {"--encode", "avro"},
		"these are for --encode":  {"--register"},
		"need --schema-registry":  {"--encode", "avro", "--schema", schema, "--register"},
		"schema-id-in: \"value\"": {"--encode", "avro", "--schema", schema, "--schema-id-in", "value"},
	} {
		call(t, "", append([]string{"produce", bad, "--brokers", k, "--topic", "bad"}, args...)...).want(t,
			cli.ExitUsage, "", want)
	}
	call(t, "", "produce", write(t, "x.csv", "a,b\n1,2\n"), "--brokers", k, "--topic", "bad", "--encode", "avro",
		"--schema", schema).want(t, cli.ExitUsage, "", "it is for events in json")
}

// predictedAsSent runs a model on a topic, with the settings that produce has named unless the topic has text, and
// returns the ids and the scores of its predictions.
func predictedAsSent(t *testing.T, brokers, topic string, sent outcome, n int) []string {
	t.Helper()
	run := []string{"run", "--brokers", brokers, "--input", topic, "--create-topics", "--until-end", "--http", "off",
		"--state", t.TempDir(), "--learner", "logistic"}
	if topic != "text" {
		run = append(run, settingsFor(t, sent.stderr)...)
	}
	call(t, "", run...).want(t, cli.ExitDone, fmt.Sprint(n, " predictions"), "")
	return idsAndScores(values(t, brokers, topic+".predictions", 0, n))
}
