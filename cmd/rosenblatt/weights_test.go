package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/model"
)

// scoresOf are those of a file of predictions.
func scoresOf(t *testing.T, path string) (scores []float64) {
	t.Helper()
	for line := range strings.Lines(read(t, path)) {
		var p struct{ Score float64 }
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatal(err)
		}
		scores = append(scores, p.Score)
	}
	return scores
}

// TestWeightsOutAndIn: what inspect --weights writes gives the scores of the model, computed here, and run and replay
// read it as a model that goes on with them.
func TestWeightsOutAndIn(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	var b strings.Builder
	b.WriteString("id,price,market,seldom,label\n")
	for i := range 2000 {
		seldom := ""
		if i%7 == 0 {
			seldom = fmt.Sprint(i % 11)
		}
		fmt.Fprintf(&b, "e%d,%d,%s,%s,%d\n", i, 1000+i*i%37, []string{"vic", "nsw"}[i%2], seldom,
			(i*i%37+4*(i%2))/20%2)
	}
	if err := os.WriteFile(in("e.csv"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	call(t, "", "replay", in("e.csv"), "--learner", "logistic", "--out", in("m")).want(t, cli.ExitDone, "", "")
	call(t, "", "inspect", in("m"), "--weights", in("w.json")).want(t, cli.ExitDone,
		"wrote "+in("w.json")+": 4 weights", "")
	var f model.WeightsFile
	if err := json.Unmarshal([]byte(read(t, in("w.json"))), &f); err != nil {
		t.Fatal(err)
	}
	if len(f.Weights) != 4 || len(f.Scale) != 2 || f.Examples != 2000 || f.Scale["price"].Count != 2000 ||
		*f.Scale["seldom"].Centred || f.Scaling != "standard" || len(f.Shared) != 0 {
		t.Fatalf("%+v", f)
	}
	again := func(args ...string) []float64 {
		t.Helper()
		all := append([]string{"replay", in("e.csv"), "--no-learn", "--predictions", in("p.jsonl")}, args...)
		call(t, "", all...).want(t, cli.ExitDone, "", "")
		return scoresOf(t, in("p.jsonl"))
	}
	own := again("--from-model", in("m"))
	for i, score := range again("--weights", in("w.json"), "--learner", "logistic") {
		price, mean := float64(1000+i*i%37), f.Scale["price"].Mean
		n := f.Scale["price"].Count + 1
		moved := mean + (price-mean)/n
		square := math.Pow(f.Scale["price"].Deviation, 2)*(n-1) + (price-mean)*(price-moved)
		want := f.Bias + f.Weights["price"]*(price-moved)/math.Sqrt(square/n) +
			f.Weights["market="+[]string{"vic", "nsw"}[i%2]]
		if i%7 == 0 {
			s, x := f.Scale["seldom"], float64(i%11)
			want += f.Weights["seldom"] * x / math.Sqrt((s.Deviation*s.Deviation*s.Count+x*x)/(s.Count+1))
		}
		for what, got := range map[string]float64{"the model": own[i], "read again": score} {
			if math.Abs(got-want) > 1e-9*math.Max(1, math.Abs(want)) {
				t.Fatalf("event %d: %s scores %v, by the JSON it is %v", i, what, got, want)
			}
		}
	}
	replay := func(code int, says string, args ...string) {
		t.Helper()
		call(t, "", append([]string{"replay", in("e.csv")}, args...)...).want(t, code, "", says)
	}
	replay(cli.ExitFailed, "the model scales nothing", "--weights", in("w.json"), "--scale", "none")
	replay(cli.ExitFailed, "want scale standard", "--weights", in("w.json"), "--scale", "maxabs")
	replay(cli.ExitDone, "", "--bits", "1", "--out", in("small"), "--learner", "pa")
	got := call(t, "", "inspect", in("small"), "--weights", "-")
	got.want(t, cli.ExitDone, `"shared": [`, "weights are shared by several names")
	replay(cli.ExitDone, "", "--learner", "dual:kernel=rbf,gamma=0.5,budget=10", "--out", in("kernel"))
	call(t, "", "inspect", in("kernel"), "--weights", "-").want(t, cli.ExitFailed, "", "has no weights by feature")
}
