package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/verify"
)

// splitRun produces events into three partitions, their labels into those of another topic, and runs a model for each.
func splitRun(t *testing.T) (c *streamtest.Cluster, brokers []string, state string) {
	t.Helper()
	k := broker(t, kfake.SeedTopics(3, "events", "clicks"))
	c = streamtest.Connect(t, k)
	for p := range 3 {
		for i := range 60 {
			at := int64(1_000_000 + 1000*i)
			c.ProduceAt(t, "events", p, at, fmt.Sprintf(`{"id":"p%d-%d","x":%d,"y":%d}`, p, i, i%7-3, i%3))
			if i%5 != 0 {
				c.ProduceAt(t, "clicks", p, at+2500, fmt.Sprintf(`{"id":"p%d-%d","label":%d}`, p, i, (i+p)/2%2))
			}
		}
	}
	brokers, state = []string{"--brokers", k}, t.TempDir()
	call(t, "", slices.Concat(splitFlags(state, "run"), []string{"--create-topics", "--until-end", "--http", "off"},
		brokers)...).want(t, cli.ExitDone, "model events.2: ", "")
	return c, brokers, state
}

func splitFlags(state, command string) []string {
	return []string{command, "--input", "events", "--labels", "clicks", "--label-wait", "30s", "--state", state,
		"--model-per", "partition"}
}

// TestSplitProved: verify, inspect and replay take the model of one partition, and agree with it.
func TestSplitProved(t *testing.T) {
	t.Parallel()
	c, brokers, state := splitRun(t)
	for p := range 3 {
		number := strconv.Itoa(p)
		v, got := verifyJSON(t, slices.Concat(brokers, []string{"--input", "events", "--state", state, "--label-wait",
			"30s", "--partition", number})...)
		if got.code != cli.ExitDone || !v.OK || v.Predictions != 60 || v.Labels.Outcomes["labelled"] == 0 ||
			v.Labels.Outcomes["expired"] == 0 || v.Floor == nil {
			t.Errorf("partition %d: %s%s", p, got.stdout, got.stderr)
		}
		folder := filepath.Join(state, "events."+number)
		got = call(t, "", "inspect", folder)
		got.want(t, cli.ExitDone, "partition    "+number+" alone", "")
		got.want(t, cli.ExitDone, "events.predictions, partition "+number+", id", "")
		var saved struct {
			Score     struct{ Examples, Mistakes, Updates int64 }
			Positions []int64
		}
		if err := json.Unmarshal([]byte(call(t, "", "inspect", "--json", folder).stdout), &saved); err != nil {
			t.Fatal(err)
		}
		l := replayJSON(t, "", slices.Concat(brokers, []string{"--topic", "events", "--order", "journal", "--labels",
			"clicks", "--partitions", number})...).Learners[0]
		if l.Examples != saved.Score.Examples || l.Mistakes != saved.Score.Mistakes ||
			l.Updates != saved.Score.Updates || saved.Score.Mistakes == 0 {
			t.Errorf("partition %d: replay has %+v, the daemon %+v", p, l, saved.Score)
		}
	}
	call(t, "", slices.Concat([]string{"verify", "--input", "events", "--state", state}, brokers)...).want(t,
		cli.ExitUsage, "", "name one with --partition N")

	c.Produce(t, "events.predictions", 1, `{"prediction":1}`)
	for p, want := range []int64{0, 1, 0} {
		v, _ := verifyJSON(t, slices.Concat(brokers, []string{"--input", "events", "--state", state, "--label-wait",
			"30s", "--partition", strconv.Itoa(p)})...)
		if v.Counts[verify.Foreign] != want {
			t.Errorf("partition %d: %v", p, v.Counts)
		}
	}
}

// TestSplitChecked: check compares what all tasks need, and the folder's kind.
func TestSplitChecked(t *testing.T) {
	t.Parallel()
	c, brokers, state := splitRun(t)
	check := slices.Concat(splitFlags(state, "check"), brokers)
	call(t, "", check...).want(t, cli.ExitDone, "transactional id rosenblatt.events.predictions.0", "")
	call(t, "", slices.Concat([]string{"check", "--input", "events", "--state", state}, brokers)...).want(t,
		cli.ExitFailed, "FAIL  start        would stop with error=config: ", "")
	c.AddPartitions(t, "events", 4)
	got := call(t, "", check...)
	got.want(t, cli.ExitFailed, "FAIL  dead-letter  events.dlq has 3 partitions, the input has 4", "")
	got.want(t, cli.ExitFailed, "FAIL  labels       clicks has 3 partitions, the input has 4: with a model for", "")
}

// TestKeysChecked: produce places keys by the partitioner that it is told; check finds which one has placed those of
// events and labels, and that they differ.
func TestKeysChecked(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(4, "events", "clicks"))
	var lines strings.Builder
	for i := range 40 {
		fmt.Fprintf(&lines, `{"id":"e%d","user":"u%d","label":%d,"x":1}`+"\n", i, i, i%2)
	}
	produce := func(topic, partitioner string) {
		call(t, lines.String(), "produce", "-", "--format", "json", "--brokers", k, "--topic", topic, "--key", "user",
			"--partitioner", partitioner).want(t, cli.ExitDone, "40 events in "+topic, "")
	}
	check := func(flags ...string) outcome {
		return call(t, "", slices.Concat([]string{"check", "--brokers", k, "--input", "events", "--model-per",
			"partition", "--create-topics", "--state", t.TempDir()}, flags)...)
	}
	produce("events", "crc32")
	check().want(t, cli.ExitDone, "are not where the partitioner murmur2 puts them, but where crc32 does: set "+
		"--partitioner crc32", "")
	check("--partitioner", "crc32").want(t, cli.ExitDone,
		"ok    keys         the newest of events are where --partitioner crc32 puts them", "")
	check("--partitioner", "crc32", "--labels", "clicks").want(t, cli.ExitDone,
		"ok    keys         none of the newest records of clicks has one", "")
	produce("clicks", "murmur2")
	check("--partitioner", "crc32", "--labels", "clicks").want(t, cli.ExitFailed,
		"are not where the partitioner crc32 puts them, but where murmur2 does: a label has to be in", "")
	call(t, "", "check", "--brokers", k, "--input", "events", "--partitioner", "fnv1a").want(t, cli.ExitUsage, "",
		"want murmur2 or crc32")
}
