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
		"":                                      {"learner", "perceptron"},
		"perceptrom":                            {`"perceptrom"`, "perceptron"},
		"perceptron:":                           {"rate, threshold and update"},
		"perceptron:rate":                       {`"rate"`, "key=value"},
		"perceptron:rate=0":                     {`rate "0"`, "over 0 and up to 1"},
		"perceptron:rate=1.5":                   {`"1.5"`, "over 0 and up to 1"},
		"perceptron:rate=nan":                   {`"nan"`},
		"perceptron:rate=x":                     {`"x"`},
		"perceptron:threshold=-1":               {`threshold "-1"`, "from 0 to 1e+30"},
		"perceptron:threshold=inf":              {`"inf"`},
		"perceptron:update=never":               {`"never"`, "threshold or mistake"},
		"perceptron:speed=3":                    {`"speed"`, "rate, threshold or update"},
		"perceptron:rate=0.5,rate=0.5":          {`"rate=0.5"`, "at most once"},
		"perceptron:rate=0.5,":                  {`""`},
		"perceptron:update=mistake,threshold=1": {"threshold", "update=mistake"},
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
	for _, s := range []Spec{{Learner: "svm"}, {Rate: -1}, {Rate: 2}, {Rate: math.NaN()}, {Threshold: -1}, {Threshold: math.Inf(1)},
		{Update: "x"}, {Update: UpdateMistake, Threshold: 1}, {Scale: "minmax"}, {Bits: 31}, {Bits: -1}, {MaxNames: -1}} {
		if s.Validate() == nil {
			t.Errorf("%+v was taken", s)
		}
		if _, err := New(s); err == nil {
			t.Errorf("a model was made of %+v", s)
		}
	}
}

func TestSpecSurvivesJSON(t *testing.T) {
	want := Spec{Rate: 0.1, Threshold: 1e-300, Scale: ScaleStandard, Bits: 5}.WithDefaults()
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got Spec
	if err := json.Unmarshal(text, &got); err != nil || got != want {
		t.Errorf("%s became %+v, %v", text, got, err)
	}
}
