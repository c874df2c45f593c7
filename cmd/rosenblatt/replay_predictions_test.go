package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"

	"rosenblatt/cmd/internal/cli"
)

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const awkwardEvents = `{"id":"a,\"1\"","label":1,"x":1}
{"id":7,"label":0,"x":2}

not json
{"x":-1}
{"id":"e5","label":"maybe","x":1}
`

// TestReplayPredictions: a line for each event, in its order, with the scores that the daemon would publish.
func TestReplayPredictions(t *testing.T) {
	t.Parallel()
	events, dir := write(t, "e.jsonl", awkwardEvents), t.TempDir()
	out := filepath.Join(dir, "p.jsonl")
	call(t, "", "replay", events, "--predictions", out, "--scale", "none").want(t, cli.ExitDone, "perceptron", "")
	want := `{"line":1,"id":"a,\"1\"","prediction":1,"score":0,"label":1,"mistake":false}
{"line":2,"id":7,"prediction":1,"score":3,"label":0,"mistake":true}
{"line":4,"rejected":"syntax","error":"offset 0: an object like`
	got := read(t, out)
	if !strings.HasPrefix(got, want) || strings.Count(got, "\n") != 5 ||
		!strings.Contains(got, "\n{\"line\":5,\"prediction\":") ||
		!strings.Contains(got, `{"line":6,"rejected":"bad-label"`) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	for line := range strings.Lines(got) {
		if !json.Valid([]byte(line)) {
			t.Errorf("%s", line)
		}
	}
	stdout := call(t, "", "replay", events, "--predictions", "-", "--scale", "none")
	if stdout.stdout != got {
		t.Errorf("standard output: %s", stdout.stdout)
	}
	table := filepath.Join(dir, "p.csv")
	call(t, "", "replay", events, events, "--predictions", table, "--learner", "logistic").want(t, cli.ExitDone, "", "")
	rows, err := csv.NewReader(strings.NewReader(read(t, table))).ReadAll()
	if err != nil || len(rows) != 11 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	header := "file line id prediction score probability label mistake rejected error untrained"
	if strings.Join(rows[0], " ") != header {
		t.Errorf("header %q", rows[0])
	}
	if r := rows[1]; r[0] != events || r[1] != "1" || r[2] != `a,"1"` || r[3] != "1" || r[5] != "0.5" || r[8] != "" {
		t.Errorf("row %q", r)
	}
	if r := rows[8]; r[1] != "4" || r[3] != "" || r[8] != "syntax" {
		t.Errorf("row %q", r)
	}
}

// TestReplayPredictionsOfClasses: they are spelled as labels are.
func TestReplayPredictionsOfClasses(t *testing.T) {
	t.Parallel()
	events := write(t, "e.csv", "x,label\n1,red\n2,\"a, b\"\n1,red\n")
	for path, want := range map[string]string{
		"p.jsonl": `{"line":2,"prediction":null,"score":0,"label":"red","mistake":true}` + "\n" +
			`{"line":3,"prediction":"red","score":0,"label":"a, b","mistake":true}` + "\n",
		"p.csv": "line,id,prediction,score,probability,label,mistake,rejected,error,untrained\n2,,,0,,red,true,,,\n" +
			"3,,red,0,,\"a, b\",true,,,\n",
	} {
		out := filepath.Join(t.TempDir(), path)
		call(t, "", "replay", events, "--task", "multiclass", "--predictions", out).want(t, cli.ExitDone, "", "")
		if got := read(t, out); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s\nwant %s", path, got, want)
		}
	}
}

// TestReplayPredictionsOfSeveral: each learner has a file, of the same lines as alone.
func TestReplayPredictionsOfSeveral(t *testing.T) {
	t.Parallel()
	events, dir := write(t, "e.jsonl", someEvents), t.TempDir()
	alone := filepath.Join(dir, "alone.csv")
	together := filepath.Join(dir, "p.csv")
	call(t, "", "replay", events, "--predictions", together, "--learner", "pa1:C=0.5 logistic pa1:C=0.5,bias=0").want(t,
		cli.ExitDone, "", filepath.Join(dir, "p.pa1-C=0.5.csv")+", ")
	for name, learner := range map[string]string{"p.pa1-C=0.5.csv": "pa1:C=0.5", "p.logistic.csv": "logistic",
		"p.pa1-C=0.5-bias=0.csv": "pa1:C=0.5,bias=0"} {
		call(t, "", "replay", events, "--predictions", alone, "--learner", learner).want(t, cli.ExitDone, "", "")
		if got, want := read(t, filepath.Join(dir, name)), read(t, alone); got != want {
			t.Errorf("%s: %s\nalone %s", name, got, want)
		}
	}
}

