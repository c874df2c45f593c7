package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/training"
)

// trainClassesJSON trains on several classes and reads the JSON.
func trainClassesJSON(t *testing.T, args ...string) training.ClassesResult {
	t.Helper()
	got := call(t, "", append([]string{"train", "--json", "-", "--task", "multiclass", "--bits", "10"}, args...)...)
	var r training.ClassesResult
	if err := json.Unmarshal([]byte(got.stdout), &r); got.code != cli.ExitDone || err != nil {
		t.Fatalf("exit %d, %v\nstdout: %s\nstderr: %s", got.code, err, got.stdout, got.stderr)
	}
	return r
}

// A model of several classes makes the mistakes that training says, in replay and in the daemon, however it is scaled.
func TestTrainClasses(t *testing.T) {
	t.Parallel()
	k := broker(t)
	path := flowers(t, 90)
	call(t, "", "produce", path, "--brokers", k, "--topic", "flowers", "--create-topic").want(t, cli.ExitDone,
		"90 events", "")
	for _, c := range []struct {
		scheme, scale, algorithm string
		separated                bool
	}{{"ovo", "none", "primal", true}, {"ova", "none", "pla", false}, {"ovo", "maxabs", "dual", true},
		{"ova", "maxabs", "primal", false}} {
		model := filepath.Join(t.TempDir(), "model")
		r := trainClassesJSON(t, path, "--multiclass", c.scheme, "--scale", c.scale, "--algorithm", c.algorithm,
			"--order", "random", "--max-passes", "30", "--out", model)
		if r.Separated != c.separated || (r.Mistakes == 0) != c.separated || len(r.Machines) != 3 ||
			strings.Join(r.Classes, " ") != "setosa virginica versicolor" || r.Examples != 90 {
			t.Errorf("%v: %+v", c, r)
		}
		updates := int64(0)
		for _, m := range r.Machines {
			updates += m.Updates
			if (m.Against == nil) != (c.scheme == "ova") || len(m.Weights) == 0 || m.Separated &&
				(m.Margin == nil || float64(m.Updates) > *m.Bound) {
				t.Errorf("%v: %+v", c, m)
			}
		}
		if last := r.Machines[2]; updates != r.Updates || c.scheme == "ovo" &&
			(last.Class != "virginica" || *last.Against != "versicolor" || last.Examples != 60) {
			t.Errorf("%v: %+v", c, r)
		}
		replayed := replayJSON(t, "", path, "--from-model", model, "--no-learn").learner(t, model)
		if replayed.Mistakes != int64(r.Mistakes) || replayed.Examples != 90 {
			t.Errorf("%v: %d mistakes in training, %d in replay", c, r.Mistakes, replayed.Mistakes)
		}
		ran := call(t, "", "run", "--brokers", k, "--input", "flowers", "--output", "out-"+c.scheme+c.scale, "--model",
			c.scheme+c.scale, "--state", t.TempDir(), "--until-end",
			"--http", "off", "--create-topics", "--bits", "10", "--task", "multiclass", "--multiclass", c.scheme,
			"--scale", c.scale, "--from-model", model)
		if r.Mistakes == 0 {
			ran.want(t, cli.ExitDone, " 0 mistakes", "")
		} else {
			ran.want(t, cli.ExitDone, "90 predictions", "")
		}
	}
}

func TestTrainClassesTable(t *testing.T) {
	t.Parallel()
	path := flowers(t, 90)
	several := []string{"train", path, "--task", "multiclass", "--bits", "10", "--max-passes", "20"}
	got := call(t, "", append(several, "--multiclass", "ovo", "--require-separated")...)
	got.want(t, cli.ExitDone, "together   0 of 90 examples wrong, after ", "")
	got.want(t, cli.ExitDone, "setosa     virginica   separated", "")
	call(t, "", append(several, "--require-separated", "--validation", "0.2")...).want(t, cli.ExitFailed,
		"separated  no\n", "")
	for want, args := range map[string][]string{
		"task: \"x\"": {"--task", "x"},
		"multiclass and max-classes are for --task multiclass": {"--task", "binary", "--multiclass", "ova"},
		"multiclass: \"direct\": train has ova and ovo":        {"--multiclass", "direct"},
		"several classes are trained with the linear one":      {"--algorithm", "dual:kernel=rbf"},
		"weights: a task of several classes":                   {"--weights", write(t, "w.json", `{"x":1}`)},
		"max classes 200: want 1 to 150 with ovo":              {"--multiclass", "ovo", "--max-classes", "200"},
		"leave out the one or the task multiclass":             {"--positive", "setosa"},
	} {
		call(t, "", append(several, args...)...).want(t, cli.ExitUsage, "", want)
	}
	call(t, "", append(several, "--max-classes", "2", "--json", "-")...).want(t, cli.ExitDone, `"too-many-classes": 30`,
		path+":3: too-many-classes: ")
	call(t, "", "train", write(t, "one.csv", "x,label\n1,a\n2,a\n"), "--task", "multiclass").want(t, cli.ExitFailed, "",
		"all labels are a: want two classes or more")
}

// Named labels without a word about them are an error with what to do; with --positive there are one and all others.
func TestTrainNamedLabels(t *testing.T) {
	t.Parallel()
	path := flowers(t, 90)
	got := call(t, "", "train", path)
	got.want(t, cli.ExitFailed, "", "90 of 90 labels are none of -1, 0, 1, true and false: "+
		"for one label against all others give --positive LABEL")
	got.want(t, cli.ExitFailed, "", "for several classes --task multiclass")
	r := trainJSON(t, path, "--positive", "setosa")
	if !r.Separated || r.Examples != 90 || r.Weights["x"] >= 0 {
		t.Errorf("%+v", r)
	}
	call(t, "", "train", path, "--label-names", "setosa,versicolor").want(t, cli.ExitDone,
		"60 trained on, 30 rejected (bad-label 30)", "")
}
