package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
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
