package main

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"

	"rosenblatt/cmd/internal/cli"
)

// clicks is a sample of clicks as public ones are: hashed codes of eight hexadecimal digits, of which one in 27 reads
// as a number, many too large for any.
func clicks(rows int) string {
	r := rand.New(rand.NewPCG(3, 5))
	codes := []string{"04e09220", "7e0ccccf", "12e45678", "25c83c98", "10289128"}
	for range 60 {
		codes = append(codes, fmt.Sprintf("%08x", r.Uint32()))
	}
	var b strings.Builder
	b.WriteString("hour,site,device,bid,seat,click\n")
	for i := range rows {
		site, device := codes[r.IntN(9)], codes[r.IntN(len(codes))]
		click, bid := 0, fmt.Sprintf("%.2f", r.Float64())
		if site < "2" && r.IntN(10) > 0 {
			click = 1
		}
		switch i % 50 {
		case 7:
			bid = "unknown"
		case 31:
			bid = "1e999"
		}
		fmt.Fprintf(&b, "%d,%s,%s,%s,%d,%d\n", 14102100+i/100, site, device, bid, i%3, click)
	}
	return b.String()
}

// settingsFor returns the settings that a command has printed for run, as a shell reads them.
func settingsFor(t *testing.T, out string) []string {
	t.Helper()
	_, line, found := strings.Cut(out, "run needs: ")
	line, _, _ = strings.Cut(line, "\n")
	split, err := exec.CommandContext(t.Context(), "sh", "-c", `printf '%s\n' `+line).Output()
	if !found || err != nil {
		t.Fatalf("no settings for run, %v: %s", err, out)
	}
	return strings.Split(strings.TrimSpace(string(split)), "\n")
}

// scoreIn returns the score in a prediction, as it is written.
func scoreIn(prediction string) string {
	_, rest, _ := strings.Cut(prediction, `"score":`)
	score, _, _ := strings.Cut(rest, ",")
	return score
}

// TestColumnsHaveKinds: of a file with hashed codes no event is lost, and no code becomes a number; produce prints the
// settings with which a daemon reads the same, and predicts the same. They are fixed for the model.
func TestColumnsHaveKinds(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(1, "clicks"))
	dir := t.TempDir()
	file := write(t, "clicks.csv", clicks(1500))
	scores, m := filepath.Join(dir, "p.jsonl"), filepath.Join(dir, "m.model")
	got := call(t, "", "replay", file, "--predictions", scores, "--out", m, "--learner", "logistic")
	got.want(t, cli.ExitDone, "logistic       1500", "--categorical 'site,device' --numeric 'hour,seat'\n")
	got.want(t, cli.ExitDone, "", "bid: a number 960 times and a text 40 times")
	if strings.Contains(got.stdout+got.stderr, "rejected") {
		t.Errorf("%s%s", got.stdout, got.stderr)
	}
	weights := call(t, "", "inspect", m, "--top", "200").stdout
	for _, want := range []string{"device=04e09220", "device=10289128", "site=12e45678", "bid=1e999", "bid=unknown"} {
		if !strings.Contains(weights, want) {
			t.Errorf("no weight of %s:\n%s", want, weights)
		}
	}
	again := call(t, "", "replay", file, "--from-model", m, "--no-learn")
	if again.want(t, cli.ExitDone, " 1500 ", ""); strings.Contains(again.stderr, "run needs") {
		t.Errorf("the kinds are the model's: %s", again.stderr)
	}

	got = call(t, "", "produce", file, "--brokers", k, "--topic", "clicks")
	got.want(t, cli.ExitDone, "1500 events",
		"--label-field 'click' --categorical 'site,device' --numeric 'hour,seat'\n")
	run := []string{"run", "--brokers", k, "--input", "clicks", "--create-topics", "--until-end", "--http", "off",
		"--learner", "logistic"}
	told := append(run, settingsFor(t, got.stderr)...)
	call(t, "", append(told, "--state", dir)...).want(t, cli.ExitDone, "1500 predictions, 1500 of them labelled", "")
	lines := strings.Split(read(t, scores), "\n")
	if t.Failed() {
		t.FailNow()
	}
	for i, value := range values(t, k, "clicks.predictions", 0, 1500) {
		score := scoreIn(value)
		if want := scoreIn(lines[i]); score != want {
			t.Fatalf("prediction %d has the score %s, replay says %s", i, score, want)
		}
	}
	untold := append(run, "--format", "csv", "--columns", "hour,site,device,bid,seat,click", "--label-field", "click")
	call(t, "", append(untold, "--state", dir)...).want(t, cli.ExitDone+4, "", "decode.categorical")
	other := append(untold, "--output", "o", "--dead-letter", "d", "--model", "o", "--from-model", m,
		"--state", t.TempDir())
	call(t, "", other...).want(t, cli.ExitFailed, "", "holds another kind of model: decode.categorical is ")
	call(t, "", append(other, "--categorical", "device,site")...).want(t, cli.ExitDone, "1500 predictions", "")
}

