package main

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"rosenblatt/checkpoint"
	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/training"
	"rosenblatt/learner/datasets"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
)

const (
	andFile   = "x1,x2,label\n0,0,-1\n0,1,-1\n1,0,-1\n1,1,1\n"
	orFile    = "x1,x2,label\n0,0,-1\n0,1,1\n1,0,1\n1,1,1\n"
	xorFile   = "x1,x2,label\n0,0,-1\n0,1,1\n1,0,1\n1,1,-1\n"
	threeFile = "x1,x2,label\n3,3,1\n4,3,1\n1,1,-1\n"
)

// trainJSON runs train and reads its JSON.
func trainJSON(t *testing.T, args ...string) training.Result {
	t.Helper()
	got := call(t, "", append([]string{"train", "--json", "-"}, args...)...)
	var r training.Result
	if err := json.Unmarshal([]byte(got.stdout), &r); got.code != cli.ExitDone || err != nil {
		t.Fatalf("exit %d, %v\nstdout: %s\nstderr: %s", got.code, err, got.stdout, got.stderr)
	}
	return r
}

// TestTrainWorkedExamples: the textbook's sets, as a user has them.
func TestTrainWorkedExamples(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file    string
		w1, w2  float64
		bias    float64
		updates int64
		margin  float64
		r       float64
	}{
		{threeFile, 1, 1, -3, 7, 1 / math.Sqrt(11), math.Sqrt(26)},
		{andFile, 3, 2, -4, 18, 1 / math.Sqrt(29), math.Sqrt(3)},
		{orFile, 2, 2, -1, 9, 1.0 / 3, math.Sqrt(3)},
	} {
		path := write(t, "points.csv", c.file)
		for _, algorithm := range []string{"primal", "pla", "dual"} {
			r := trainJSON(t, path, "--algorithm", algorithm)
			if !r.Separated || r.Stopped != "separated" || r.Mistakes != 0 || r.Loss != 0 || r.Updates != c.updates {
				t.Errorf("%s: %+v", algorithm, r)
			}
			if len(r.Weights) != 2 || r.Weights["x1"] != c.w1 || r.Weights["x2"] != c.w2 || r.Bias != c.bias {
				t.Errorf("%s: weights %v, bias %v", algorithm, r.Weights, r.Bias)
			}
			if math.Abs(*r.Margin-c.margin) > 1e-12 || math.Abs(r.R-c.r) > 1e-12 ||
				math.Abs(*r.Bound-math.Pow(c.r/c.margin, 2)) > 1e-9 {
				t.Errorf("%s: margin %v, R %v, bound %v", algorithm, *r.Margin, r.R, *r.Bound)
			}
		}
	}
}

func TestTrainXOR(t *testing.T) {
	t.Parallel()
	path := write(t, "xor.csv", xorFile)
	for _, algorithm := range []string{"primal", "pla", "dual"} {
		r := trainJSON(t, path, "--algorithm", algorithm, "--order", "random", "--max-passes", "30")
		if r.Separated || r.Margin != nil || r.Bound != nil || r.Stopped != "budget" || r.Passes != 30 ||
			r.Mistakes != 1 || r.Least.Mistakes != 1 {
			t.Errorf("%s: %+v", algorithm, r)
		}
	}
	for _, algorithm := range []string{"dual:kernel=poly,degree=2,offset=1", "dual:kernel=rbf,gamma=0.5"} {
		r := trainJSON(t, path, "--algorithm", algorithm)
		if !r.Separated || len(r.Weights) != 0 || len(r.Support) == 0 || r.Support[0].Line < 2 ||
			r.Algorithm != algorithm {
			t.Errorf("%s: %+v", algorithm, r)
		}
	}
	got := call(t, "", "train", path, "--max-passes", "30")
	got.want(t, cli.ExitDone, "no separator exists, or only one so narrow", "")
	got.want(t, cli.ExitDone, "dual:kernel=poly", "")
	got.want(t, cli.ExitDone, "least mistakes", "")
	call(t, "", "train", path, "--max-passes", "30", "--require-separated").want(t, cli.ExitFailed,
		"separated            no\n", "")
	call(t, "", "train", path, "--algorithm", "dual:kernel=rbf", "--require-separated").want(t, cli.ExitDone,
		"y(w·x+b) > 0 for every example", "")
}

