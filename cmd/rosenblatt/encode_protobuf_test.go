package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/sr/srfake"

	"rosenblatt/cmd/internal/cli"
)

// TestEncodeProtobuf: events in json that are sent in protobuf, bare, behind ids of a registry or with them in headers,
// get the predictions of the events in json.
func TestEncodeProtobuf(t *testing.T) {
	t.Parallel()
	const n = 200
	topics := []string{"text", "bare", "prefix", "header"}
	k := broker(t, kfake.SeedTopics(1, append(topics, "bad")...))
	fake := srfake.New()
	t.Cleanup(fake.Close)
	_, forms := sales(t, n, true)
	file, schema := write(t, "sales.jsonl", strings.Join(forms, "\n")+"\n"), write(t, "sale.proto", saleProto)
	common := filepath.Join(filepath.Dir(schema), "common.proto")
	if err := os.WriteFile(common, []byte(commonProto), 0o600); err != nil {
		t.Fatal(err)
	}
	_, own, _ := strings.Cut(commonProto, "shop;\n")
	whole := write(t, "whole.proto", strings.Replace(saleProto, `import "common.proto";`, "", 1)+"\n"+own)
	var first []string
	for _, topic := range topics {
		args := []string{"produce", file, "--brokers", k, "--topic", topic}
		encode := []string{"--encode", "protobuf", "--message", "Sale", "--schema"}
		switch topic {
		case "bare":
			args = append(append(args, encode...), schema)
		case "prefix", "header":
			args = append(append(args, encode...), whole, "--schema-registry", fake.URL(), "--schema-id-in", topic)
			call(t, "", args...).want(t, cli.ExitFailed, "", "not registered under the subject "+topic+"-value")
			args = append(args, "--register")
		}
		sent := call(t, "", args...)
		sent.want(t, cli.ExitDone, "200 events in "+topic, "")
		found := predictedAsSent(t, k, topic, sent, n)
		if first == nil {
			first = found
		}
		if !slices.Equal(found, first) {
			t.Errorf("%s: other predictions", topic)
		}
	}
	bad := write(t, "bad.jsonl", forms[0]+"\n"+`{"id":1.5}`+"\n"+forms[1]+"\n")
	args := []string{"produce", bad, "--brokers", k, "--topic", "bad", "--encode", "protobuf", "--schema"}
	call(t, "", append(args, schema, "--message", "Sale")...).want(t, cli.ExitFailed, "1 event in bad",
		filepath.Base(bad)+`:2: the event does not fit the schema, and nothing behind it is sent: field "id": 1.5`)
	call(t, "", append(args, schema)...).want(t, cli.ExitFailed, "", "--message says which: shop.Label, shop.Sale")
	call(t, "", append(args, schema, "--message", "Sale", "--schema-registry", fake.URL())...).want(t, cli.ExitFailed,
		"", "imports common.proto, which the registry would need")
	call(t, "", "produce", bad, "--brokers", k, "--topic", "bad", "--encode", "avro", "--schema", schema, "--message",
		"Sale").want(t, cli.ExitUsage, "", "it is for --encode protobuf")
}
