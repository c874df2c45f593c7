package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/generate"
	"rosenblatt/stream/streamtest"
)

// TestKilledWithoutAVolume: each process is killed at a random moment, and the next one starts with an empty folder.
// Every offset is predicted once, and every score is as recomputed in order of seq.
func TestKilledWithoutAVolume(t *testing.T) {
	wholeProgram(t)
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 2)
	g := generate.New(3)
	for p := range 2 {
		var events []string
		for range 8000 {
			events = append(events, string(g.AppendJSON(nil)))
		}
		s.Cluster.Produce(t, s.Name, p, events...)
	}
	kills := 8
	if testing.Short() {
		kills = 3
	}
	killedIn(t, s, t.TempDir, 2*8000, kills, 4, "--checkpoint-topic", s.Name+".checkpoints", "--create-topics",
		"--checkpoint-interval", "20ms")
	if o := s.Audit(t); len(o.Predictions) != 2*8000 {
		t.Errorf("%d predictions", len(o.Predictions))
	}
}

// TestTasksWithoutAVolume: with a model for each partition each has its own partition of the checkpoint topic, and goes
// on from there.
func TestTasksWithoutAVolume(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(3, "events"))
	g := generate.New(4)
	for range 3 {
		for p := range 3 {
			var events []string
			for range 300 {
				events = append(events, string(g.AppendJSON(nil)))
			}
			streamtest.Connect(t, k).Produce(t, "events", p, events...)
		}
		call(t, "", "run", "--brokers", k, "--input", "events", "--state", t.TempDir(), "--until-end", "--http", "off",
			"--create-topics", "--checkpoint-topic", "state", "--model-per", "partition", "--bits", "10").
			want(t, cli.ExitDone, "", "")
	}
	for p := range 3 {
		call(t, "", "inspect", "--brokers", k, "--checkpoint-topic", "state", "--partition", fmt.Sprint(p)).
			want(t, cli.ExitDone, fmt.Sprintf("events.%d, seq 900, epoch ", p), "")
	}
}

// TestCheckCheckpointTopic: it is there and compacted, or can be created.
func TestCheckCheckpointTopic(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(1, "events", "events.predictions", "events.dlq", "plain"))
	check := func(topic string, more ...string) outcome {
		return call(t, "", append([]string{"check", "--brokers", k, "--input", "events", "--checkpoint-topic", topic,
			"--state", t.TempDir()}, more...)...)
	}
	check("new").want(t, cli.ExitFailed, "FAIL  checkpoints  new does not exist (or this user may not see it): create"+
		" it with 1 partition, or start with --create-topics", "")
	check("new", "--create-topics").want(t, cli.ExitDone, "ok    checkpoints  new does not exist yet: run"+
		" --create-topics will create it", "")
	check("plain").want(t, cli.ExitFailed, "would stop with error=output-unfit: topic plain does not have"+
		" cleanup.policy compact alone", "")
	streamtest.Connect(t, k).SetConfig(t, "plain", "cleanup.policy", "compact")
	check("plain").want(t, cli.ExitDone, "ok    checkpoints  plain, 1 partition", "")
	check("events.dlq").want(t, cli.ExitUsage, "", "checkpoint-topic: events.dlq is another of the topics")
	check("a/b").want(t, cli.ExitUsage, "", `checkpoint-topic: "a/b": want 1 to 249 of the letters`)
}

// TestInspectCheckpointTopic: what the topic holds is shown as the folder's newest is, and exported.
func TestInspectCheckpointTopic(t *testing.T) {
	t.Parallel()
	k := broker(t)
	state := t.TempDir()
	inspect := func(more ...string) outcome {
		return call(t, "", append([]string{"inspect", "--brokers", k, "--checkpoint-topic", "state"}, more...)...)
	}
	for _, topic := range []string{"events", "others"} {
		call(t, "", "produce", "--brokers", k, "--topic", topic, "--generate", "hyperplane", "--count", "500",
			"--create-topic").want(t, cli.ExitDone, "500 events", "")
		call(t, "", "run", "--brokers", k, "--input", topic, "--state", state, "--until-end", "--http", "off",
			"--create-topics", "--checkpoint-topic", "state", "--bits", "10").
			want(t, cli.ExitDone, "500 predictions", "")
	}
	inspect().want(t, cli.ExitFailed, "", "state/0 holds checkpoints of several outputs: want --output"+
		" events.predictions or --output others.predictions")
	inspect("--output", "nobody").want(t, cli.ExitFailed, "", "state/0 holds no whole checkpoint of the output nobody")
	shown := inspect("--output", "events.predictions")
	shown.want(t, cli.ExitDone, "state/0, manifest ", "")
	_, topic, _ := strings.Cut(shown.stdout, "written by")
	_, folder, _ := strings.Cut(call(t, "", "inspect", filepath.Join(state, "events")).stdout, "written by")
	if topic == "" || topic != folder {
		t.Errorf("the topic has\n%s\nthe folder\n%s", topic, folder)
	}
	file := filepath.Join(t.TempDir(), "model")
	inspect("--output", "events.predictions", "--export", file).want(t, cli.ExitDone, "wrote "+file, "")
	call(t, "", "inspect", file).want(t, cli.ExitDone, "events, seq 500, epoch ", "")
	call(t, "", "inspect").want(t, cli.ExitUsage, "", "want the path of a checkpoint")
	call(t, "", "inspect", "--checkpoint-topic", "state").want(t, cli.ExitUsage, "", "brokers: missing")
}
