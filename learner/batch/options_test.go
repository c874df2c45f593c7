package batch

import (
	"math"
	"strings"
	"testing"

	"rosenblatt/learner"
)

func TestBadOptions(t *testing.T) {
	if err := (Options{}).Validate(); err != nil {
		t.Errorf("the zero value: %v", err)
	}
	for want, o := range map[string]Options{
		"algorithm":      {Algorithm: "svm"},
		"order":          {Order: "sorted"},
		"until":          {Until: "dawn"},
		"keep":           {Keep: "all"},
		"rate 2":         {Rate: 2},
		"rate -1":        {Rate: -1},
		"rate NaN":       {Rate: math.NaN()},
		"threshold":      {Threshold: -1},
		"validation 1":   {HeldOut: 1},
		"tolerance":      {Tolerance: 1},
		"max passes":     {MaxPasses: -1},
		"max updates":    {MaxUpdates: -1},
		"patience":       {Patience: -2},
		"gram bytes":     {GramBytes: -1},
		"primal has":     {Kernel: rbf(0)},
		"start weights":  {Algorithm: Dual, Kernel: rbf(0), StartWeights: []float64{1}},
		"degree 101":     {Algorithm: Dual, Kernel: learner.Kernel{Name: learner.KernelPoly, Degree: 101}},
		"offset -1":      {Algorithm: Dual, Kernel: learner.Kernel{Name: learner.KernelPoly, Offset: -1}},
		"gamma -1":       {Algorithm: Dual, Kernel: learner.Kernel{Name: learner.KernelRBF, Gamma: -1}},
		"gamma: only":    {Algorithm: Dual, Kernel: learner.Kernel{Name: learner.KernelPoly, Gamma: 1}},
		"degree and off": {Algorithm: Dual, Kernel: learner.Kernel{Name: learner.KernelRBF, Degree: 1}},
		`kernel "cubic"`: {Algorithm: Dual, Kernel: learner.Kernel{Name: "cubic"}},
	} {
		if err := o.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", o, err, want)
		}
		if _, err := Train(nil, 0, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: Train says %v", o, err)
		}
	}
}

func TestParseAlgorithm(t *testing.T) {
	for text, want := range map[string]string{
		"primal":                      "primal kernel=linear",
		"pla":                         "pla kernel=linear",
		"dual":                        "dual kernel=linear",
		"dual:kernel=linear":          "dual kernel=linear",
		"dual:kernel=poly":            "dual kernel=poly,degree=2,offset=1",
		"dual:kernel=poly,offset=0":   "dual kernel=poly,degree=2,offset=0",
		"dual:degree=3,kernel=poly":   "dual kernel=poly,degree=3,offset=1",
		"dual:kernel=rbf":             "dual kernel=rbf,gamma=1",
		"dual:kernel=rbf,gamma=0.125": "dual kernel=rbf,gamma=0.125",
	} {
		algorithm, k, err := ParseAlgorithm(text)
		if got := algorithm + " " + k.String(); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", text, got, err, want)
		}
		if _, again, err := ParseAlgorithm("dual:" + k.String()); err != nil || again != k {
			t.Errorf("%s: its own words give %+v, %v", k, again, err)
		}
	}
	for _, text := range []string{"", "svm", "primal:rate=1", "dual:", "dual:kernel=cubic", "dual:kernel=rbf,gamma=0",
		"dual:kernel=rbf,gamma=x",
		"dual:kernel=poly,degree=0", "dual:kernel=poly,degree=1.5", "dual:kernel=poly,offset=-1", "dual:gamma=1",
		"dual:speed=1",
		"dual:kernel=rbf,gamma=nan", "dual:kernel=rbf,gamma=inf"} {
		if a, k, err := ParseAlgorithm(text); err == nil {
			t.Errorf("%q is taken: %s, %v", text, a, k)
		}
	}
}
