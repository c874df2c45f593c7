package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rosenblatt/checkpoint"
	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/verify"
)

// missing wants an audit that finds so many seqs and records without a prediction.
func (h *history) missing(t *testing.T, n int64, flags ...string) {
	t.Helper()
	v, got := h.verify(t, flags...)
	if got.code != cli.ExitFailed || v.Counts[verify.Hole] != n || v.Counts[verify.NoPrediction] != n {
		t.Errorf("%v: exit %d, want %d missing: %s", flags, got.code, n, got.stdout)
	}
}

// unknown wants an audit that passes, and says that it cannot know whether the end is missing.
func (h *history) unknown(t *testing.T, predictions int64, flags ...string) {
	t.Helper()
	v := h.sound(t, predictions, flags...)
	const note = "missing behind the last predictions, or all of it, cannot be known"
	if v.After == 0 && v.Floor != nil || !strings.Contains(strings.Join(v.Notes, "\n"), note) {
		t.Errorf("%v: floor %+v, notes %q", flags, v.Floor, v.Notes)
	}
	text := append([]string{"verify", "--brokers", h.Cluster.Brokers[0], "--input", h.Name}, flags...)
	call(t, "", text...).want(t, soundExit(v), note, "")
}

// TestVerifyMissingEnd: with a checkpoint of the model, whatever output it names, a missing end is found, and an empty
// output. Without one, verify says what it cannot know.
func TestVerifyMissingEnd(t *testing.T) {
	t.Parallel()
	h := small(t, 2, 50)
	first := filepath.Join(h.Dir, h.Name, "checkpoint-100")
	h.Cluster.Produce(t, h.Name, 0, generated(7, 100)...)
	h.Cluster.Produce(t, h.Name, 1, append(generated(8, 40), "bad", "bad")...)
	h.MustRun(t)
	if v := h.sound(t, 240, "--state", h.Dir); v.Floor == nil || v.Floor.Seq != 240 || len(v.Notes) != 0 ||
		v.DeadLetters != 2 || v.Pending != 0 || v.Offsets != 242 {
		t.Errorf("%+v, notes %q", v.Result, v.Notes)
	}
	empty := []string{"--output", h.Name + ".empty"}
	h.Cluster.Topic(t, h.Name+".empty", 2)
	h.missing(t, 240, append(empty, "--state", h.Dir)...)
	h.missing(t, 140, append(empty, "--from-checkpoint", first)...) // newer ones are beside it
	h.unknown(t, 0, append(empty, "--bits", "12")...)

	// The folder is copied away: its checkpoint is as good as the original, an older one as far as it goes.
	elsewhere := t.TempDir()
	exportCheckpoint(t, first, filepath.Join(elsewhere, h.Name, "checkpoint-100"))
	h.missing(t, 100, append(empty, "--state", elsewhere)...)
	h.missing(t, 140, append(empty, "--from-checkpoint", filepath.Join(elsewhere, h.Name, "checkpoint-100"), "--state",
		h.Dir)...)
	alone := []string{"--from-checkpoint", filepath.Join(elsewhere, h.Name, "checkpoint-100")}
	h.unknown(t, 140, alone...)
	_, got := h.verify(t, alone...)
	_, given := h.verify(t, append(alone, "--state", elsewhere)...)
	if !strings.Contains(got.stdout, ": give --state") || strings.Contains(given.stdout, "give --state") ||
		!strings.Contains(given.stdout, "has none; leave --from-checkpoint out") {
		t.Errorf("%s\n%s", got.stdout, given.stdout)
	}

	noDead := []string{"--dead-letter", h.Name + ".nodead"}
	h.Cluster.Topic(t, h.Name+".nodead", 1)
	if v, got := h.verify(t, append(noDead, "--state", h.Dir)...); got.code != cli.ExitFailed ||
		v.Counts[verify.NoDeadLetter] != 2 {
		t.Errorf("without dead letters: %s", got.stdout)
	}
	h.unknown(t, 240, append(noDead, "--bits", "12")...)
}

