package main

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"rosenblatt/checkpoint"
	"rosenblatt/cmd/internal/cli"
)

// TestReplayTopic: a topic as the daemon worked through it, in the daemon's order and in the order of time; and the
// model the daemon left.
func TestReplayTopic(t *testing.T) {
	t.Parallel()
	k := broker(t)
	state := t.TempDir()
	call(t, "", "produce", "--brokers", k, "--topic", "events", "--generate", "hyperplane", "--count", "3000",
		"--create-topic", "--partitions", "3").
		want(t, cli.ExitDone, "3000 events in events", "")
	ran := call(t, "", "run", "--brokers", k, "--input", "events", "--state", state, "--until-end", "--http", "off",
		"--create-topics")
	ran.want(t, cli.ExitDone, "3000 predictions", "")
	topic := []string{"--brokers", k, "--topic", "events"}

	journal := replayJSON(t, "", append(topic, "--order", "journal", "--learner",
		"perceptron:update={mistake,threshold}")...)
	own := journal.learner(t, "perceptron:update=threshold")
	if want := strconv.FormatInt(own.Mistakes, 10) + " mistakes"; journal.Source != "topic events" ||
		own.Examples != 3000 || !strings.Contains(ran.stdout, want) {
		t.Errorf("%+v, the daemon said %s", journal, ran.stdout)
	}
	byTime := replayJSON(t, "", topic...)
	if again := replayJSON(t, "", topic...); byTime.Examples != 3000 || byTime.Learners[0] != again.Learners[0] {
		t.Errorf("%+v and %+v", byTime, again)
	}
	for _, c := range []struct {
		examples int64
		args     []string
	}{
		{100, []string{"--from", "100", "--to", "200", "--partitions", "1"}},
		{400, []string{"--from", "800", "--partitions", "0", "--partitions", "2"}},
		{3000, []string{"--from", "2001-01-01T00:00:00Z"}},
		{3000, []string{"--to", "2901-01-01T00:00:00Z", "--delay", "10ms"}},
	} {
		if got := replayJSON(t, "", append(topic, c.args...)...); got.Examples != c.examples {
			t.Errorf("%v: %d examples, want %d", c.args, got.Examples, c.examples)
		}
	}
	for _, none := range [][]string{{"--from", "2901-01-01T00:00:00Z"}, {"--to", "2001-01-01T00:00:00Z"}} {
		call(t, "", append(append([]string{"replay", "--json", "-"}, none...), topic...)...).want(t, cli.ExitFailed,
			`"examples": 0`, "nothing was predicted: there was no event")
	}
	call(t, "", append([]string{"replay", "--partitions", "3"}, topic...)...).want(t, cli.ExitUsage, "",
		"partitions: 3: topic events has partitions 0 to 2")
	call(t, "", append([]string{"replay", "--order", "journal", "--journal", "events"}, topic...)...).want(t,
		cli.ExitUsage, "", "want the topic of predictions")
	call(t, "", "replay", "--brokers", k, "--topic", "no-such").want(t, cli.ExitFailed, "", "no-such")
	replayModel(t, topic, filepath.Join(state, "events"))
}

// replayModel evaluates the model a daemon left, as it is and learning on.
func replayModel(t *testing.T, topic []string, folder string) {
	t.Helper()
	files, err := (&checkpoint.Store{Dir: folder}).Files()
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	model := append(topic, "--from-model", files[0])
	still := replayJSON(t, "", append(model, "--no-learn")...)
	if l := still.Learners[0]; len(still.Learners) != 1 || l.Name != files[0] || l.Examples != 3000 || l.Updates != 0 ||
		l.Accuracy < 0.6 { // the order of the partitions, and so the last weights, differ from run to run
		t.Errorf("%+v", still.Learners)
	}
	both := replayJSON(t, "", append(model, "--learner", "perceptron")...)
	fresh := both.learner(t, "perceptron") // as many mistakes may be chance
	if l := both.learner(t, files[0]); len(both.Learners) != 2 || l.Updates == 0 || l.Mistakes == fresh.Mistakes &&
		l.Bias == fresh.Bias {
		t.Errorf("%+v", both.Learners)
	}
	call(t, "", append(append([]string{"replay"}, model...), "--bits", "10")...).want(t, cli.ExitUsage, "",
		"bits: it is the model's")
}