// TestTrainTable: passes 1, 2, 4 and the last one, and the report.
func TestTrainTable(t *testing.T) {
	t.Parallel()
	got := call(t, "", "train", write(t, "three.csv", threeFile))
	for _, want := range []string{
		"    pass    updates     so far   mistakes         loss     change\n",
		"\n       1          2          2          1            4       100%\n",
		"\n       2          1          3          1            1       100%\n",
		"\n       4          2          6 ",
		"\n       6          0          7          0            0         0%\n",
		"stopped    passes  updates  mistakes  loss  R        margin    (R/margin)²  maximal margin  its " +
			"(R/margin)²\n" +
			"separated  6       7        0 of 3    0     5.09902  0.301511  286          0.471405        117\n",
		"\nbias  -3\nx1    1\nx2    1\n",
	} {
		got.want(t, cli.ExitDone, want, "")
	}
	if strings.Contains(got.stdout, "\n       3 ") || strings.Contains(got.stdout, "\n       5 ") {
		t.Errorf("too many rows:\n%s", got.stdout)
	}
}

// TestTrainOnePass: a pass of pla in order is what the daemon's perceptron does with the same events, and golden.md has
// its updates.
func TestTrainOnePass(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file    string
		args    []string
		updates int64
	}{
		{"a9a/a9a", []string{"--format", "libsvm"}, 6948},
		{"elec2/electricity.csv", []string{"--label-field", "class", "--positive", "UP"}, 6931},
		{"phishing/phishing.csv.gz", []string{"--label-field", "is_phishing"}, 217},
		{"rcv1_small/rcv1_small.dat", []string{"--format", "vw", "--bits", "24"}, 274},
	} {
		t.Run(c.file, func(t *testing.T) {
			r := trainJSON(t, append(c.args, datasets.Path(t, c.file), "--algorithm", "pla", "--max-passes", "1",
				"--until", "budget", "--keep", "last", "--margin-work", "0")...)
			slack := int64(2)
			if strings.HasPrefix(c.file, "rcv1") {
				slack = 6
			}
			if r.Passes != 1 || r.Updates < c.updates-slack || r.Updates > c.updates+slack {
				t.Errorf("%s: %d updates, golden.md says %d", c.file, r.Updates, c.updates)
			}
		})
	}
}

// TestTrainModel: what --out writes predicts as training did, to the bit where nothing is scaled, and inspect shows it.
func TestTrainModel(t *testing.T) {
	t.Parallel()
	var lines []string
	for i := range 60 {
		a, b := float64(i%7)-3, float64(i%11)-5
		label := "no"
		if 2*a-b+0.5 > 0 {
			label = "yes"
		}
		lines = append(lines, fmt.Sprintf(`{"label":%q,"a":%g,"b":%g,"kind":"k%d","deep":{"c":%g}}`, label, a, b*100,
			i%3, float64(i)/10))
	}
	path := write(t, "events.jsonl", strings.Join(lines, "\n"))
	for _, args := range [][]string{
		{"--algorithm", "primal", "--order", "random"}, {"--algorithm", "pla", "--scale", "maxabs"},
		{"--algorithm", "dual", "--max-passes", "5"},
		{"--algorithm", "pla", "--scale", "standard", "--rate", "0.5"},
		{"--algorithm", "dual:kernel=rbf,gamma=0.01"},
		{"--algorithm", "dual:kernel=rbf,gamma=0.01", "--weights", write(t, "w.json", `{"bias":-7}`)},
		{"--algorithm", "dual:kernel=poly,degree=2", "--scale", "standard"},
	} {
		model := filepath.Join(t.TempDir(), "model")
		r := trainJSON(t, append(args, path, "--label-names", "no,yes", "--out", model, "--hash-seed", "3",
			"--margin-work", "100000")...)
		fixed, proc := modelOf(t, model)
		mistakes, loss := 0, 0.0
		d, err := event.New(fixed.Decode)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines {
			var e event.Example
			x := d.Decode(&event.Record{Value: []byte(line)}, nil, &e)
			o, rejected := proc.Predict(&e, x)
			if rejected != nil {
				t.Fatal(rejected)
			}
			if o.Mistake {
				mistakes++
				loss -= o.Score * float64(o.Label)
			}
		}
		if mistakes != r.Mistakes || math.Abs(loss-r.Loss) > 1e-9*max(1, loss) {
			t.Errorf("%v: the model makes %d mistakes, loss %v; train said %d, %v", args, mistakes, loss, r.Mistakes,
				r.Loss)
		}
		if fixed.Decode.Seed != 3 || proc.Score.Examples() != 0 {
			t.Errorf("%v: %+v", args, fixed)
		}
		got := call(t, "", "inspect", model)
		got.want(t, cli.ExitDone, "labels no/yes", "")
		for _, empty := range []string{"cluster", "input", "position", "accuracy", "\n\n\n"} {
			if strings.Contains(got.stdout, empty) {
				t.Errorf("%v: inspect shows %q of a model that has read no topic:\n%s", args, empty, got.stdout)
			}
		}
		for name, w := range r.Weights {
			if w != 0 && !strings.Contains(got.stdout, "\n"+name+" ") {
				t.Errorf("%v: inspect does not show %s:\n%s", args, name, got.stdout)
			}
		}
	}
}

