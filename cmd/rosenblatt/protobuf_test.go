package main

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/sr"
	"github.com/twmb/franz-go/pkg/sr/srfake"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/protobuf"
	"rosenblatt/stream/streamtest"
)

const saleProto = `syntax = "proto3";
package shop;
import "common.proto";
import "google/protobuf/timestamp.proto";
message Label { int64 id = 1; bool label = 2; }
message Sale {
  int64 id = 1;
  Country country = 9;
  optional bool label = 2;
  Item item = 3;
  map<string, double> weights = 4;
  google.protobuf.Timestamp at = 5;
  bytes raw = 6;
  message Nested { double x = 1; }
}`

const commonProto = `syntax = "proto3"; package shop;
enum Country { DE = 0; FR = 1; }
message Item { double price = 1; }`

// sales returns events as protobuf and in JSON, written by the library.
func sales(t *testing.T, n int, labelled bool) (values, forms []string) {
	t.Helper()
	text, err := protobuf.Normalize(saleProto, protobuf.Import{Path: "common.proto", Text: commonProto})
	if err != nil {
		t.Fatal(err)
	}
	d, err := protobuf.Descriptor(text, "Sale")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 7))
	for i := range n {
		x, country := r.NormFloat64(), []string{"DE", "FR"}[r.IntN(2)]
		label := ""
		if labelled && i%17 != 0 {
			label = fmt.Sprintf(`"label":%v,`, (country == "FR") != (x > 0.3))
		}
		m := dynamicpb.NewMessage(d)
		object := fmt.Sprintf(`{"id":"%d","country":%q,%s"item":{"price":%d.5},"weights":{"x":%v},`+
			`"at":"2026-11-26T22:05:0%d.5Z","raw":"AAE="}`, i, country, label, i%7, x, i%10)
		if err := protojson.Unmarshal([]byte(object), m); err != nil {
			t.Fatal(err)
		}
		values = append(values, marshalled(t, m))
		forms = append(forms, fmt.Sprintf(`{"id":%d,"country":%q,%s"item":{"price":%d.5},"weights":{"x":%v},"at":%d}`,
			i, country, label, i%7, x, 1795730700500+1000*(i%10)))
	}
	return values, forms
}

