package learner

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

func TestParseLearner(t *testing.T) {
	for text, want := range map[string]string{
		"perceptron":                                "perceptron",
		"perceptron:rate=1,threshold=0":             "perceptron",
		"perceptron:rate=0.5":                       "perceptron:rate=0.5",
		"perceptron:threshold=1,rate=5e-1":          "perceptron:rate=0.5,threshold=1",
		"perceptron:update=mistake":                 "perceptron:update=mistake",
		"perceptron:update=threshold,threshold=0.1": "perceptron:threshold=0.1",
		"perceptron:rate=0.1,update=mistake":        "perceptron:rate=0.1,update=mistake",
		"perceptron:l2=0.1,l1=1e-5,decay=2":         "perceptron:decay=2,l1=1e-05,l2=0.1",
		"perceptron:positive-weight=1":              "perceptron",
		"pa:negative-weight=3,positive-weight=0.25": "pa:positive-weight=0.25,negative-weight=3",
		"pa1":                                 "pa1",
		"pa2:C=1":                             "pa2",
		"pa2:C=0.01":                          "pa2:C=0.01",
		"arow:r=1,floor=0":                    "arow",
		"arow:floor=0.1,r=0.5":                "arow:r=0.5,floor=0.1",
		"logistic:rate=0.5,window=300":        "logistic",
		"logistic:rate=0.1":                   "logistic:rate=0.1",
		"logistic:window=0":                   "logistic:window=0",
		"logistic:schedule=constant":          "logistic:schedule=constant",
		"logistic:rate=0.1,schedule=constant": "logistic:schedule=constant",
		"logistic:schedule=constant,rate=0.5": "logistic:rate=0.5,schedule=constant",
		"logistic:rate=1":                     "logistic:rate=1",
		"averaged:window=1000":                "averaged:window=1000",
		"averaged:decay=0.999,threshold=1":    "averaged:threshold=1,decay=0.999",
		"dual:kernel=linear,budget=1000":      "dual",
		"dual:kernel=poly":                    "dual:kernel=poly",
		"dual:kernel=poly,degree=2,offset=1":  "dual:kernel=poly",
		"dual:kernel=poly,offset=0":           "dual:kernel=poly,offset=0",
		"dual:degree=3,kernel=poly":           "dual:kernel=poly,degree=3",
		"dual:kernel=rbf,gamma=0.5,budget=7":  "dual:kernel=rbf,gamma=0.5,budget=7",
	} {
		spec := Spec{Rate: 0.7, Threshold: 3, Update: "left over", Bits: 7, MaxNames: 9, Scale: ScaleMaxAbs}
		if err := ParseLearner(text, &spec); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if spec.String() != want || spec.Bits != 7 || spec.MaxNames != 9 || spec.Scale != ScaleMaxAbs {
			t.Errorf("%s became %s, %+v", text, spec, spec)
		}
		again := Spec{Bits: 7, MaxNames: 9, Scale: ScaleMaxAbs}
		if err := ParseLearner(spec.String(), &again); err != nil || again != spec || spec.Validate() != nil {
			t.Errorf("%s read back as %+v, %v", spec, again, err)
		}
	}
}

