package training

import (
	"math"
	"path/filepath"
	"testing"

	"rosenblatt/checkpoint"
	"rosenblatt/learner"
	"rosenblatt/stream/model"
)

// TestRandomStart: an end after no update has the weights that a model with random start weights begins with, of each
// class its own, but for those that a file gives.
func TestRandomStart(t *testing.T) {
	s := settings(t)
	s.StartWeights, s.Seed, s.MaxPasses, s.MaxUpdates, s.Keep = "random", 5, 1, 1, "last"
	s.Out = filepath.Join(t.TempDir(), "model")
	var r Result
	if err := train(t, s, "a,b,label\n0,0,-1\n0,0,1\n", &r); err != nil {
		t.Fatal(err)
	}
	file, err := checkpoint.Open(nil, s.Out)
	if err != nil {
		t.Fatal(err)
	}
	_, proc, err := model.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if top := proc.Top(model.Positive, 5); len(top) != 2 {
		t.Errorf("weights %v", top)
	}
	for _, w := range proc.Top(model.Positive, 5) {
		if want := learner.StartWeight(5, 0, int(w.Slot)); w.Weight != want || r.Weights[w.Name] != want {
			t.Errorf("%s starts with %v, want %v", w.Name, w.Weight, want)
		}
	}
	bias := learner.StartWeight(5, 0, 1<<8)
	if d := math.Abs(r.Bias - bias); d > 1e-12 && math.Abs(d-1) > 1e-12 {
		t.Errorf("the bias %v is not 0 or 1 away from its start %v", r.Bias, bias)
	}

	var classes ClassesResult
	s.Task, s.Out, s.MaxUpdates = "multiclass", "", 1
	if err := train(t, s, "a,label\n0,x\n0,y\n0,z\n", &classes); err != nil {
		t.Fatal(err)
	}
	for i, m := range classes.Machines {
		for name, got := range m.Weights {
			if got < -1 || got >= 1 || i > 0 && got == classes.Machines[0].Weights[name] {
				t.Errorf("machine %d starts with %v", i, got)
			}
		}
	}
	s = settings(t)
	s.StartWeights, s.Algorithm = "random", "dual:kernel=rbf"
	if err := train(t, s, "", nil); err == nil {
		t.Error("a kernel has start weights")
	}
}

// TestVariants: update, bias and threshold reach the algorithm, and the model.
func TestVariants(t *testing.T) {
	s := settings(t)
	s.Update, s.Bias, s.Out = "mistake", 0, filepath.Join(t.TempDir(), "model")
	var r Result
	if err := train(t, s, "a,b,label\n1,2,1\n-1,-2,-1\n", &r); err != nil {
		t.Fatal(err)
	}
	if r.Bias != 0 || r.Updates != 1 || !r.Separated {
		t.Errorf("%+v", r)
	}
	file, err := checkpoint.Open(nil, s.Out)
	if err != nil {
		t.Fatal(err)
	}
	h, _, err := model.Read(file)
	if err != nil || h.Config.Learner.String() != "perceptron:update=mistake,bias=0" {
		t.Errorf("%v, %v", h.Config.Learner, err)
	}
	s = settings(t)
	s.Update, s.Threshold, s.Bias = "mistake", 1, 2
	if err := train(t, s, "", nil); err == nil {
		t.Error("settings that do not go together are accepted")
	}
}