// exportCheckpoint copies a checkpoint, which may build on others, as one file.
func exportCheckpoint(t *testing.T, from, to string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(to), 0o700)
	if err != nil {
		t.Fatal(err)
	}
	file, err := checkpoint.Open(checkpoint.OS{}, from)
	if err == nil {
		_, err = file.Export(checkpoint.OS{}, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestVerifyFlagsBesideState: where flags name the parameters, the checkpoint in the default folder still shows how far
// the model was, if it is of that model.
func TestVerifyFlagsBesideState(t *testing.T) {
	h := small(t, 1, 50)
	t.Chdir(t.TempDir())
	exportCheckpoint(t, filepath.Join(h.Dir, h.Name, "checkpoint-50"), filepath.Join("state", h.Name, "checkpoint-50"))
	if v := h.sound(t, 50, "--bits", "12"); v.Floor == nil || len(v.Notes) != 0 {
		t.Errorf("floor %+v, notes %q", v.Floor, v.Notes)
	}
	h.Cluster.Topic(t, h.Name+".other", 1)
	h.unknown(t, 0, "--bits", "12", "--output", h.Name+".other") // of another model of this name
	h.Cluster.DeleteRecords(t, h.Output(), 0, 50)
	h.stopped(t, stops.JournalGone, "begins at offset 50", "--bits", "12")
}

// TestVerifyCheckpointBeforeAcceptedStop: an audit from a checkpoint older than the last accepted stop says so, and
// does not take the new history for the floor of the old one.
func TestVerifyCheckpointBeforeAcceptedStop(t *testing.T) {
	t.Parallel()
	h := small(t, 1, 40)
	first := filepath.Join(t.TempDir(), "checkpoint-40")
	exportCheckpoint(t, filepath.Join(h.Dir, h.Name, "checkpoint-40"), first)
	h.Config.ModelConfig.Decode.MaxFeatures = 50
	h.Config.Accept = []string{stops.ConfigDiffers}
	h.MustRun(t)
	h.Config.Accept = nil
	h.Cluster.Produce(t, h.Name, 0, generated(2, 30)...)
	h.MustRun(t)
	v := h.sound(t, 30, "--from-checkpoint", first, "--state", h.Dir)
	if v.Floor != nil || len(v.Notes) != 1 || !strings.Contains(v.Notes[0], "accepted config after this checkpoint") {
		t.Errorf("floor %+v, notes %q", v.Floor, v.Notes)
	}
	if v := h.sound(t, 30, "--state", h.Dir); v.Floor == nil || v.Floor.Seq != 70 {
		t.Errorf("%+v", v.Result)
	}
}

// TestVerifyNoLearn: a model that only predicts has positions and seqs all the same.
func TestVerifyNoLearn(t *testing.T) {
	t.Parallel()
	h := &history{Setup: streamtest.New(t, streamtest.Start(t), 2)}
	h.Config.ModelConfig.NoLearn = true
	for p := range 2 {
		h.Cluster.Produce(t, h.Name, p, append(generated(uint64(p), 30), "bad")...)
	}
	h.MustRun(t)
	if v := h.sound(t, 60, "--state", h.Dir); v.DeadLetters != 2 || v.Pending != 0 {
		t.Errorf("%+v", v.Result)
	}
	h.Cluster.Topic(t, h.Name+".empty", 2)
	h.missing(t, 60, "--state", h.Dir, "--output", h.Name+".empty")
}

// TestVerifyBareDeadLetters: dead letters without value, key and headers count as those that have them.
func TestVerifyBareDeadLetters(t *testing.T) {
	t.Parallel()
	h := &history{Setup: streamtest.New(t, streamtest.Start(t), 1)}
	h.Cluster.SetConfig(t, h.DeadLetters(), "max.message.bytes", "1000")
	h.Cluster.Produce(t, h.Name, 0, "bad", strings.Repeat("bad", 1000), "bad")
	h.MustRun(t)
	v := h.sound(t, 0, "--state", h.Dir)
	if v.DeadLetters != 3 || v.Pending != 0 || v.Offsets != 3 {
		t.Errorf("%+v", v.Result)
	}
}

// inFlight kills a task when the dead letters of its first events are in the topic and the predictions are not.
func inFlight(t *testing.T, h *history, events ...string) {
	t.Helper()
	h.Cluster.Produce(t, h.Name, 0, events...)
	h.Adjust = func(task *stream.Task) { task.Journal = &mortal{task.Journal, 0} }
	if _, err := h.Run(t); !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	h.Adjust = nil
}

// TestVerifyDeadLetterOfAnotherConfiguration: a dead letter from before an accepted change of the configuration is
// final, and no alarm, although the model would predict its record now.
func TestVerifyDeadLetterOfAnotherConfiguration(t *testing.T) {
	t.Parallel()
	h := &history{Setup: streamtest.New(t, streamtest.Start(t), 1)}
	h.Config.ModelConfig.Decode.MaxFeatures = 1
	inFlight(t, h, `{"label":1,"features":{"x":1}}`, `{"label":1,"features":{"x":1,"y":1}}`,
		`{"label":1,"features":{"x":1}}`)
	h.Config.ModelConfig.Decode.MaxFeatures = 5
	h.Config.Accept = []string{stops.ConfigDiffers}
	h.MustRun(t)
	if v := h.sound(t, 2, "--state", h.Dir); v.DeadLetters != 1 || v.Pending != 0 {
		t.Errorf("%+v", v.Result)
	}
}

// TestVerifyDeadLetterOfAProcessThatEnded: so is one whose reason depends on what that process had learned and did not
// publish.
func TestVerifyDeadLetterOfAProcessThatEnded(t *testing.T) {
	t.Parallel()
	h := &history{Setup: streamtest.New(t, streamtest.Start(t), 1)}
	inFlight(t, h, `{"label":0,"features":{"x":1}}`, `{"label":-1,"features":{"x":1}}`,
		`{"label":1,"features":{"x":1}}`)
	h.Config.Skip = []topics.SkipRange{{Partition: 0, From: 0, To: 0}} // what made -1 a bad label
	h.MustRun(t)
	if v := h.sound(t, 1, "--state", h.Dir); v.DeadLetters != 1 || v.Skipped != 1 || v.Pending != 0 {
		t.Errorf("%+v", v.Result)
	}
}
