package daemon

import (
	"strings"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
)

func TestClassesArrive(t *testing.T) {
	t.Parallel()
	if f := resolve(t, minimal()).Task.ModelConfig; f.Decode.Task != "" || f.Multiclass != "" || f.MaxClasses != 0 ||
		f.Scores {
		t.Errorf("a binary task is saved as ever: %+v", f)
	}
	s := minimal()
	s.Task = ""
	resolve(t, s)
	for _, c := range []struct {
		learner, asked string
		limit          int
		scheme         string
		most           int
	}{
		{"perceptron", "", 0, learner.Direct, 1000},
		{"pa1", "", 7, learner.Direct, 7},
		{"arow", "", 0, learner.OVA, 1000},
		{"perceptron:threshold=1", "", 0, learner.OVA, 1000},
		{"logistic", learner.OVO, 0, learner.OVO, 100},
		{"dual:kernel=rbf", learner.OVA, 20, learner.OVA, 20},
	} {
		s := minimal()
		s.Task, s.Learner, s.Multiclass, s.MaxClasses, s.Scores = event.Multiclass, c.learner, c.asked, c.limit, true
		r := resolve(t, s)
		f := r.Task.ModelConfig
		if f.Decode.Task != event.Multiclass || f.Multiclass != c.scheme || f.MaxClasses != c.most || !f.Scores ||
			f.Validate() != nil {
			t.Errorf("%+v: %+v, %v", c, f, f.Validate())
		}
	}
}

func TestFaultsOfClasses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		change func(*Settings)
		want   string
	}{
		{func(s *Settings) { s.Task = "ranking" }, `task: "ranking": want binary or multiclass`},
		{func(s *Settings) { s.Task, s.Multiclass = event.Binary, "ova" },
			"task binary: multiclass, max-classes and scores are for task multiclass"},
		{func(s *Settings) { s.Task, s.Scores = event.Binary, true }, "leave them out"},
		{func(s *Settings) { s.Positive = "UP" }, "positive and label-names are for two labels"},
		{func(s *Settings) { s.Multiclass = "tree" }, `multiclass: "tree": want direct, ova or ovo`},
		{func(s *Settings) { s.Multiclass, s.MaxClasses = "ovo", 1000 },
			"multiclass: max classes 1000: want 1 to 150 with ovo"},
		{func(s *Settings) { s.MaxClasses = -1 }, "max classes -1"},
		{func(s *Settings) { s.Multiclass, s.Learner = "direct", "arow" }, "multiclass: arow has no direct form"},
		{func(s *Settings) { s.Weights = write(t, "w.json", `{"a":1}`) }, "weights: a task of several classes"},
	} {
		s := minimal()
		s.Task = event.Multiclass
		c.change(&s)
		if _, err := s.Resolve(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}
