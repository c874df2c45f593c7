package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	library "github.com/twmb/avro"
	"github.com/twmb/avro/ocf"
	"github.com/twmb/franz-go/pkg/kfake"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/streamtest"
)

const orderSchema = `{"type":"record","name":"Order","doc":"an order","fields":[
	{"name":"id","type":"long"},
	{"name":"label","type":["null","boolean"],"default":null},
	{"name":"price","type":{"type":"bytes","logicalType":"decimal","precision":9,"scale":2}},
	{"name":"country","type":{"type":"enum","name":"Country","symbols":["DE","FR"]}},
	{"name":"weights","type":{"type":"map","values":"double"}},
	{"name":"at","type":{"type":"long","logicalType":"timestamp-micros"}},
	{"name":"raw","type":"bytes"}]}`

// orders returns events as objects for the library to encode, and their JSON forms.
func orders(n int) (objects []any, forms []string) {
	r := rand.New(rand.NewPCG(3, 7))
	for i := range n {
		cents, country, x := int64(r.IntN(9000)), r.IntN(2), r.NormFloat64()
		label := (country == 1) != (x > 0.3)
		var price [8]byte
		binary.BigEndian.PutUint64(price[:], uint64(cents))
		var labelled any = label
		text := fmt.Sprint(label)
		if i%17 == 0 {
			labelled, text = nil, "null"
		}
		objects = append(objects, map[string]any{"id": int64(i), "label": labelled, "price": price[:],
			"country": []string{"DE", "FR"}[country], "weights": map[string]float64{"x": x},
			"at": int64(1764194700000000 + i*1000), "raw": []byte{1, 2}})
		number, _ := json.Marshal(x)
		forms = append(forms, fmt.Sprintf(`{"id":%d,"label":%s,"price":%v,"country":%q,"weights":{"x":%s},"at":%d}`,
			i, text, math.Round(float64(cents))/100, []string{"DE", "FR"}[country], number, 1764194700000+i))
	}
	return objects, forms
}

// container writes a container file.
func container(t *testing.T, objects []any, codec ocf.Codec) string {
	t.Helper()
	// The library would want a rational number in place of bytes.
	schema := library.MustParse(orderSchema, library.WithCustomType(library.CustomType{LogicalType: "decimal"}))
	var b bytes.Buffer
	w, err := ocf.NewWriter(&b, schema, ocf.WithCodec(codec), ocf.WithBlockBytes(2000))
	for i := 0; i < len(objects) && err == nil; i++ {
		err = w.Encode(objects[i])
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return write(t, "orders.avro", b.String())
}

// TestAvro: what commands make of events in avro is what they make of their JSON forms: a container file that is
// replayed, trained on and produced, and then a topic of bare values.
func TestAvro(t *testing.T) {
	t.Parallel()
	const n = 700
	k, dir := broker(t, kfake.SeedTopics(1, "orders")), t.TempDir()
	objects, forms := orders(n)
	file := container(t, objects, ocf.DeflateCodec(6))
	text := write(t, "orders.jsonl", strings.Join(forms, "\n")+"\n")
	learner := []string{"--learner", "logistic"}
	var scores [2]string
	for i, path := range []string{file, text} {
		scores[i] = filepath.Join(dir, fmt.Sprint(i, ".jsonl"))
		got := call(t, "", append([]string{"replay", path, "--predictions", scores[i]}, learner...)...)
		got.want(t, cli.ExitDone, "658", "")
	}
	replayed := strings.Split(strings.TrimSpace(read(t, scores[0])), "\n")
	if other := strings.Split(strings.TrimSpace(read(t, scores[1])), "\n"); !slices.EqualFunc(replayed, other,
		func(a, b string) bool { return scoreIn(a) == scoreIn(b) && a[:9] == b[:9] }) {
		t.Fatalf("%s\n%s", replayed[n-1], other[n-1])
	}
	call(t, "", "train", file, "--max-passes", "2", "--until", "budget", "--out", filepath.Join(dir, "m")).want(t,
		cli.ExitDone, "", "")
	call(t, "", "replay", file, "--schema", file).want(t, cli.ExitUsage, "", "leave --schema out")

	schema := write(t, "order.avsc", orderSchema)
	sent := call(t, "", "produce", file, "--brokers", k, "--topic", "orders", "--key", "id")
	sent.want(t, cli.ExitDone, "700 events", "run needs: --format avro --schema ")
	run := []string{"run", "--brokers", k, "--input", "orders", "--create-topics", "--until-end", "--http", "off",
		"--state", dir, "--learner", "logistic"}
	call(t, "", append(run, "--format", "avro")...).want(t, cli.ExitUsage, "",
		"it needs --schema-registry URL, or --schema FILE")
	call(t, "", append(run, "--schema", schema)...).want(t, cli.ExitUsage, "", "say --format avro")
	call(t, "", append(run, settingsFor(t, sent.stderr)...)...).want(t, cli.ExitDone, "700 predictions", "")
	for i, value := range values(t, k, "orders.predictions", 0, n) {
		if scoreIn(value) != scoreIn(replayed[i]) || !strings.HasPrefix(value, fmt.Sprintf(`{"id":%d,`, i)) {
			t.Fatalf("prediction %d is %s, replay says %s", i, value, replayed[i])
		}
	}
	// The text of the schema in the file has no documentation, and is the same.
	told := append(run, "--format", "avro", "--schema", schema)
	call(t, "", told...).want(t, cli.ExitDone, "0 predictions", "")
	call(t, "", "verify", "--brokers", k, "--input", "orders", "--state", dir).want(t, cli.ExitDone, "", "")
	check := []string{"check", "--brokers", k, "--input", "orders", "--output", "new", "--create-topics", "--format",
		"avro", "--schema", schema}
	call(t, "", check...).want(t, cli.ExitDone, "schema       4 fields can make features; never: raw\n", "")
	call(t, "", append(check, "--label-field", "paid", "--id-field", "nr")...).want(t, cli.ExitDone,
		`it has no field "paid"`, "")
	call(t, "", "inspect", filepath.Join(dir, "orders"), "--event", forms[0]).want(t, cli.ExitDone, "country=", "")
}

// TestAvroRejects: a broken event becomes a dead letter with its bytes, and its offset in the value.
func TestAvroRejects(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(1, "e"))
	cluster := streamtest.Connect(t, k)
	send := func(topic string, events ...[]byte) {
		for _, event := range events {
			cluster.Produce(t, topic, 0, string(event))
		}
	}
	schema := write(t, "e.avsc", `{"type":"record","name":"E","fields":[{"name":"label","type":"int"},`+
		`{"name":"x","type":"double"},{"name":"s","type":"string"}]}`)
	double := binary.LittleEndian.AppendUint64(nil, math.Float64bits(1.5))
	good := append(append([]byte{2}, double...), "\x02a"...)
	send("e", good, good[:5], append(slices.Clone(good), 7), []byte(`{"label":1}`),
		append(append([]byte{2}, double...), "\x02\xff"...))
	call(t, "", "run", "--brokers", k, "--input", "e", "--create-topics", "--until-end", "--http", "off", "--state",
		t.TempDir(), "--format", "avro", "--schema", schema).want(t, cli.ExitDone, "1 predictions", "")
	dead := values(t, k, "e.dlq", 0, 4)
	if dead[0] != string(good[:5]) {
		t.Errorf("dead letter %q", dead[0])
	}
}

