package main

import (
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
	killedIn(t, s, t.TempDir, 2*8000, 8, 4, "--checkpoint-topic", s.Name+".checkpoints", "--create-topics",
		"--checkpoint-interval", "20ms")
	if o := s.Audit(t); len(o.Predictions) != 2*8000 {
		t.Errorf("%d predictions", len(o.Predictions))
	}
}

// TestCheckCheckpointTopic: it is there and compacted, or can be created.
func TestCheckCheckpointTopic(t *testing.T) {
	k := broker(t, kfake.SeedTopics(1, "events", "events.predictions", "events.dlq", "plain"))
	check := func(topic string, more ...string) outcome {
		return call(t, "", append([]string{"check", "--brokers", k, "--input", "events", "--checkpoint-topic", topic,
			"--state", t.TempDir()}, more...)...)
	}
	check("new").want(t, cli.ExitFailed, "FAIL  checkpoints  new does not exist (or this user may not see it): create"+
		" it with 1 partition, or start with --create-topics", "")
	check("new", "--create-topics").want(t, cli.ExitDone, "ok    checkpoints  new does not exist yet, run"+
		" --create-topics will create it", "")
	check("plain").want(t, cli.ExitFailed, "would stop with error=output-unfit: topic plain does not have"+
		" cleanup.policy compact alone", "")
	streamtest.Connect(t, k).SetConfig(t, "plain", "cleanup.policy", "compact")
	check("plain").want(t, cli.ExitDone, "ok    checkpoints  plain, 1 partition", "")
	check("events.dlq").want(t, cli.ExitUsage, "", "checkpoint-topic: events.dlq is another of the topics")
	check("a/b").want(t, cli.ExitUsage, "", `checkpoint-topic: "a/b": want 1 to 249 of the letters`)
}
