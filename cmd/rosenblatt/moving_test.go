package main

import (
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/stops"
)

// TestMoving follows the guide's page about another cluster: the model goes on with its count on events that wait
// there, and with --from-model a new model begins from its weights.
func TestMoving(t *testing.T) {
	t.Parallel()
	was, is := broker(t, kfake.ClusterID("was")), broker(t, kfake.ClusterID("is"))
	state, copied := t.TempDir(), t.TempDir()+"/before-the-move"
	events := func(broker, topic, seed string) {
		t.Helper()
		call(t, "", "produce", "--brokers", broker, "--topic", topic, "--create-topic", "--generate", "hyperplane",
			"--seed", seed, "--count", "300").want(t, cli.ExitDone, "300 events in "+topic, "")
	}
	run := func(broker string, more ...string) outcome {
		t.Helper()
		return call(t, "", append([]string{"run", "--brokers", broker, "--input", "events", "--learner", "logistic",
			"--create-topics", "--until-end", "--http", "off"}, more...)...)
	}
	events(was, "events", "1")
	run(was, "--state", state).want(t, cli.ExitDone, "300 predictions", "")
	events(is, "events", "2")
	call(t, "", "inspect", state+"/events", "--export", copied).want(t, cli.ExitDone, "", "")

	run(is, "--state", state).want(t, cli.ExitStopped, "", stops.TopicChanged)
	moved := run(is, "--state", state, "--accept", stops.TopicChanged)
	moved.want(t, cli.ExitDone, "600 predictions", `"seq":300`)
	run(is, "--state", state).want(t, cli.ExitDone, "600 predictions", "")
	if first := values(t, is, "events.predictions", 0, 1)[0]; !strings.Contains(first, `"seq":301,`) {
		t.Errorf("the first prediction on the new cluster: %s", first)
	}
	call(t, "", "verify", "--brokers", is, "--input", "events", "--state", state).
		want(t, cli.ExitPartial, "seq 1 to 300 were NOT audited; 300 predictions", "")

	other := []string{"--state", t.TempDir(), "--output", "again", "--from-model", copied}
	run(is, other...).want(t, cli.ExitDone, "300 predictions", "")
	call(t, "", "verify", "--brokers", is, "--input", "events", "--output", "again", "--from-model", copied,
		"--state", other[1]).want(t, cli.ExitDone, "300 predictions", "")
}