func marshalled(t *testing.T, m protoreflect.ProtoMessage) string {
	t.Helper()
	b, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestProtobuf: bare values of a .proto file with an import are predicted as their JSON forms are, also from a journal
// after a crash; verify computes the same.
func TestProtobuf(t *testing.T) {
	t.Parallel()
	const n = 300
	k, dir, state := broker(t, kfake.SeedTopics(1, "sales", "forms")), t.TempDir(), t.TempDir()
	values1, forms := sales(t, 2*n, true)
	c := streamtest.Connect(t, k)
	c.Produce(t, "sales", 0, values1[:n]...)
	c.Produce(t, "forms", 0, forms...)
	for name, text := range map[string]string{"sale.proto": saleProto, "common.proto": commonProto} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "sale.proto")
	common := []string{"--brokers", k, "--create-topics", "--until-end", "--http", "off", "--learner", "logistic"}
	run := append([]string{"run", "--input", "sales", "--state", state, "--format", "protobuf"}, common...)
	call(t, "", run...).want(t, cli.ExitUsage, "", "it needs --schema-registry URL, or --schema FILE")
	call(t, "", append(run, "--schema", file)...).want(t, cli.ExitUsage, "",
		"several messages: --message says which: shop.Label, shop.Sale")
	call(t, "", append(run, "--message", "Sale")...).want(t, cli.ExitUsage, "", "a message is named of a schema")
	run = append(run, "--schema", file, "--message", "Sale")
	call(t, "", run...).want(t, cli.ExitDone, "300 predictions", "")
	before := filepath.Join(dir, "before")
	if err := os.CopyFS(before, os.DirFS(state)); err != nil {
		t.Fatal(err)
	}
	c.Produce(t, "sales", 0, values1[n:]...)
	call(t, "", run...).want(t, cli.ExitDone, "600 predictions", "")
	restored := slices.Clone(run)
	restored[slices.Index(run, state)] = before // the checkpoint of before: what follows is learned again
	c.Produce(t, "sales", 0, "\x0a", values1[0])
	call(t, "", restored...).want(t, cli.ExitDone, "601 predictions", "")
	call(t, "", append([]string{"run", "--input", "forms", "--state", filepath.Join(dir, "f")}, common...)...).want(t,
		cli.ExitDone, "600 predictions", "")
	want := values(t, k, "forms.predictions", 0, 2*n)
	for i, value := range values(t, k, "sales.predictions", 0, 2*n) {
		if scoreIn(value) != scoreIn(want[i]) || !strings.HasPrefix(value, fmt.Sprintf(`{"id":%d,`, i)) {
			t.Fatalf("prediction %d is %s, of json %s", i, value, want[i])
		}
	}
	if dead := values(t, k, "sales.dlq", 0, 1); dead[0] != "\x0a" {
		t.Errorf("dead letter %q", dead[0])
	}
	audit := []string{"verify", "--brokers", k, "--input", "sales"}
	call(t, "", append(audit, "--state", before)...).want(t, cli.ExitDone, "601 predictions", "")
	bare := []string{"--brokers", k, "--input", "sales", "--format", "protobuf", "--schema", file, "--message",
		"shop.Sale"}
	call(t, "", append([]string{"verify", "--learner", "logistic"}, bare...)...).want(t, cli.ExitDone, "601", "")
	check := append([]string{"check", "--output", "new", "--create-topics"}, bare...)
	call(t, "", check...).want(t, cli.ExitDone, "schema       4 fields can make features; never: raw\n", "")
	call(t, "", append(check, "--label-field", "paid")...).want(t, cli.ExitDone, `it has no field "paid"`, "")
	call(t, "", append([]string{"replay", "--topic", "sales"}, append(bare[:2:2], bare[4:]...)...)...).want(t,
		cli.ExitDone, "perceptron       564", "")
	call(t, "", "replay", file, "--format", "protobuf").want(t, cli.ExitUsage, "", "there are no files of protobuf")
	call(t, "", "inspect", filepath.Join(before, "sales"), "--event", forms[0]).want(t, cli.ExitDone, "weights.x", "")
	// What does not count may change, and a field may not.
	other := strings.Replace(saleProto, "package shop;", "package shop; // comment\noption go_package = \"x/y\";", 1)
	if err := os.WriteFile(file, []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	call(t, "", run...).want(t, cli.ExitDone, "601 predictions", "")
	if err := os.WriteFile(file, []byte(strings.Replace(other, "raw = 6", "raw = 7", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	call(t, "", run...).want(t, cli.ExitStopped, "", "decode.schema")
}

// TestProtobufRegistry: events and label records are framed, of messages at places of schemas with references; verify
// needs no registry.
func TestProtobufRegistry(t *testing.T) {
	t.Parallel()
	const n = 200
	k, state := broker(t, kfake.SeedTopics(1, "sales", "paid")), t.TempDir()
	fake := srfake.New()
	t.Cleanup(fake.Close)
	fake.SeedSchema("common", 1, 4, sr.Schema{Schema: commonProto, Type: sr.TypeProtobuf})
	fake.SeedSchema("sales-value", 1, 5, sr.Schema{Schema: saleProto, Type: sr.TypeProtobuf,
		References: []sr.SchemaReference{{Name: "common.proto", Subject: "common", Version: 1}}})
	values1, _ := sales(t, n, false)
	framed := func(data, places string) string {
		return string(binary.BigEndian.AppendUint32([]byte{0}, 5)) + places + data
	}
	c := streamtest.Connect(t, k)
	for i, value := range values1 {
		c.Produce(t, "sales", 0, framed(value, "\x02\x02"))
		label := string(binary.AppendUvarint([]byte{8}, uint64(i))) + "\x10" + string(rune(i%2))
		c.Produce(t, "paid", 0, framed(label, "\x00"))
	}
	c.Produce(t, "sales", 0, framed(values1[0], "\x02\x04"), framed(values1[0], "\x04\x02\x08")) // no such places
	run := []string{"run", "--brokers", k, "--input", "sales", "--labels", "paid", "--format", "protobuf",
		"--state", state, "--create-topics", "--until-end", "--http", "off", "--schema-registry", fake.URL()}
	got := call(t, "", run...)
	got.want(t, cli.ExitDone, "2 rejected; all labels that came (200)", `"schema":"5"`)
	got.want(t, cli.ExitDone, "", "schema 5 has no message at the place [2]")
	call(t, "", "verify", "--brokers", k, "--input", "sales", "--state", state).want(t, cli.ExitDone,
		"200 predictions (seq 1 to 400), 2 dead letters", "")
	fake.Reset()
	c.Produce(t, "sales", 0, framed(values1[0], "\x02\x02"))
	call(t, "", run...).want(t, cli.ExitDone, "201 predictions", "")
	call(t, "", "verify", "--brokers", k, "--input", "sales", "--state", state).want(t, cli.ExitDone,
		"201 predictions (seq 1 to 402), 2 dead letters", "")
}
