package main

import (
	"encoding/base64"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/sr"
	"github.com/twmb/franz-go/pkg/sr/srfake"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/streamtest"
)

// points are events in json, one in 23 of them bad.
func points(n int) (all []string) {
	for i := range n {
		x := float64(i*37%101)/50 - 1
		e := fmt.Sprintf(`{"id":"e%d","label":%d,"features":{"x":%v,"m":"m%d"}}`, i, i*37%101/51, x, i%3)
		if i%23 == 7 {
			e = fmt.Sprintf(`{"id":"e%d","label":"?","features":{"x":%v}}`, i, x)
		}
		all = append(all, e)
	}
	return all
}

// inCloudEvents puts events into CloudEvents of all modes. What is no CloudEvent, and one without data, is between
// them.
func inCloudEvents(events []string) (all []kafka.Record) {
	record := func(value string, headers ...kafka.Header) {
		all = append(all, kafka.Record{Value: kafka.NewBytes([]byte(value)), Headers: headers})
	}
	attributes := []kafka.Header{{Key: "ce_specversion", Value: []byte("1.0")}, {Key: "ce_id", Value: []byte("a")},
		{Key: "content-type", Value: []byte("application/json")}}
	for i, e := range events {
		switch i % 4 {
		case 0:
			record(e, attributes...)
		case 1:
			record(`{"specversion":"1.0","id":"a","data":` + e + `}`)
		case 2:
			record(`{"id":"a","data_base64":"`+base64.StdEncoding.EncodeToString([]byte(e))+`"}`,
				kafka.Header{Key: "content-type", Value: []byte("application/cloudevents+json")})
		default:
			record(` {"data":` + e + `,"specversion":"1.0"} `)
		}
		if i%31 == 0 {
			record(e)
			record(`{"specversion":"1.0"}`)
		}
	}
	return all
}

// inDebezium puts events into envelopes of Debezium, with a schema part and without.
func inDebezium(events []string) (all []kafka.Record) {
	record := func(value string) { all = append(all, kafka.Record{Value: kafka.NewBytes([]byte(value))}) }
	for i, e := range events {
		e = `{"before":null,"after":` + e + `,"source":{"table":"t"},"op":"` + "cur"[i%3:i%3+1] + `"}`
		if i%2 == 0 {
			e = `{"schema":{"type":"struct","fields":[{"type":"struct","field":"after","fields":[]}]},"payload":` + e +
				`}`
		}
		if record(e); i%31 == 0 {
			record(`{"op":"d","before":{},"after":null}`)
			record(`{"heartbeat":1}`)
		}
	}
	return all
}

// TestEnvelopes: events in envelopes get the predictions of the same events alone, from daemons that are killed at any
// moment, and verify finds nothing: from the state, and from nothing with the settings.
func TestEnvelopes(t *testing.T) {
	wholeProgram(t)
	t.Parallel()
	const n = 3000
	c := streamtest.Start(t)
	events := points(n)
	var alone []string
	for _, envelope := range []string{"none", "cloudevents", "debezium"} {
		s := streamtest.New(t, c, 1)
		var records []kafka.Record
		switch envelope {
		case "none":
			for _, e := range events {
				records = append(records, kafka.Record{Value: kafka.NewBytes([]byte(e))})
			}
		case "cloudevents":
			records = inCloudEvents(events)
		default:
			records = inDebezium(events)
		}
		for part := range slices.Chunk(records, 500) {
			s.Cluster.ProduceRecords(t, s.Name, 0, part...)
		}
		flags := []string{"--envelope", envelope, "--tombstones", "skip", "--learner", "logistic"}
		killed(t, s, n*22/23, 3, 5, flags...)
		good := n - (n-8)/23 - 1
		brokers := strings.Join(s.Cluster.Brokers, ",")
		predictions := idsAndScores(values(t, brokers, s.Output(), 0, good))
		if alone == nil {
			alone = predictions
		}
		if !slices.Equal(predictions, alone) {
			t.Errorf("%s: other predictions", envelope)
		}
		want := fmt.Sprintf("%d predictions", good)
		audit := []string{"verify", "--brokers", brokers, "--input", s.Name}
		call(t, "", append(audit, "--state", s.Dir)...).want(t, cli.ExitDone, want, "")
		call(t, "", append(append(audit, "--bits", "12"), flags...)...).want(t, cli.ExitDone, want, "")
	}
}

