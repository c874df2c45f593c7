package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"rosenblatt/checkpoint"
	"rosenblatt/cmd/internal/cli"
)

// Several classes from a file, from standard input and from a topic: each learner in each way asked for, with names
// that say so.
func TestReplayClasses(t *testing.T) {
	t.Parallel()
	path := flowers(t, 300)
	several := []string{"--task", "multiclass", "--bits", "10"}
	one := replayJSON(t, "", append(several, path)...)
	if l := one.learner(t, "perceptron"); l.Examples != 300 || l.Mistakes == 0 || l.Mistakes > 60 ||
		len(one.Learners) != 1 {
		t.Errorf("%+v", one)
	}
	asked := replayJSON(t, "", append(several, path, "--learner", "perceptron", "--multiclass", "direct")...)
	if asked.Learners[0] != one.Learners[0] {
		t.Errorf("%+v and %+v", asked.Learners[0], one.Learners[0])
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all := append(several, "--multiclass", "direct,ova,ovo", "--learner", "perceptron pa1:C=1", "--delay", "3")
	file, stdin := replayJSON(t, "", append(all, path)...),
		replayJSON(t, string(text), append(all, "-", "--format", "json")...)
	for _, name := range []string{"perceptron direct", "perceptron ova", "perceptron ovo", "pa1:C=1 direct",
		"pa1:C=1 ova", "pa1:C=1 ovo"} {
		if a, b := file.learner(t, name), stdin.learner(t, name); a != b || a.Accuracy < 0.5 {
			t.Errorf("%s: %+v and %+v", name, a, b)
		}
	}
	if len(file.Learners) != 6 || file.Baselines[0].Name != "no-change" || file.Baselines[0].Mistakes != 296 ||
		file.Baselines[1].Mistakes < 190 {
		t.Errorf("baselines %+v", file.Baselines)
	}
	// A learner that has no form of its own in the usual way has another one, and names tell them apart.
	mixed := replayJSON(t, "", append(several, path, "--learner", "perceptron", "--learner", "logistic")...)
	if l := mixed.learner(t, "logistic ova"); l.LogLoss <= 0 || mixed.learner(t, "perceptron direct").LogLoss != 0 {
		t.Errorf("%+v", mixed.Learners)
	}
	got := call(t, "", append([]string{"replay", path, "--multiclass", "direct,ovo", "--learner", "arow perceptron"},
		several...)...)
	got.want(t, cli.ExitDone, "arow ovo", "rosenblatt: arow: left out: arow has no direct form")
	if strings.Contains(got.stdout, "arow direct") || strings.Contains(got.stdout, "AUC") {
		t.Errorf("%s", got.stdout)
	}
}

// What --json and --report contain about classes: their names, in the confusion and beside the weights.
func TestReplayClassesResults(t *testing.T) {
	t.Parallel()
	page, csv := filepath.Join(t.TempDir(), "out.html"), filepath.Join(t.TempDir(), "out.csv")
	got := call(t, "", "replay", flowers(t, 300), "--task", "multiclass", "--multiclass", "ova", "--bits", "10",
		"--learner", "perceptron logistic",
		"--json", "-", "--report", page, "--csv", csv)
	var d struct {
		Learners []struct {
			Name      string
			Confusion []struct {
				Label, Prediction *string
				Count             float64
			}
			Classes []struct {
				Class    string
				Examples float64
				Recall   float64
				Top      []struct{ Name string }
			}
		}
	}
	if err := json.Unmarshal([]byte(got.stdout), &d); err != nil || len(d.Learners) != 2 {
		t.Fatal(err, got.stderr, got.stdout)
	}
	for _, l := range d.Learners {
		if len(l.Classes) != 3 || l.Classes[0].Class != "setosa" || l.Classes[0].Examples != 100 ||
			l.Classes[0].Top[0].Name == "" {
			t.Errorf("%+v", l.Classes)
		}
		for _, c := range l.Confusion {
			if c.Label == nil || c.Prediction == nil && c.Count != 1 {
				t.Errorf("%+v", c)
			}
		}
	}
	for file, want := range map[string][]string{page: {`<th scope="row">versicolor</th>`, "Most frequent mistakes",
		"<summary>virginica</summary>"}, csv: {"logistic,", "majority,"}} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(string(text), w) {
				t.Errorf("%s lacks %s", file, w)
			}
		}
	}
}

