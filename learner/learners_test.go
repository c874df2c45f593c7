package learner

import (
	"os"
	"regexp"
	"testing"
)

// TestLearners holds the table against what the learners do. The contract tests run on every row of it: see
// everyLearner.
func TestLearners(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range Learners() {
		if !regexp.MustCompile(`(?m)^//\t[^:=]*\b` + info.Name + `\b.*[=\[(]`).Match(doc) {
			t.Errorf("doc.go does not document %s", info.Name)
		}
		spec := Spec{Bits: 2}
		if err := ParseLearner(info.Name, &spec); err != nil || spec.String() != info.Name {
			t.Errorf("%s is read as %v, %v", info.Name, spec, err)
		}
		for _, p := range info.Parameters {
			if !regexp.MustCompile(`\b` + p.Key + `( [\[(=]|,)`).Match(doc) {
				t.Errorf("doc.go does not document %s of %s", p.Key, info.Name)
			}
			if p.Help == "" || (p.Range == "") == (p.Values == nil) {
				t.Errorf("%s: %+v", info.Name, p)
			}
		}
		if err := (MultiSpec{Spec: spec, Scheme: Direct}).Validate(); (err == nil) != info.Direct {
			t.Errorf("%s: direct %v, but %v", info.Name, info.Direct, err)
		}
		m := newModel(t, info.Name, ScaleNone, 2)
		if _, err := m.Predict(nil); err != nil {
			t.Fatal(err)
		}
		if _, gives := m.Probability(); gives != info.Probability {
			t.Errorf("%s: probability %v, but the model says %v", info.Name, info.Probability, gives)
		}
		if keeps := m.Keep(nil, 1, 1) == nil; keeps != info.Kernel {
			t.Errorf("%s: kernel %v, but Keep says %v", info.Name, info.Kernel, keeps)
		}
	}
}