// idsAndScores returns the ids and scores of predictions.
func idsAndScores(predictions []string) (all []string) {
	for _, p := range predictions {
		id, _, _ := strings.Cut(p, `,"prediction"`)
		all = append(all, id+" "+scoreIn(p))
	}
	return all
}

// TestEnvelopeAvro: CloudEvents in json hold bytes in avro under an id of a registry, which is asked for; labels come
// as CloudEvents, too.
func TestEnvelopeAvro(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(1, "e", "l", "e.predictions", "e.outcomes", "e.dlq"))
	fake := srfake.New()
	t.Cleanup(fake.Close)
	fake.SeedSchema("e", 1, 3, sr.Schema{Schema: `{"type":"record","name":"E","fields":[` +
		`{"name":"x","type":"double"},{"name":"label","type":"int"}]}`})
	c := streamtest.Connect(t, k)
	for i, e := range framedPoints(3, 40) {
		c.Produce(t, "e", 0, fmt.Sprintf(`{"specversion":"1.0","id":"e%d","data_base64":%q}`, i,
			base64.StdEncoding.EncodeToString([]byte(e))))
		c.Produce(t, "l", 0, fmt.Sprintf(`{"specversion":"1.0","id":"e%d","data":{"label":%d}}`, i, i%2))
	}
	state := t.TempDir()
	run := []string{"run", "--brokers", k, "--input", "e", "--format", "avro", "--envelope", "cloudevents", "--state",
		state, "--until-end", "--http", "off", "--schema-registry", fake.URL(), "--label-field", "none"}
	call(t, "", append(run, "--labels", "l", "--labels-format", "json", "--labels-envelope", "cloudevents",
		"--labels-label-field", "label")...).want(t, cli.ExitDone, "40 predictions", "")
	for i, o := range values(t, k, "e.outcomes", 0, 40) {
		if !strings.HasPrefix(o, fmt.Sprintf(`{"id":"e%d","outcome":"labelled","label":%d`, i, i%2)) {
			t.Fatal(o)
		}
	}
	fake.Reset()
	call(t, "", "verify", "--brokers", k, "--input", "e", "--state", state).want(t, cli.ExitDone, "40 predictions", "")
}

// TestEnvelopeFiles: files of events in envelopes are replayed and trained on, and check says what other events are.
func TestEnvelopeFiles(t *testing.T) {
	t.Parallel()
	events, dir := points(300), t.TempDir()
	var lines []string
	for _, e := range events {
		lines = append(lines, `{"op":"c","after":`+e+`}`)
	}
	plain := write(t, "plain.jsonl", strings.Join(events, "\n")+"\n")
	rows := write(t, "rows.jsonl", strings.Join(lines, "\n")+"\n")
	var scores [2]string
	for i, args := range [][]string{{plain}, {rows, "--envelope", "debezium"}} {
		scores[i] = filepath.Join(dir, fmt.Sprint(i, ".jsonl"))
		call(t, "", append([]string{"replay", "--predictions", scores[i]}, args...)...).want(t, cli.ExitDone, "", "")
	}
	if a, b := read(t, scores[0]), read(t, scores[1]); a != b {
		t.Errorf("%s\n%s", a, b)
	}
	model := filepath.Join(dir, "m")
	call(t, "", "train", rows, "--envelope", "debezium", "--out", model).want(t, cli.ExitDone, "", "")
	call(t, "", "inspect", model, "--event", lines[0]).want(t, cli.ExitDone, "m=m0", "")
	call(t, "", "inspect", model, "--event", events[0]).want(t, cli.ExitDone, "m=m0", "")
	call(t, "", "replay", rows, "--envelope", "soap").want(t, cli.ExitUsage, "", "want none, cloudevents or debezium")
	call(t, "", "replay", plain, "--envelope", "debezium").want(t, cli.ExitFailed, "", "is it flattened?")
}
