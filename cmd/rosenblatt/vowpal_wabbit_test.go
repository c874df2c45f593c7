package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"

	"rosenblatt/cmd/internal/cli"
)

// vwEvents are of Vowpal Wabbit's format.
var vwEvents = strings.Repeat("1 |user city:paris age:3 |item c\n-1 |user city:rome age:2 |item c d\n", 20)

// TestVowpalWabbitUser: what a user of Vowpal Wabbit meets first.
func TestVowpalWabbitUser(t *testing.T) {
	t.Parallel()
	file := write(t, "e.vw", vwEvents)
	call(t, "", "replay", file, "-q", "ui").want(t, cli.ExitUsage, "", `unknown flag -q: for Vowpal Wabbit's -q, give `+
		`--cross "user^*item^", with whole names of namespaces`)
	call(t, "", "train", file, "-q", "ui", "-l", "1").want(t, cli.ExitUsage, "", "unknown flag -q: ")
	call(t, "", "train", file, "-i", "m").want(t, cli.ExitUsage, "", "give --from-model FILE (of run, replay, ")
	call(t, "", "replay", file, "--ngrams", "2").want(t, cli.ExitUsage, "", "write pairs of words as features of a ")
}

// TestModelByItsName: the folder of a model is named where its name is given, and --weights where json is.
func TestModelByItsName(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.Mkdir("state", 0o700); err != nil {
		t.Fatal(err)
	}
	model, weights := filepath.Join("state", "m"), filepath.Join(dir, "w.json")
	file := write(t, "e.vw", vwEvents)
	call(t, "", "replay", file, "--out", model).want(t, cli.ExitDone, "", "")
	call(t, "", "inspect", "m").want(t, cli.ExitFailed, "", "the folder of that model is state/m")
	call(t, "", "inspect", "none").want(t, cli.ExitFailed, "", "no such file or directory\n")
	call(t, "", "inspect", model, "--weights", weights).want(t, cli.ExitDone, "wrote ", "")
	call(t, "", "replay", file, "--from-model", weights).want(t, cli.ExitFailed, "", "--weights reads what")
}

// TestRejectedIsNotReadAgain: a daemon without --format vw rejects everything; the advice that it prints works when it
// is followed, word for word.
func TestRejectedIsNotReadAgain(t *testing.T) {
	t.Parallel()
	k, dir := broker(t, kfake.SeedTopics(1, "clicks")), t.TempDir()
	sent := call(t, "", "produce", write(t, "e.vw", vwEvents), "--brokers", k, "--topic", "clicks")
	sent.want(t, cli.ExitDone, "40 events", "run needs: --format vw\n")
	run := []string{"run", "--brokers", k, "--input", "clicks", "--create-topics", "--until-end", "--http", "off",
		"--state", dir}
	call(t, "", run...).want(t, cli.ExitDone, "", "--format vw reads it; what was rejected is not read again: a new "+
		"model, with another --model and --output, reads it")
	run = append(run, "--format", "vw")
	call(t, "", run...).want(t, cli.ExitStopped, "", "every event so far was rejected, and what was rejected is not "+
		"read again: to read those, too, start a new model with the new settings and another --model and --output, "+
		"from --start earliest; or go back")
	anew := append(run, "--model", "anew", "--output", "anew.predictions", "--start", "earliest")
	call(t, "", anew...).want(t, cli.ExitDone, "40 predictions, 40 of them labelled", "")
	call(t, "", append(run, "--accept", "config")...).want(t, cli.ExitDone, "", "")
}
