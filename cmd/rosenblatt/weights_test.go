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

// TestCalibrationOutAndIn: calibration and cut that inspect --weights writes are those that a model begins with, and it
// goes on as the model that they are of. A file by hand needs a and c alone.
func TestCalibrationOutAndIn(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	rows := func(from, to int) string {
		var b strings.Builder
		b.WriteString("x,label\n")
		for i := from; i < to; i++ {
			fmt.Fprintf(&b, "%d,%d\n", i*i%37, (i*i%37+i%11)/38)
		}
		return b.String()
	}
	for name, text := range map[string]string{"before.csv": rows(0, 2000), "after.csv": rows(2000, 3000)} {
		if err := os.WriteFile(in(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	after := func(args ...string) []decided {
		t.Helper()
		all := append([]string{"replay", in("after.csv"), "--predictions", in("p.jsonl")}, args...)
		call(t, "", all...).want(t, cli.ExitDone, "", "")
		return decidedIn(t, in("p.jsonl"))
	}
	for _, rule := range []string{"cost=fp:1,fn:20", "precision=0.3"} {
		call(t, "", "replay", in("before.csv"), "--learner", "pa1", "--decide", rule, "--out", in("m-"+rule)).want(t,
			cli.ExitDone, "", "")
		call(t, "", "inspect", in("m-"+rule), "--weights", in(rule)).want(t, cli.ExitDone, "", "")
		of := after("--from-model", in("m-"+rule), "--decide", rule)
		read := after("--learner", "pa1", "--weights", in(rule), "--decide", rule)
		for i := range of {
			if of[i].Threshold == nil || read[i].Threshold == nil {
				t.Fatalf("%s, event %d: %v, read again %v, want thresholds", rule, i, of[i], read[i])
			}
			if i > 0 { // from here on the cut moves by the steps of a new one
				of[i].Threshold, read[i].Threshold = nil, nil
			}
			if !of[i].near(read[i], 1e-6) {
				t.Fatalf("%s, event %d: %v, read again %v", rule, i, of[i], read[i])
			}
		}
		other := after("--learner", "pa1", "--weights", in(rule), "--decide", "recall=0.5")
		if other[0].Threshold != nil || math.Abs(other[0].Positive-read[0].Positive) > 1e-6 {
			t.Errorf("another rule than %s: %v, want its calibration alone", rule, other[0])
		}
	}
	hand := func(text string) string {
		return write(t, "hand.json", `{"bias":-1,"weights":{"x":1},`+
			`"scale":{"x":{"mean":18,"deviation":10,"count":1e9}},`+text+"}")
	}
	first := after("--learner", "pa1", "--weights", hand(`"calibration":{"a":2,"c":-3}`), "--calibrate", "platt")[0]
	odds := math.Log(first.Probability / (1 - first.Probability))
	if math.Abs(odds-math.Abs(2*first.Score-3)) > 1e-2 {
		t.Errorf("by hand: %v", first)
	}
	for text, says := range map[string]string{
		`"calibration":{"a":-1,"c":0}`:                        "calibration: a number in it is out of range",
		`"calibration":{"a":1,"c":0,"h":[-1,0,0]}`:            "calibration: a number in it is out of range",
		`"calibration":{"a":1,"c":0,"d":1}`:                   `unknown field "d"`,
		`"decide":"cost=fp:1"`:                                "want what a false positive and a false negative cost",
		`"cut":0.5`:                                           "want decide beside it",
		`"cut":1e999,"decide":"precision=0.5"`:                "cannot unmarshal number",
		`"cut":1,"decide":"sign","calibration":{"a":1,"c":1}`: "want decide beside it",
	} {
		call(t, "", "replay", in("after.csv"), "--weights", hand(text)).want(t, cli.ExitUsage, "", says)
	}
}

// decided is how a prediction came about.
type decided struct {
	Score, Probability, Positive float64
	Threshold                    *float64
}

func decidedIn(t *testing.T, path string) (all []decided) {
	t.Helper()
	for line := range strings.Lines(read(t, path)) {
		var d decided
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		all = append(all, d)
	}
	return all
}

func (d decided) near(o decided, by float64) bool {
	return math.Abs(d.Score-o.Score) <= by && math.Abs(d.Positive-o.Positive) <= by &&
		(d.Threshold == nil) == (o.Threshold == nil) &&
		(d.Threshold == nil || math.Abs(*d.Threshold-*o.Threshold) <= by)
}
