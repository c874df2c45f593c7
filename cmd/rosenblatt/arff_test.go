package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"

	"rosenblatt/cmd/internal/cli"
)

// flights is an ARFF file, dense or sparse, as MOA writes them, with a broken row in between.
func flights(sparse bool) string {
	var b strings.Builder
	b.WriteString("% made for a test\n@relation 'flights: -c 5'\n@attribute Airline {AA,'9E',7}\n" +
		"@attribute Day {1,2,3}\n@attribute Length numeric\n@attribute id string\n@ATTRIBUTE Delay {no,yes}\n@data\n")
	for i := range 300 {
		airline, day, length := []string{"AA", "'9E'", "7"}[i%3], 1+i%2, float64(i%7)-2.5
		delay := []string{"no", "yes"}[max(0, i%3-1)]
		if i == 150 {
			b.WriteString("AA,2,long,f,no\n")
		}
		switch {
		case sparse && delay == "no":
			fmt.Fprintf(&b, "{0 %s, 1 %d, 2 %g, 3 f%d}\n", airline, day, length, i)
		case sparse:
			fmt.Fprintf(&b, "{0 %s, 1 %d, 2 %g, 3 f%d, 4 yes}\n", airline, day, length, i)
		default:
			fmt.Fprintf(&b, "%s,%d,%g,f%d,%s\n", airline, day, length, i, delay)
		}
	}
	return b.String()
}

// TestARFF: replay and train read ARFF files, dense and sparse, with the last attribute as the label and nominal
// numbers as words; what produce sends is predicted alike by a daemon with the settings that it prints.
func TestARFF(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	dense, sparse := write(t, "dense.arff", flights(false)), write(t, "sparse.data", flights(true))
	scores, m := filepath.Join(dir, "p.jsonl"), filepath.Join(dir, "m.model")
	got := call(t, "", "replay", dense, "--predictions", scores, "--out", m, "--learner", "logistic")
	got.want(t, cli.ExitDone, "rejected 1 of 301: bad-features 1",
		`"Delay" is the label (the last attribute; --label-field NAME takes another); label "no" is negative, "yes" `+
			`is positive`)
	got.want(t, cli.ExitDone, "",
		`dense.arff:159: bad-features: the attribute "Length" is numeric, but "long" is no number`)
	weights := call(t, "", "inspect", m).stdout
	for _, want := range []string{"Airline=7 ", "Airline=9E", "Day=1 ", "Length ", "labels no/yes"} {
		if !strings.Contains(weights, want) {
			t.Errorf("%q is missing:\n%s", want, weights)
		}
	}
	again := filepath.Join(dir, "sparse.jsonl")
	call(t, "", "replay", sparse, "--format", "arff", "--predictions", again, "--learner", "logistic").want(t,
		cli.ExitDone, "", "")
	if read(t, again) != read(t, scores) {
		t.Error("dense and sparse rows are predicted differently")
	}
	call(t, "", "replay", dense, sparse, "--format", "arff").want(t, cli.ExitDone, "rejected 2 of 602", "")
	call(t, "", "replay", dense, "--label-field", "Day", "--label-names", "1,2").want(t, cli.ExitDone, "rejected 1", "")
	call(t, "", "replay", dense, "--from-model", m, "--no-learn").want(t, cli.ExitDone, "rejected 1 of 301", "")
	call(t, "", "train", dense, "--until", "budget", "--max-passes", "5").want(t, cli.ExitDone, "", "dense.arff:159: ")
	call(t, "", "replay", dense, "--label-field", "delay").want(t, cli.ExitUsage, "",
		`label-field: the file declares no attribute "delay"`)
	call(t, "", "replay", dense, "--strict").want(t, cli.ExitFailed, "", "dense.arff:159: bad-features")

	k := broker(t, kfake.SeedTopics(1, "flights", "late"))
	got = call(t, "", "produce", sparse, "--format", "arff", "--brokers", k, "--topic", "flights")
	got.want(t, cli.ExitDone, "301 events", "run needs: --label-field 'Delay' --label-names 'no,yes'\n")
	run := append([]string{"run", "--brokers", k, "--input", "flights", "--create-topics", "--until-end", "--http",
		"off", "--state", dir, "--learner", "logistic"}, settingsFor(t, got.stderr)...)
	call(t, "", run...).want(t, cli.ExitDone, "300 predictions, 300 of them labelled", "")
	lines := strings.Split(strings.TrimSpace(read(t, scores)), "\n")
	lines = append(lines[:150], lines[151:]...)
	for i, value := range values(t, k, "flights.predictions", 0, 300) {
		if got, want := scoreIn(value), scoreIn(lines[i]); got != want {
			t.Fatalf("prediction %d has the score %s, replay says %s", i, got, want)
		}
	}
	got = call(t, "", "produce", dense, "--brokers", k, "--topic", "late", "--key", "Airline", "--labels-out", "labels",
		"--create-topic", "--label-delay", "1ms")
	got.want(t, cli.ExitDone, "in labels: 300 labels",
		"run needs: --label-field 'Delay' --label-names 'no,yes' --labels labels")
	call(t, "", "produce", dense, "--brokers", k, "--topic", "late", "--format", "arf").want(t, cli.ExitUsage, "",
		"arff")
}

// TestARFFWeights: a row's weight in braces counts, and produce prints the setting that run needs.
func TestARFFWeights(t *testing.T) {
	t.Parallel()
	const header = "@relation r\n@attribute x real\n@attribute y {0,1}\n@data\n"
	plain := write(t, "plain.arff", header+strings.Repeat("1,1\n-1,0\n", 20))
	weighted := write(t, "weighted.arff", header+strings.Repeat("1,1,{3}\n-1,0\n", 20))
	same := write(t, "same.jsonl", strings.Repeat(`{"x":1,"y":1,"weight":3}`+"\n"+`{"x":-1,"y":0}`+"\n", 20))
	want := replayJSON(t, "", same, "--learner", "logistic", "--label-field", "y", "--weight-field", "weight")
	for file, equal := range map[string]bool{plain: false, weighted: true} {
		got := replayJSON(t, "", file, "--learner", "logistic").Learners[0].Loss
		if equal != (got == want.Learners[0].Loss) {
			t.Errorf("%s: loss %v, that of json with weights is %v", file, got, want.Learners[0].Loss)
		}
	}
	k := broker(t, kfake.SeedTopics(1, "events"))
	call(t, "", "produce", weighted, "--brokers", k, "--topic", "events").want(t, cli.ExitDone, "40 events",
		"run needs: --label-field 'y' --weight-field 'weight'\n")
	three := write(t, "three.arff", strings.Replace(header, "{0,1}", "{0,1,2}", 1)+"1,0\n2,1\n")
	call(t, "", "produce", three, "--brokers", k, "--topic", "events").want(t, cli.ExitDone, "2 events",
		"run needs: --label-field 'y' --task multiclass\n")
	call(t, "", "replay", three).want(t, cli.ExitDone, "", `"y" is the label (the last attribute; --label-field NAME `+
		`takes another); it has 3 values: --task multiclass predicts them`)
}