func TestParseLearnerNamesTheMistake(t *testing.T) {
	for text, words := range map[string][]string{
		"":           {"learner", "perceptron"},
		"perceptrom": {`"perceptrom"`, "perceptron"},
		"perceptron:": {"rate, threshold, update, decay",
			"l1, l2, bias, positive-weight and negative-weight"},
		"perceptron:rate":                       {`"rate"`, "key=value"},
		"perceptron:rate=0":                     {`rate "0"`, "over 0 and up to 1"},
		"perceptron:rate=1.5":                   {`"1.5"`, "over 0 and up to 1"},
		"perceptron:rate=nan":                   {`"nan"`},
		"perceptron:rate=x":                     {`"x"`},
		"perceptron:threshold=-1":               {`threshold "-1"`, "from 0 to 1e+30"},
		"perceptron:threshold=inf":              {`"inf"`},
		"perceptron:update=never":               {`"never"`, "threshold or mistake"},
		"perceptron:speed=3":                    {`"speed"`, "rate, threshold, update, decay"},
		"perceptron:rate=0.5,rate=0.5":          {`"rate=0.5"`, "at most once"},
		"perceptron:rate=0.5,":                  {`""`},
		"perceptron:update=mistake,threshold=1": {"threshold", "update=mistake"},
		"perceptron:update=mistake,threshold=0": {"threshold", "update=mistake"},
		"pa:C=1": {`unknown parameter "C"`,
			"want bias, positive-weight or negative-weight"},
		"pa1:C=0":                      {`C "0"`, "over 0 and up to 1e+30"},
		"pa2:rate=0.5":                 {`"rate"`, "C, bias, positive-weight or negative-weight"},
		"arow:r=-1":                    {`r "-1"`, "over 0"},
		"arow:floor=1.5":               {`floor "1.5"`, "from 0 to 1"},
		"averaged:window=1":            {`window "1"`, "a whole number from 2"},
		"averaged:window=2.5":          {`"2.5"`, "a whole number"},
		"averaged:decay=1":             {`decay "1"`, "from 0.5 to"},
		"averaged:decay=0":             {`decay "0"`, "from 0.5 to"},
		"averaged:window=10,decay=0.9": {"window 10", "decay 0.9", "one of them"},
		"averaged:l1=1":                {`"l1"`, "window, decay"},
		"logistic:threshold=1":         {`"threshold"`, "rate, schedule, window, decay, l1, l2"},
		"logistic:l1=-1":               {`l1 "-1"`, "from 0 to"},
		"perceptron:positive-weight=0": {`positive-weight "0"`, "over 0"},
		"dual:kernel=cubic":            {`kernel "cubic"`, "linear, poly or rbf"},
		"dual:gamma=1":                 {"gamma", "kernel=rbf"},
		"dual:gamma=1,kernel=poly":     {"gamma", "kernel=rbf"},
		"dual:offset=0":                {"offset", "kernel=poly"},
		"dual:kernel=rbf,degree=2":     {"degree", "kernel=poly"},
		"dual:kernel=poly,degree=0":    {`degree "0"`, "from 1 to 100"},
		"dual:kernel=poly,degree=101":  {`degree "101"`},
		"dual:budget=0":                {`budget "0"`, "from 1 to 1.048576e+06"},
	} {
		spec := Spec{Bits: 3}
		err := ParseLearner(text, &spec)
		if err == nil || spec != (Spec{Bits: 3}) {
			t.Errorf("%q: %v, %+v", text, err, spec)
			continue
		}
		for _, word := range words {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%q: %q does not say %q", text, err, word)
			}
		}
	}
}

func TestSpecValidate(t *testing.T) {
	if err := (Spec{}).Validate(); err != nil {
		t.Error(err)
	}
	for _, s := range []Spec{{Learner: "svm"}, {Rate: -1}, {Rate: 2}, {Rate: math.NaN()}, {Threshold: -1},
		{Threshold: math.Inf(1)},
		{Update: "x"}, {Update: UpdateMistake, Threshold: 1}, {Learner: PA, Rate: 0.5}, {Learner: PA, C: 1}, {C: 1},
		{Learner: PA1, C: math.Inf(1)},
		{Learner: AROW, R: math.NaN()}, {Learner: AROW, Floor: 2}, {Learner: Averaged, Window: 1},
		{Learner: Averaged, Decay: 2},
		{Learner: Averaged, Window: 10, Decay: 0.9}, {Window: 10}, {PositiveWeight: -1}, {NegativeWeight: 1e31},
		{L1: -1}, {L2: math.NaN()},
		{Learner: Dual, Kernel: "x"}, {Learner: Dual, Degree: 2}, {Learner: Dual, Kernel: KernelPoly, Gamma: 1},
		{Learner: Dual, Kernel: KernelRBF, Gamma: -1}, {Learner: Dual, Budget: -1}, {Kernel: KernelRBF},
		{Learner: Logistic, Threshold: 1}, {Scale: "minmax"}, {Bits: 31}, {Bits: -1}, {MaxNames: -1}} {
		if s.Validate() == nil {
			t.Errorf("%+v was taken", s)
		}
		if _, err := New(s); err == nil {
			t.Errorf("a model was made of %+v", s)
		}
	}
}