// TestTrainedKinds: train fixes kinds as replay does, and its model has them.
func TestTrainedKinds(t *testing.T) {
	t.Parallel()
	m := filepath.Join(t.TempDir(), "m.model")
	file := write(t, "clicks.csv", clicks(300))
	train := call(t, "", "train", file, "--out", m, "--until", "budget", "--max-passes", "3", "--numeric", "bid")
	train.want(t, cli.ExitDone, "", "run needs: --categorical 'site,device' --numeric 'bid,hour,seat'\n")
	train.want(t, cli.ExitDone, "", `out-of-range: feature "bid": +Inf is over 1e+30`)
	replay := call(t, "", "replay", file, "--from-model", m, "--no-learn")
	replay.want(t, cli.ExitDone, "rejected 6 of 300: out-of-range 6", `device  text   `)
}

// TestCrossesAndRuns: what no single word tells is learned of pairs of them, which inspect shows by name.
func TestCrossesAndRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 6))
	var b strings.Builder
	for range 1500 {
		x, y, not := r.IntN(2), r.IntN(2), r.IntN(2)
		fmt.Fprintf(&b, `{"label":%d,"x":"%c","y":"%c","msg":"%s good, %s bad"}`+"\n", x^y, 'p'+x, 'r'+y,
			[]string{"not", "very"}[not], []string{"very", "not"}[not])
	}
	path, out := write(t, "pairs.jsonl", b.String()), filepath.Join(t.TempDir(), "model")
	call(t, "", "replay", path, "--cross", "x*y  msg*x", "--cross", "x*y*msg", "--text-field", "msg", "--ngrams", "2",
		"--out", out).want(t, cli.ExitDone, "1500 ", "")
	for _, name := range []string{"x=q*y=r ", "x=p*y=s*msg=not bad "} {
		call(t, "", "inspect", out, "--top", "100").want(t, cli.ExitDone, name, "")
	}
	call(t, "", "replay", path, "--cross", "x").want(t, cli.ExitUsage, "", `cross "x": want 2 to 4 names`)
}

// TestLogsOfModels: a daemon predicts with logarithms and crosses what replay does. They are part of its model, and a
// model does not begin with the weights of one that has other logarithms.
func TestLogsOfModels(t *testing.T) {
	t.Parallel()
	k, dir := broker(t, kfake.SeedTopics(1, "amounts")), t.TempDir()
	file := write(t, "e.jsonl", strings.Repeat(`{"label":1,"x":99,"y":2}`+"\n"+`{"label":0,"x":2,"y":-3}`+"\n", 20))
	scores, m := filepath.Join(dir, "p.jsonl"), filepath.Join(dir, "m.model")
	call(t, "", "replay", file, "--log", "x", "--cross", "x*y", "--predictions", scores, "--out", m, "--learner",
		"logistic").want(t, cli.ExitDone, "40 ", "")
	call(t, "", "produce", file, "--brokers", k, "--topic", "amounts").want(t, cli.ExitDone, "40 events", "")
	run := []string{"run", "--brokers", k, "--input", "amounts", "--create-topics", "--until-end", "--http", "off",
		"--learner", "logistic", "--cross", "x*y", "--state", dir}
	call(t, "", append(run, "--log", "x")...).want(t, cli.ExitDone, "40 predictions", "")
	lines := strings.Split(read(t, scores), "\n")
	for i, value := range values(t, k, "amounts.predictions", 0, 40) {
		if score, want := scoreIn(value), scoreIn(lines[i]); score != want {
			t.Fatalf("prediction %d has the score %s, replay says %s", i, score, want)
		}
	}
	call(t, "", run...).want(t, cli.ExitDone+4, "", "decode.log")
	other := append(run[:len(run)-1], t.TempDir(), "--output", "o", "--dead-letter", "d", "--model", "o",
		"--from-model", m)
	call(t, "", other...).want(t, cli.ExitFailed, "", "holds another kind of model: decode.log is ")
	call(t, "", append(other, "--log", "x")...).want(t, cli.ExitDone, "40 predictions", "")
}
