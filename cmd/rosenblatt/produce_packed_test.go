package main

import (
	"maps"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/generate"
)

// TestProducePacked: events are packed as asked, and the same as they were when they are unpacked.
func TestProducePacked(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(1, "events"))
	for _, name := range []string{"none", "gzip", "snappy", "lz4", "zstd"} {
		call(t, "", "produce", "--brokers", k, "--topic", "events", "--generate", "hyperplane", "--count", "50",
			"--compression", name).want(t, cli.ExitDone, "50 events in events", "")
	}
	cl, err := kgo.NewClient(kgo.SeedBrokers(k), kgo.ConsumeTopics("events"))
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	first, seen := string(generate.New(1).AppendJSON(nil)), map[uint8]int{}
	for n := 0; n < 250; {
		cl.PollFetches(t.Context()).EachRecord(func(r *kgo.Record) {
			seen[r.Attrs.CompressionType()]++
			if r.Offset%50 == 0 && string(r.Value) != first {
				t.Errorf("offset %d: %s, want %s", r.Offset, r.Value, first)
			}
			n++
		})
	}
	if want := (map[uint8]int{0: 50, 1: 50, 2: 50, 3: 50, 4: 50}); !maps.Equal(seen, want) {
		t.Errorf("events by codec %v, want %v", seen, want)
	}
}

// TestProduceErrors: without a broker the error has no names of functions in it, and says where to look.
func TestProduceErrors(t *testing.T) {
	t.Parallel()
	got := call(t, "", "produce", "--brokers", "127.0.0.1:1", "--topic", "events", "--generate", "hyperplane",
		"--count", "1")
	got.want(t, cli.ExitFailed, "", "rosenblatt: brokers 127.0.0.1:1: "+
		"dial tcp 127.0.0.1:1: connect: connection refused: rosenblatt check, with the same flags")
	if strings.Contains(got.stderr, "Metadata") {
		t.Errorf("a name of ours in %s", got.stderr)
	}
	k := broker(t, kfake.EnableSASL(), kfake.EnableACLs(), kfake.Superuser("PLAIN", "root", "root"),
		kfake.User("PLAIN", "me", "geheim"))
	call(t, "", "produce", "--brokers", k, "--topic", "events", "--create-topic", "--generate", "hyperplane",
		"--count", "1", "--sasl", "plain", "--sasl-user", "me",
		"--sasl-password-file", write(t, "p", "geheim")).want(t, cli.ExitFailed, "", "this user may not ")
}