func modelOf(t *testing.T, path string) (model.Config, *model.Processor) {
	t.Helper()
	file, err := checkpoint.Open(nil, path)
	if err != nil {
		t.Fatal(err)
	}
	header, proc, err := model.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return header.Config, proc
}

// TestTrainWeights: start weights count from the first score on, those of features that never come too.
func TestTrainWeights(t *testing.T) {
	t.Parallel()
	path := write(t, "and.csv", andFile)
	weights := write(t, "w.json", `{"bias":-3,"x1":2,"x2":2,"x3":7}`)
	r := trainJSON(t, path, "--weights", weights)
	if r.Updates != 0 || r.Passes != 1 || r.Weights["x3"] != 7 || r.Weights["x1"] != 2 || r.Bias != -3 ||
		r.UpdateBound == nil {
		t.Errorf("%+v", r)
	}
	if want := 1 / math.Sqrt(4+4+9+49); math.Abs(*r.Margin-want) > 1e-12 {
		t.Errorf("margin %v, want %v", *r.Margin, want)
	}
	call(t, "", "train", path, "--weights", weights, "--algorithm", "dual:kernel=rbf").want(t, cli.ExitUsage, "",
		"weights: kernel rbf")
}

// TestTrainBadInput: each bad line is named and counted, and --strict ends at the first.
func TestTrainBadInput(t *testing.T) {
	t.Parallel()
	path := write(t, "bad.csv", andFile+"1,inf,1\n2,3\n1,1,maybe\n\n5,5,\n")
	got := call(t, "", "train", path)
	for _, want := range []string{path + ":6:", ": not-finite: ", `"x2"`, path + ":7:", path + ":8: bad-label: "} {
		got.want(t, cli.ExitDone, "8 read: 4 trained on, 1 without a label or of weight 0, "+
			"3 rejected (bad-label 1, not-finite 1, syntax 1)", want)
	}
	call(t, "", "train", path, "--strict").want(t, cli.ExitFailed, "", path+":6:")
	broken := write(t, "bad.jsonl", `{"label":1,"a":1}`+"\n"+`{"label":-1,"a":x}`)
	call(t, "", "train", broken, "--strict").want(t, cli.ExitFailed, "", broken+":2:17: syntax: ")
	call(t, "", "train", write(t, "none.csv", "a,label\ninf,1\n")).want(t, cli.ExitFailed, "",
		"no labelled example to train on: 1 events, 1 rejected")
	many := write(t, "many.csv", andFile+strings.Repeat("inf,1,1\n", 30))
	got = call(t, "", "train", many)
	got.want(t, cli.ExitDone, "30 rejected", "and 20 more were rejected")
	if n := strings.Count(got.stderr, ": not-finite: "); n != training.ShownRejects {
		t.Errorf("%d rejected events are named, want %d", n, training.ShownRejects)
	}
}

// TestTrainEventWeights: an event of weight 0 is left out, and other weights make no difference, which is said.
func TestTrainEventWeights(t *testing.T) {
	t.Parallel()
	path := write(t, "and.csv", "x1,x2,label,w\n0,0,-1,1\n0,1,-1,5\n1,0,-1,1\n1,1,1,0.5\n1,1,-1,0\n")
	got := call(t, "", "train", path, "--weight-field", "w")
	got.want(t, cli.ExitDone, "4 trained on, 1 without a label or of weight 0", "")
	got.want(t, cli.ExitDone, "2 examples have a weight: here all weigh the same", "")
	got.want(t, cli.ExitDone, "separated  9       18 ", "")
}