// TestAvroLabels: labels come in avro of their own schema, events in json, and the other way round.
func TestAvroLabels(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(1, "e", "l", "e2", "l2"))
	cluster := streamtest.Connect(t, k)
	send := func(topic string, events ...[]byte) {
		for _, event := range events {
			cluster.Produce(t, topic, 0, string(event))
		}
	}
	label := write(t, "l.avsc", `{"type":"record","name":"L","fields":[{"name":"id","type":"long"},`+
		`{"name":"label","type":{"type":"enum","name":"Y","symbols":["no","yes"]}}]}`)
	event := write(t, "e.avsc", `{"type":"record","name":"E","fields":[{"name":"id","type":"long"},`+
		`{"name":"x","type":"float"}]}`)
	for i := range 40 {
		x := binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(i)))
		send("e", fmt.Appendf(nil, `{"id":%d,"x":%d}`, i, i))
		send("e2", append(binary.AppendVarint(nil, int64(i)), x...))
		send("l", binary.AppendVarint(binary.AppendVarint(nil, int64(i)), int64(i%2)))
		send("l2", fmt.Appendf(nil, `{"id":%d,"label":%q}`, i, []string{"no", "yes"}[i%2]))
	}
	var outcomes [2][]string
	for i, args := range [][]string{
		{"--input", "e", "--labels", "l", "--labels-format", "avro", "--labels-schema", label},
		{"--input", "e2", "--labels", "l2", "--format", "avro", "--schema", event, "--labels-format", "json"},
	} {
		dir := t.TempDir()
		call(t, "", append([]string{"run", "--brokers", k, "--create-topics", "--until-end", "--http", "off",
			"--positive", "yes", "--state", dir}, args...)...).want(t, cli.ExitDone, "40 predictions", "")
		for _, o := range values(t, k, args[1]+".outcomes", 0, 40) {
			before, _, _ := strings.Cut(o, `"delay"`)
			outcomes[i] = append(outcomes[i], before)
		}
		call(t, "", "verify", "--brokers", k, "--input", args[1], "--state", dir).want(t, cli.ExitDone, "", "")
	}
	if !slices.Equal(outcomes[0], outcomes[1]) {
		t.Errorf("%s\n%s", outcomes[0], outcomes[1])
	}
}