// TestReplayPredictionsWithScores: of each class, as the daemon's --scores gives them.
func TestReplayPredictionsWithScores(t *testing.T) {
	t.Parallel()
	events := write(t, "e.csv", "x,label\n1,red\n2,\"a, b\"\n1,red\n")
	out := filepath.Join(t.TempDir(), "p.jsonl")
	call(t, "", "replay", events, "--task", "multiclass", "--predictions", out, "--scores", "--scale", "none").want(t,
		cli.ExitDone, "", "")
	last := strings.Split(read(t, out), "\n")[2]
	var line struct {
		Prediction string
		Score      float64
		Scores     map[string]float64
	}
	if err := json.Unmarshal([]byte(last), &line); err != nil || len(line.Scores) != 2 ||
		line.Scores[line.Prediction] != line.Score {
		t.Errorf("%v: %s", err, last)
	}
	table := filepath.Join(t.TempDir(), "p.csv")
	call(t, "", "replay", events, "--task", "multiclass", "--predictions", table, "--scores").want(t, cli.ExitDone, "",
		"")
	if got := read(t, table); !strings.HasPrefix(got, "line,id,prediction,score,probability,scores,label,") {
		t.Error(got)
	}
	for want, args := range map[string][]string{"want --predictions": {"--task", "multiclass"},
		"want --task multiclass": {"--predictions", out}} {
		call(t, "", append([]string{"replay", events, "--scores"}, args...)...).want(t, cli.ExitUsage, "", want)
	}
}

// TestReplayPredictionsOfATopic are those that the daemon publishes.
func TestReplayPredictionsOfATopic(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(1, "events"))
	call(t, "", "produce", "--brokers", k, "--topic", "events", "--generate", "hyperplane", "--count", "200")
	call(t, "", "run", "--brokers", k, "--input", "events", "--state", t.TempDir(), "--create-topics", "--until-end",
		"--http", "off").want(t, cli.ExitDone, "200 predictions", "")
	out := filepath.Join(t.TempDir(), "p.jsonl")
	call(t, "", "replay", "--brokers", k, "--topic", "events", "--predictions", out).want(t, cli.ExitDone, "", "")
	lines := strings.Split(strings.TrimSpace(read(t, out)), "\n")
	type prediction struct {
		Partition, Offset, Prediction, Label int
		Score                                float64
		Mistake                              bool
	}
	for i, value := range values(t, k, "events.predictions", 0, 200) {
		var was, is prediction
		if err := json.Unmarshal([]byte(value), &was); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(lines[i]), &is); err != nil || was != is {
			t.Fatalf("%s\npublished %s", lines[i], value)
		}
	}
}

// TestReplayOut: what a replay learned continues as a model.
func TestReplayOut(t *testing.T) {
	t.Parallel()
	events, out := write(t, "e.jsonl", strings.Repeat(someEvents, 20)), filepath.Join(t.TempDir(), "a.model")
	for _, task := range []string{"binary", "multiclass"} {
		call(t, "", "replay", events, "--task", task, "--learner", "pa1:C=0.5", "--out", out).want(t, cli.ExitDone,
			"pa1:C=0.5", "")
		call(t, "", "inspect", out).want(t, cli.ExitDone, "pa1:C=0.5", "")
		whole := replayJSON(t, "", events, events, "--task", task, "--learner", "pa1:C=0.5")
		half := replayJSON(t, "", events, "--from-model", out)
		first := replayJSON(t, "", events, "--task", task, "--learner", "pa1:C=0.5")
		if n := first.Learners[0].Mistakes + half.learner(t, out).Mistakes; n != whole.Learners[0].Mistakes {
			t.Errorf("%s: %d mistakes in two halves, %d in one go", task, n, whole.Learners[0].Mistakes)
		}
	}
	call(t, "", "replay", events, "--from-model", t.TempDir()).want(t, cli.ExitFailed, "", "holds no checkpoint")
	again := filepath.Join(t.TempDir(), "b.model")
	call(t, "", "replay", events, "--from-model", out, "--out", again).want(t, cli.ExitDone, "", "")
	call(t, "", "inspect", again).want(t, cli.ExitDone, "pa1:C=0.5", "")
	for want, args := range map[string][]string{
		"predictions: there are 2 learners: want one":            {"--learner", "pa arow", "--predictions", "-"},
		"out: there are 2 learners: want one":                    {"--learner", "pa averaged", "--out", again},
		"p.txt: want a name that ends in .csv or .jsonl, or -":   {"--predictions", "p.txt"},
		"did you mean \"logistic pa\"? Spaces separate learners": {"--learner", "logistic,pa"},
	} {
		call(t, "", append([]string{"replay", events}, args...)...).want(t, cli.ExitUsage, "", want)
	}
}
