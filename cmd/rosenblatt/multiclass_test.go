package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rosenblatt/cmd/internal/cli"
)

// flowers writes events of three classes that one number tells apart.
func flowers(t *testing.T, n int) string {
	t.Helper()
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"id":"e%d","label":%q,"features":{"x":%d,"y":%d}}`+"\n", i,
			[]string{"setosa", "virginica", "versicolor"}[i%3], i%3-1, i%2)
	}
	path := filepath.Join(t.TempDir(), "flowers.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTourOfClasses: several classes from the command line, in two runs, and what inspect prints about them.
func TestTourOfClasses(t *testing.T) {
	t.Parallel()
	k := broker(t)
	file := flowers(t, 150)
	for _, scheme := range []string{"direct", "ova", "ovo"} {
		state, topic := t.TempDir(), "flowers-"+scheme
		run := []string{"run", "--brokers", k, "--input", topic, "--state", state, "--until-end", "--http", "off",
			"--create-topics", "--bits", "10",
			"--task", "multiclass", "--multiclass", scheme, "--max-classes", "5", "--scores"}
		for round := range 2 {
			call(t, "", "produce", file, "--brokers", k, "--topic", topic, "--create-topic").want(t, cli.ExitDone,
				"150 events", "")
			call(t, "", run...).want(t, cli.ExitDone, fmt.Sprintf(" of %d wrong, label ", 50*(round+1)), "")
		}
		predictions := values(t, k, topic+".predictions", 0, 300)
		for _, want := range []string{
			`{"id":"e0","prediction":null,"score":0,"scores":{},"label":"setosa","mistake":true,`,
		} {
			if !strings.HasPrefix(predictions[0], want) {
				t.Errorf("%s: the first prediction is %s", scheme, predictions[0])
			}
		}
		last := predictions[299]
		if !strings.Contains(last, `"prediction":"versicolor"`) || !strings.Contains(last, `"mistake":false`) ||
			!strings.Contains(last, `"scores":{"setosa":`) {
			t.Errorf("%s: the last prediction is %s", scheme, last)
		}
		inspectClasses(t, filepath.Join(state, topic), scheme)
		call(t, "", append(run, "--multiclass", "direct", "--accept", "config", "--learner", "logistic")...).want(t,
			cli.ExitUsage, "", "logistic has no direct form")
	}
}

func inspectClasses(t *testing.T, folder, scheme string) {
	t.Helper()
	text := call(t, "", "inspect", folder)
	for _, want := range []string{"perceptron " + scheme, "labels 3 of at most 5 classes", "class setosa\n",
		"class versicolor\n", "300 labelled", "mistaken", "for (no class)", "\nx ",
		"\nclass       examples  precision  recall  F1"} {
		text.want(t, cli.ExitDone, want, "")
	}
	if strings.Contains(text.stdout, "AUC") {
		t.Errorf("an AUC of three classes:\n%s", text.stdout)
	}
	var i struct {
		ByClass []struct {
			Class string
			Top   []struct{ Name string }
		}
		Confusion []struct {
			Label, Prediction int
			Count             float64
		}
		Score struct {
			Examples, Mistakes int64
			Baselines          []struct{ Name string }
		}
	}
	got := call(t, "", "inspect", folder, "--json", "--top", "2")
	if err := json.Unmarshal([]byte(got.stdout), &i); err != nil {
		t.Fatal(err)
	}
	wrong, all := 0.0, 0.0
	for _, c := range i.Confusion {
		all += c.Count
		if c.Label != c.Prediction {
			wrong += c.Count
		}
	}
	if len(i.ByClass) != 3 || len(i.ByClass[0].Top) == 0 || all != 300 || int64(wrong) != i.Score.Mistakes ||
		len(i.Score.Baselines) != 2 {
		t.Errorf("%s: %+v", scheme, i)
	}
}
