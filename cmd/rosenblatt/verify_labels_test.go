package main

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/state"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/verify"
)

// TestVerifyLabels: what a daemon has made of events over four partitions and labels over three is sound, by the
// checkpoint, from one, and by the flags; and replay follows the journal of both topics to the daemon's own figures.
func TestVerifyLabels(t *testing.T) {
	t.Parallel()
	k := broker(t)
	cluster := streamtest.Connect(t, k)
	w := lateWorld{t: t, cluster: cluster, r: rand.New(rand.NewPCG(3, 3)), topics: [2]string{"events", "labels"}}
	w.produce()
	s := streamtest.New(t, cluster, 1)
	s.Name, s.Config.Model = "events", "events"
	for topic, n := range map[string]int{s.Output(): 4, s.DeadLetters(): 1, "events.outcomes": 2} {
		cluster.Topic(t, topic, n)
	}
	s.Kafka.Labels, s.Kafka.Outcomes = "labels", "events.outcomes"
	s.Config.ModelConfig.Learner.Learner, s.Config.ModelConfig.Learner.C = "pa1", 1
	s.Config.ModelConfig.Late = &model.LateLabels{Join: model.JoinID, Decode: s.Config.ModelConfig.Decode}
	s.Config.Labels = &state.LabelsConfig{Slack: 3 * time.Second,
		Limits: labels.Limits{Wait: 50_000, Examples: 1000, Settled: 1000}}
	s.MustRun(t)
	state, brokers := s.Dir, []string{"--brokers", k}
	late := []string{"--labels", "labels", "--label-wait", "50s"}

	for name, flags := range map[string][]string{
		"by the checkpoint":  {"--state", state},
		"by the flags":       slices.Concat(late, []string{"--learner", "pa1:C=1", "--bits", "12"}),
		"with little memory": {"--state", state, "--waiting-memory", "1KiB"},
	} {
		v, got := verifyJSON(t, slices.Concat(brokers, []string{"--input", "events"}, flags)...)
		if got.code != cli.ExitDone || !v.OK || v.Labels == nil || v.Labels.Outcomes["labelled"] == 0 ||
			v.Labels.Pending != 0 || v.Labels.Outcomes["expired"] == 0 {
			t.Fatalf("%s: %s%s", name, got.stdout, got.stderr)
		}
	}
	call(t, "", slices.Concat([]string{"verify", "--input", "events", "--waiting-memory", "much"}, brokers)...).want(t,
		cli.ExitUsage, "", `waiting-memory: "much": want a number of bytes, as 256MiB`)
	call(t, "", slices.Concat([]string{"verify", "--input", "events", "--state", state, "--label-wait",
		"50s"}, brokers)...).want(t,
		cli.ExitDone, "labelled, ", "")
	v, got := verifyJSON(t, slices.Concat(brokers, []string{"--input", "events", "--state", state, "--outcomes",
		"events.empty", "--labels", "labels"})...)
	if got.code == cli.ExitDone || v.OK {
		t.Errorf("without outcomes: %s", got.stdout)
	}
	cluster.Topic(t, "events.empty", 2)
	v, got = verifyJSON(t, slices.Concat(brokers, []string{"--input", "events", "--state", state, "--outcomes",
		"events.empty", "--labels", "labels"})...)
	if got.code != cli.ExitFailed || v.Counts[verify.Hole] == 0 || v.Counts[verify.LabelPassed] == 0 {
		t.Errorf("with empty outcomes: %s", got.stdout)
	}

	path := filepath.Join(t.TempDir(), "r.json")
	call(t, "", slices.Concat([]string{"replay", "--topic", "events", "--order", "journal", "--labels", "labels",
		"--learner", "pa1:C=1", "--bits", "12", "--json", path}, brokers)...).want(t, cli.ExitDone, "", "")
	call(t, "", slices.Concat([]string{"replay", "--topic", "events", "--order", "journal"}, brokers)...).want(t,
		cli.ExitFailed, "", "or outcomes of labels that came later are between (name the topic of labels)")
	var followed struct {
		Learners []struct{ Examples, Mistakes, Updates int64 }
	}
	var saved struct {
		Score struct{ Examples, Mistakes, Updates int64 }
	}
	read := func(text []byte, to any) {
		t.Helper()
		if err := json.Unmarshal(text, to); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	read(text, &followed)
	read([]byte(call(t, "", "inspect", "--json", filepath.Join(state, "events")).stdout), &saved)
	if len(followed.Learners) != 1 || followed.Learners[0] != saved.Score || saved.Score.Mistakes == 0 {
		t.Errorf("replay has %+v, the daemon %+v", followed, saved)
	}
}
