package main

import (
	"regexp"
	"strings"
	"testing"

	"rosenblatt/cmd/internal/cli"
)

var checkedToken = regexp.MustCompile(`--accept (config:[0-9a-f]+) accepts exactly this`)

// TestCheckOfAMember: with --standby, check says of settings that differ from the model's that the daemon would follow,
// and prints the token with which it would take over: the one that run prints. It needs no folder for that.
func TestCheckOfAMember(t *testing.T) {
	t.Parallel()
	k, state := broker(t), t.TempDir()
	call(t, "", "produce", flowers(t, 60), "--brokers", k, "--topic", "by", "--create-topic").want(t, cli.ExitDone,
		"60 events", "")
	own := []string{"--brokers", k, "--input", "by", "--bits", "10", "--positive", "setosa", "--checkpoint-topic",
		"saved", "--create-topics"}
	with := func(command string, args ...string) outcome {
		return call(t, "", append(append([]string{command}, own...), args...)...)
	}
	with("run", "--until-end", "--http", "off", "--state", state, "--learner", "logistic:rate=0.2").want(t,
		cli.ExitDone, "", "")
	changed := []string{"--state", state, "--learner", "logistic:rate=0.4"}
	printed := func(o outcome) string {
		t.Helper()
		found := checkedToken.FindStringSubmatch(o.stdout + o.stderr)
		if found == nil {
			t.Fatalf("no token: %s%s", o.stdout, o.stderr)
		}
		return found[1]
	}
	token := printed(with("run", append(changed, "--until-end", "--http", "off")...))

	for _, folder := range []string{state, t.TempDir()} {
		member := []string{"--standby", "--state", folder, "--learner", "logistic:rate=0.4"}
		got := with("check", member...)
		got.want(t, cli.ExitDone, "warn  start        would follow, and not take over: the checkpoint's configuration"+
			" differs: learner.rate was 0.2, is 0.4: go back to the model's settings; or, with these at all", "")
		if printed(got) != token || strings.Contains(got.stdout, "would stop") {
			t.Errorf("run prints %s, check: %s", token, got.stdout)
		}
		with("check", append(member, "--accept", token)...).want(t, cli.ExitDone,
			"ok    start        the topics are fit, and a daemon that takes over accepts config: the checkpoint's", "")
		with("check", append(member, "--accept", "config:000000000000")...).want(t, cli.ExitDone,
			"; the token config:000000000000 that was given is of another difference\n", "")
	}
	with("check", "--standby", "--state", state, "--learner", "logistic:rate=0.2", "--accept", token).want(t,
		cli.ExitDone, "note  accept       the token "+token+" that was given is of another difference: it does nothing",
		"")
	with("check", "--standby", "--state", state, "--learner", "perceptron").want(t, cli.ExitDone,
		"warn  start        would follow, and not take over: the checkpoint's configuration differs: learner was", "")
	with("check", append(changed, "--accept", token)...).want(t, cli.ExitDone,
		"ok    start        the topics are fit, and a start accepts config: ", "")
	with("check", append(changed, "--standby", "--accept", "config")...).want(t, cli.ExitUsage, "",
		"accept: with --standby give config with its token, as config:TOKEN, at all daemons: `rosenblatt check`")
}
