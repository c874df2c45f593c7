package model

import (
	"errors"

	"rosenblatt/learner"
	"rosenblatt/learner/decision"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/event"
)

// multiclassTask implements task for several classes, numbered in the order of discovery.
type multiclassTask struct {
	model  *learner.Multi
	tally  metrics.Multiclass
	scores bool // see Config.Scores
}

func newMulticlassTask(c *Config) (task, error) {
	m, err := learner.NewMulti(c.multi())
	return &multiclassTask{model: m, scores: c.Scores}, err
}

func (t *multiclassTask) predict(e *event.Example, x []learner.Feature, o *Outcome, learns bool) *event.Error {
	if e.Rejected != nil {
		return e.Rejected
	}
	learns = learns && e.Class != nil
	if learns && !t.model.Admits(e.Class) {
		return event.NewError(event.TooManyClasses,
			learner.ErrTooManyClasses.Error()+"; raise it (max classes), or correct the label")
	}
	var err error
	if o.Prediction, o.Score, err = t.model.Predict(x); err != nil {
		return event.NewError(event.Overflow, err.Error())
	}
	o.Probability, o.Probable = t.model.Probability()
	if t.scores {
		o.Scores = t.model.Scores()
	}
	if e.Class == nil {
		return nil
	}
	label := t.model.ClassOf(e.Class)
	if given, ok := t.model.ProbabilityOf(label); ok {
		o.LabelProbability = max(given, metrics.MinProbability)
	}
	if learns {
		if o.Updated, err = t.model.Prepare(e.Class, e.Weight); err != nil {
			return event.NewError(event.Overflow, err.Error())
		}
		label = t.model.Label()
	}
	o.setLabel(label)
	return nil
}

func (t *multiclassTask) labelProbability(*Outcome) float64 { return 0 }
func (t *multiclassTask) setProbability(*Outcome)           {}
func (t *multiclassTask) publish(*Outcome)                  {}
func (t *multiclassTask) decided(*Outcome)                  {}
func (t *multiclassTask) decisions() *decisions             { return nil }
func (t *multiclassTask) known() (none [2]int64)            { return none }

func (t *multiclassTask) count(o *Outcome, learns bool) {
	steps := 0
	if learns {
		steps = t.model.Steps()
	}
	//mutation:untrained-class-left-out
	if o.Untrained {
		t.tally.LeaveOut(o.Label, steps)
		return
	}
	t.tally.AddLate(o.Prediction, o.Label, o.Baselines, steps)
}

func (t *multiclassTask) baselines() [2]int { return t.tally.Baselines() }

func (t *multiclassTask) learn() (newNames bool) { return t.model.Learn() }

func (t *multiclassTask) state(h *Header) {
	state := t.model.State()
	h.Classes = &state
}

func (t *multiclassTask) begin(h *Header) error {
	if h.Classes == nil {
		return errors.New("no classes in the header")
	}
	return t.model.Begin(*h.Classes)
}

func (t *multiclassTask) restore(h *Header, texts [][]byte) error {
	return t.model.Restore(*h.Classes, texts...)
}

func (t *multiclassTask) copyScore(to task) { t.tally.CopyTo(&to.(*multiclassTask).tally) }
func (t *multiclassTask) replica(to task) *learner.Replica {
	return t.model.NewReplica(to.(*multiclassTask).model)
}
func (t *multiclassTask) unscored() task { return &multiclassTask{model: t.model, scores: t.scores} }
func (t *multiclassTask) table() table   { return t.model }
func (t *multiclassTask) score() score   { return &t.tally }

func (t *multiclassTask) scheme() string                      { return t.model.Spec().Scheme }
func (t *multiclassTask) confusion() []metrics.ConfusionCount { return t.tally.Confusion() }
func (t *multiclassTask) byClass() []metrics.ClassRow         { return t.tally.ByClass() }
func (t *multiclassTask) cuts() []metrics.Cut                 { return nil }

func (t *multiclassTask) classes() []string {
	if classes := t.model.Classes(); classes != nil {
		return classes
	}
	return []string{}
}

func (t *multiclassTask) appendClass(dst []byte, _ *event.Options, class int, _ event.Family) []byte {
	if class == None || class >= len(t.model.Classes()) {
		return append(dst, "null"...)
	}
	return event.AppendClass(dst, t.model.Classes()[class])
}

func (t *multiclassTask) appendLabel(dst []byte, _ *event.Options, e *event.Example, o *Outcome) []byte {
	if e != nil && e.Class != nil {
		return event.AppendClassText(dst, e.Class)
	}
	return t.appendClass(dst, nil, o.Label, o.Family)
}

func (t *multiclassTask) bias(class int) float64                 { return t.model.Bias(class) }
func (t *multiclassTask) norm(class int) float64                 { return t.model.Norm(class) }
func (t *multiclassTask) top(class, n int) []learner.NamedWeight { return t.model.Top(class, n) }

func (t *multiclassTask) summarize(s *Summary) {
	var names []string
	for _, class := range t.model.Classes() {
		names = append(names, string(event.AppendClass(nil, class)))
	}
	confusion := t.tally.Confusion()
	shown := frequent(confusion, len(names))
	s.Matrix = matrixOf(confusion, names, shown)
	for _, c := range shown {
		s.Weights = append(s.Weights, weightsOf(t, names[c], c, classWeights))
	}
}

func (t *multiclassTask) labels(*event.Options, event.Family) (none [2]string) { return none }

func (t *multiclassTask) explain(class int, x []learner.Feature) []learner.Contribution {
	return t.model.Explain(class, x)
}

func (t *multiclassTask) forecast(o *Outcome) (probability float64, occurred bool) {
	return o.Probability, !o.Mistake
}

func (c *Config) multiclass() bool { return c.Decode.Task == event.Multiclass }

func (c *Config) multi() learner.MultiSpec {
	spec := learner.MultiSpec{Spec: c.Learner, Scheme: c.Multiclass, MaxClasses: c.MaxClasses, Ties: c.Ties}
	return spec.WithDefaults()
}

// normalize sets defaults, so that equal configurations compare equal.
func (c *Config) normalize() {
	if c.Decode.Task == event.Binary {
		c.Decode.Task = ""
	}
	if rule, err := ParseDrift(c.Drift, c.Decide); err == nil {
		c.Drift = rule.String()
	}
	c.normalizeChallengers()
	if c.multiclass() {
		spec := c.multi()
		c.Multiclass, c.MaxClasses = spec.Scheme, spec.MaxClasses
		return
	}
	c.Calibrate = c.Calibration()
	if rule, err := decision.ParseRule(c.Decide); err == nil {
		c.Decide = rule.String()
	}
}

func (c *Config) validateClasses() error {
	switch {
	case c.multiclass():
		return c.multi().Validate()
	case c.Multiclass != "" || c.MaxClasses != 0 || c.Ties != "" || c.Scores:
		return errors.New("multiclass, max classes and scores: only the task multiclass has them")
	}
	return c.Learner.Validate()
}

// LearnerName is the learner with its parameters, and the scheme of several classes.
func (c Config) LearnerName() string {
	if c.multiclass() {
		return c.multi().String()
	}
	return c.Learner.String()
}
