package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"rosenblatt/checkpoint"
	"rosenblatt/cmd/internal/cli"
	"rosenblatt/learner"
	"rosenblatt/stream/streamtest"
)

// turnedRound turns the labels round in each second stretch of so many events.
func turnedRound(events []string, stretch int) []string {
	for i, e := range events {
		if i/stretch%2 == 0 {
			continue
		}
		if other := strings.Replace(e, `"label":1`, `"label":-1`, 1); other != e {
			events[i] = other
		} else {
			events[i] = strings.Replace(e, `"label":-1`, `"label":1`, 1)
		}
	}
	return events
}

// TestKilledWithResets: a learner that begins anew at drifts, killed at random moments, over two partitions: every
// score is as recomputed, and verify finds nothing, from the start and from a checkpoint.
func TestKilledWithResets(t *testing.T) {
	wholeProgram(t)
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 2)
	const each = 12_000
	for p := range 2 {
		s.Cluster.Produce(t, s.Name, p, turnedRound(elec2(t)[p*each:(p+1)*each], 2000)...)
	}
	const settings = "adwin:delta=0.01,rise=0.1,clock=16"
	flags := []string{"--learner", "arow", "--drift", settings, "--on-drift", "reset"}
	kills := streamtest.Rounds(12, 25, 50)
	killed(t, s, 2*each, kills, 38, flags...)

	spec := &s.Config.ModelConfig.Learner
	if err := learner.ParseLearner("arow", spec); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Config.ModelConfig.SetDrift(settings, "reset"); err != nil {
		t.Fatal(err)
	}
	o := s.Audit(t)
	if len(o.Predictions) != 2*each || o.Resets < 5 {
		t.Errorf("%d predictions, %d resets", len(o.Predictions), o.Resets)
	}
	t.Logf("%d kills, %d resets, %d mistakes", kills, o.Resets, o.Proc.Score.Mistakes())
	args := []string{"--brokers", s.Cluster.Brokers[0], "--input", s.Name, "--output", s.Output(), "--dead-letter",
		s.DeadLetters(), "--state", s.Dir}
	v, got := verifyJSON(t, args...)
	if got.code != cli.ExitDone || !v.OK || v.Predictions != 2*each {
		t.Fatalf("exit %d: %s%s", got.code, got.stdout, got.stderr)
	}
	// The settings as given to run, without a checkpoint.
	bare := append(args[:len(args)-2:len(args)-2], "--bits", "12")
	v, got = verifyJSON(t, append(bare[:len(bare):len(bare)], flags...)...)
	if len(v.Findings) > 0 || v.Predictions != 2*each {
		t.Fatalf("exit %d: %s%s", got.code, got.stdout, got.stderr)
	}
	// Without the setting the scores are others.
	if v, _ = verifyJSON(t, append(bare, "--learner", "arow")...); len(v.Findings) == 0 {
		t.Error("verify finds nothing where the learner never begins anew")
	}
	inMiddle(t, s, args)
}

// inMiddle audits from the oldest checkpoint that is kept, or the one after it if that is of the start.
func inMiddle(t *testing.T, s *streamtest.Setup, args []string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(s.Dir, s.Name, "checkpoint-*"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	if len(names) > 2 && filepath.Base(names[0]) == "checkpoint-0" {
		names = names[1:]
	}
	file, err := checkpoint.Open(checkpoint.OS{}, names[0])
	if err != nil {
		t.Fatal(err)
	}
	want := cli.ExitPartial
	if file.Seq == 0 {
		want = cli.ExitDone // that is from the start
	}
	v, got := verifyJSON(t, append(args, "--from-checkpoint", names[0])...)
	if got.code != want || !v.OK || v.After != int64(file.Seq) {
		t.Fatalf("from %s: exit %d: %s%s", names[0], got.code, got.stdout, got.stderr)
	}
	fmt.Fprintln(t.Output(), "audited from seq", file.Seq)
}
