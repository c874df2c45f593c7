package main

import (
	"bytes"
	"compress/gzip"
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
	k := broker(t, kfake.SeedTopics(1, "events"))
	for _, name := range []string{"none", "gzip", "snappy", "lz4", "zstd"} {
		call(t, "", "produce", "--brokers", k, "--topic", "events", "--generate", "led", "--count", "50", "--compression", name).want(t, cli.ExitDone, "50 events in events", "")
	}
	cl, err := kgo.NewClient(kgo.SeedBrokers(k), kgo.ConsumeTopics("events"))
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	s, err := generate.Open(generate.Options{Name: "led", Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	first, seen := string(s.Next().AppendJSON(nil)), map[uint8]int{}
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

// TestProduceSaysWhatIsWrong: without a broker the error has no names of functions in it, and says where to look further.
func TestProduceSaysWhatIsWrong(t *testing.T) {
	got := call(t, "", "produce", "--brokers", "127.0.0.1:1", "--topic", "events", "--generate", "sea", "--count", "1")
	got.want(t, cli.ExitFailed, "", "rosenblatt: brokers 127.0.0.1:1: dial tcp 127.0.0.1:1: connect: connection refused: rosenblatt check, with the same flags")
	if strings.Contains(got.stderr, "Metadata") {
		t.Errorf("a name of ours in %s", got.stderr)
	}
	k := broker(t, kfake.EnableSASL(), kfake.EnableACLs(), kfake.Superuser("PLAIN", "root", "root"), kfake.User("PLAIN", "me", "geheim"))
	call(t, "", "produce", "--brokers", k, "--topic", "events", "--create-topic", "--generate", "sea", "--count", "1", "--sasl", "plain", "--sasl-user", "me",
		"--sasl-password-file", write(t, "p", "geheim")).want(t, cli.ExitFailed, "", "this user may not ")
}

// TestPackedFileHasProgress: how far a packed file is, by its own bytes, in each round, never back and never beyond its end.
func TestPackedFileHasProgress(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	s, err := generate.Open(generate.Options{Name: "rbf", Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	const lines, rounds = 20_000, 3
	for range lines {
		if _, err := z.Write(append(s.Next().AppendJSON(nil), '\n')); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	size := int64(packed.Len())
	f, err := (&produceCommand{File: write(t, "e.jsonl.gz", packed.String()), Repeat: rounds}).open(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	if total, _ := f.total(); total != rounds*size {
		t.Fatalf("%d bytes in all, want %d", total, rounds*size)
	}
	events, ended := f.events(t.Context())
	var before, n int64
	for e := range events {
		done := float64(n) / lines * float64(size)
		if e.end < before || e.end > rounds*size || float64(e.end) < done-float64(size)/20 || float64(e.end) > done+float64(size)/3 {
			t.Fatalf("event %d: at %d after %d, of %d bytes a round", n, e.end, before, size)
		}
		before, n = e.end, n+1
	}
	if err := ended(); err != nil || n != rounds*lines {
		t.Errorf("%d events, %v", n, err)
	}
}

// TestProduceProgress: bytes of a file, events of a count, or just how many.
func TestProduceProgress(t *testing.T) {
	by := &sender{sent: 100, done: 150}
	for _, c := range []struct {
		feed    feed
		max     int64
		percent float64
	}{{feed{size: 300, repeat: 2}, 600, 0.25}, {feed{size: 300, limit: 400}, 400, 0.25}, {feed{size: 300}, -1, 0}} {
		var out bytes.Buffer
		show := newProduceShow(&out, &c.feed)
		show.moved(by)
		if got := show.bar.State(); got.Max != c.max || c.max > 0 && got.CurrentPercent != c.percent || c.max < 0 && got.CurrentBytes != 100 {
			t.Errorf("%+v: %+v", c.feed, got)
		}
		if told := strings.Contains(show.bar.State().Description, "100 so far"); told != (c.max < 0) {
			t.Errorf("%+v: %q", c.feed, show.bar.State().Description)
		}
		show.end()
		if !strings.HasSuffix(out.String(), "\r\x1b[K") {
			t.Errorf("%+v: the line is not left empty: %q", c.feed, out.String())
		}
	}
	progress(newProgram(nil, nil, &bytes.Buffer{}), &feed{}).moved(by) // no terminal: nothing to show
}
