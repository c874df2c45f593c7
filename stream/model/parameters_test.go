package model

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"rosenblatt/checkpoint"
	"rosenblatt/learner"
	"rosenblatt/stream/event"
)

// TestParametersOfTheModel: a model keeps the parameters that it began with where they are not given. Its checkpoint
// has the rate, and no window.
func TestParametersOfTheModel(t *testing.T) {
	older := newSavedModel(t, event.Binary, "logistic:rate=0.1,window=0", learner.ScaleStandard)
	newer := newSavedModel(t, event.Binary, "logistic", learner.ScaleStandard).config
	newer.LearnerText = "logistic"
	for range 20 {
		older.learn()
	}
	header, sections, err := encode(older.header(older.proc), older.proc)
	if err != nil || bytes.Contains(header, []byte("window")) {
		t.Fatal(string(header), err)
	}
	path := filepath.Join(t.TempDir(), "older")
	if _, err := checkpoint.WriteFile(nil, path, header, sections); err != nil {
		t.Fatal(err)
	}
	f, err := checkpoint.Open(nil, path)
	if err != nil {
		t.Fatal(err)
	}
	h, _, err := Read(f)
	if err != nil {
		t.Fatal(err)
	}
	diff, err := h.Config.Diff(newer)
	if now := newer.For(h.Config).Learner; err != nil || len(diff) > 0 || now != older.config.Learner ||
		newer.Learner.Rate != 0.5 || newer.Learner.Window != 300 {
		t.Errorf("%v, %v: %+v, of a new model %+v", diff, err, now, newer.Learner)
	}
}

// TestStartFromAnotherBias: the weights of a model with a bias are not those of one without. What is not given is here
// the default, not the file's.
func TestStartFromAnotherBias(t *testing.T) {
	for from, to := range map[string]string{"pa1": "pa1:bias=0", "dual:bias=0": "dual"} {
		was := newSavedModel(t, event.Binary, from, learner.ScaleNone)
		now := newSavedModel(t, event.Binary, to, learner.ScaleNone)
		now.config.LearnerText = to
		for range 20 {
			was.learn()
		}
		header, sections, err := encode(was.header(was.proc), was.proc)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "from")
		if _, err := checkpoint.WriteFile(nil, path, header, sections); err != nil {
			t.Fatal(err)
		}
		_, err = now.proc.StartFrom(now.config, path)
		if err == nil || !strings.Contains(err.Error(), "learner.bias") {
			t.Errorf("from %s to %s: %v", from, to, err)
		}
	}
}

// TestAnotherLearner: a learner in place of another one differs in its name and its parameters, and in nothing that no
// flag sets.
func TestAnotherLearner(t *testing.T) {
	for _, c := range []struct{ was, now, differs string }{
		{"perceptron", "pa1", "learner.C learner.learner"},
		{"pa1", "perceptron", "learner.C learner.learner"},
		{"dual", "arow", "learner.budget learner.kernel learner.learner learner.predict learner.r"},
	} {
		from := newSavedModel(t, event.Binary, c.was, learner.ScaleNone).config
		to := newSavedModel(t, event.Binary, c.now, learner.ScaleNone).config
		to.LearnerText = c.now
		diff, err := from.Diff(to)
		var names []string
		for _, d := range diff {
			names = append(names, d.Name)
		}
		if got := strings.Join(names, " "); err != nil || got != c.differs {
			t.Errorf("from %s to %s: %s, %v, want %s", c.was, c.now, got, err, c.differs)
		}
	}
}
