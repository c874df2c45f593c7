package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"rosenblatt/cmd/internal/cli"
)

// The log-loss and the perceptron's loss that the daemon keeps over two runs, as inspect shows them, are those of a
// replay in the daemon's order.
func TestLossesOverRuns(t *testing.T) {
	t.Parallel()
	k := broker(t)
	state := t.TempDir()
	run := []string{"run", "--brokers", k, "--input", "events", "--state", state, "--until-end", "--http", "off",
		"--create-topics", "--learner", "logistic", "--bits", "10"}
	for range 2 {
		call(t, "", "produce", "--brokers", k, "--topic", "events", "--generate", "hyperplane", "--count", "700",
			"--create-topic").want(t, cli.ExitDone, "700 events", "")
		call(t, "", run...).want(t, cli.ExitDone, " predictions, ", "")
	}
	l := replayJSON(t, "", "--brokers", k, "--topic", "events", "--order", "journal", "--learner", "logistic", "--bits",
		"10").learner(t, "logistic")
	if !(l.LogLoss > 0.1 && l.LogLoss < 0.69) || !(l.Loss > l.Last.Loss && l.Last.Loss > 0) || l.Examples != 1400 {
		t.Errorf("%+v", l)
	}
	shown := call(t, "", "inspect", filepath.Join(state, "events"))
	shown.stdout = strings.Join(strings.Fields(shown.stdout), " ") // columns are as wide as their names
	shown.want(t, cli.ExitDone, fmt.Sprintf(" log-loss %.4f", l.LogLoss), "")
	shown.want(t, cli.ExitDone, fmt.Sprintf(" loss %.6g %.6g ", l.Loss, l.Last.Loss), "")
}