// TestSpecInJSON: the JSON of a perceptron is that of old checkpoints but for what they do not have, and every Spec
// survives JSON.
func TestSpecInJSON(t *testing.T) {
	const old = `{"learner":"perceptron","rate":1,"threshold":0,"update":"threshold","scale":"none","bits":18,` +
		`"maxNames":262144`
	if text, err := json.Marshal(Spec{}.WithDefaults()); err != nil || string(text) != old+"}" {
		t.Errorf("%s, %v", text, err)
	}
	var was Spec
	if err := json.Unmarshal([]byte(old+"}"), &was); err != nil || was.WithDefaults() != (Spec{}).WithDefaults() {
		t.Errorf("%+v, %v", was, err)
	}
	for _, learner := range everyLearner {
		want := Spec{Scale: ScaleStandard, Bits: 5}.WithDefaults()
		if err := ParseLearner(learner, &want); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got Spec
		if err := json.Unmarshal(text, &got); err != nil || got != want || got.WithDefaults() != want {
			t.Errorf("%s became %+v, %v", text, got, err)
		}
	}
}

// TestSpecForAModel: what is not given is the model's, unless it does not go together with what is.
func TestSpecForAModel(t *testing.T) {
	for _, row := range []struct{ model, given, want string }{
		{"perceptron:rate=0.5,l1=0.1", "perceptron", "perceptron:rate=0.5,l1=0.1"},
		{"perceptron:rate=0.5,l1=0.1", "perceptron:rate=1", "perceptron:l1=0.1"},
		{"perceptron:threshold=2", "perceptron:update=mistake", "perceptron:update=mistake"},
		{"dual:kernel=rbf,gamma=3,budget=9", "dual:budget=8", "dual:kernel=rbf,gamma=3,budget=8"},
		{"dual:kernel=rbf,gamma=3,budget=9", "dual:kernel=poly", "dual:kernel=poly"},
		{"dual:kernel=poly,degree=3", "dual:budget=7", "dual:kernel=poly,degree=3,budget=7"},
		{"pa1:positive-weight=2", "pa1:positive-weight=1", "pa1"},
		{"pa1:C=3", "pa2", "pa2"},
		{"logistic:rate=0.1,window=0", "logistic", "logistic:rate=0.1,window=0"},
		{"logistic:rate=0.1,window=0", "logistic:rate=0.2", "logistic:rate=0.2,window=0"},
		{"logistic:rate=0.1,window=0", "logistic:window=9", "logistic:rate=0.1,window=9"},
		{"logistic:l2=0.1", "logistic:window=0", "logistic:window=0,l2=0.1"},
		{"logistic:rate=0.2,l2=0.1", "logistic:schedule=constant", "logistic:rate=0.2,schedule=constant,l2=0.1"},
		{"logistic:schedule=constant", "logistic:l1=0.1", "logistic:schedule=constant,l1=0.1"},
	} {
		model, given := Spec{}, Spec{Scale: ScaleMaxAbs, Bits: 9}
		if err := ParseLearner(row.model, &model); err != nil {
			t.Fatal(err)
		}
		model.Scale, model.Bits = ScaleStandard, 7
		if err := ParseLearner(row.given, &given); err != nil {
			t.Fatal(err)
		}
		got := given.For(model, row.given)
		if got.String() != row.want || got.Scale != given.Scale || got.Bits != given.Bits {
			t.Errorf("%s for a model of %s: %v, %+v", row.given, row.model, got, got)
		}
	}
}