// The topic of a daemon with several classes, in its order, and the model it left.
func TestReplayClassesTopic(t *testing.T) {
	t.Parallel()
	k := broker(t)
	state := t.TempDir()
	path := flowers(t, 400)
	call(t, "", "produce", path, "--brokers", k, "--topic", "flowers", "--create-topic", "--partitions", "2").want(t,
		cli.ExitDone, "400 events", "")
	ran := call(t, "", "run", "--brokers", k, "--input", "flowers", "--state", state, "--until-end", "--http", "off",
		"--create-topics", "--bits", "10",
		"--task", "multiclass", "--multiclass", "ovo", "--learner", "pa1:C=0.5")
	ran.want(t, cli.ExitDone, "400 predictions", "")
	topic := []string{"--brokers", k, "--topic", "flowers"}
	journal := replayJSON(t, "", append(topic, "--order", "journal", "--task", "multiclass", "--multiclass",
		"ovo,direct", "--learner", "pa1:C=0.5", "--bits", "10")...)
	if own := journal.learner(t, "pa1:C=0.5 ovo"); !strings.Contains(ran.stdout,
		strconv.FormatInt(own.Mistakes, 10)+" mistakes") || own.Examples != 400 {
		t.Errorf("%+v, the daemon said %s", own, ran.stdout)
	}
	files, err := (&checkpoint.Store{Dir: filepath.Join(state, "flowers")}).Files()
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	still := replayJSON(t, "", append(topic, "--from-model", files[0], "--no-learn")...)
	if l := still.learner(t, files[0]); l.Updates != 0 || l.Examples != 400 || l.Accuracy < 0.9 {
		t.Errorf("%+v", still.Learners)
	}
	both := replayJSON(t, "", path, "--from-model", files[0], "--learner", "perceptron", "--multiclass", "ova")
	if l := both.learner(t, files[0]); l.Accuracy <= both.learner(t, "perceptron").Accuracy || len(both.Learners) != 2 {
		t.Errorf("%+v", both.Learners)
	}
	call(t, "", append([]string{"replay", "--from-model", files[0], "--task", "binary"}, topic...)...).want(t,
		cli.ExitUsage, "", "is a model of task multiclass")
}

func TestReplayClassesUsage(t *testing.T) {
	t.Parallel()
	path := flowers(t, 9)
	for want, args := range map[string][]string{
		"task: \"many\"": {"--task", "many"},
		"multiclass and max-classes are for --task multiclass": {"--multiclass", "ova"},
		"multiclass: \"all\"": {"--task", "multiclass", "--multiclass", "all"},
		"ova: duplicate":      {"--task", "multiclass", "--multiclass", "ova,ova"},
		"logistic has no direct form": {"--task", "multiclass", "--multiclass", "direct", "--learner",
			"logistic"},
		"max classes 200: want 1 to 150 with ovo": {"--task", "multiclass", "--multiclass", "direct,ovo",
			"--max-classes", "200"},
		"a positive label and label names are for two": {"--task", "multiclass", "--positive", "setosa"},
		"weights: a task of several classes": {"--task", "multiclass", "--weights",
			write(t, "w.json", `{"x":1}`)},
		"no-learn: a learner that never learns needs": {"--task", "multiclass", "--no-learn"},
	} {
		call(t, "", append([]string{"replay", path}, args...)...).want(t, cli.ExitUsage, "", want)
	}
	call(t, "", "replay", path, "--task", "multiclass", "--max-classes", "2").want(t, cli.ExitDone,
		"too-many-classes 3", path+":3: too-many-classes: ")
	call(t, "", "replay", path, "--task", "multiclass", "--max-classes", "2", "--strict").want(t, cli.ExitFailed, "",
		path+":3: too-many-classes: ")
}
