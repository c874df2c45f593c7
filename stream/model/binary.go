package model

import (
	"rosenblatt/learner"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/event"
)

const (
	Negative = 0
	Positive = 1
)

// binaryTask implements task for two labels.
type binaryTask struct {
	model *learner.Model
	tally metrics.Binary
	names uint64 // the last example's Example.Names
	by    decisions
}

func newBinaryTask(c *Config) (task, error) {
	by, err := decisionsOf(c)
	if err != nil {
		return nil, err
	}
	m, err := learner.New(c.Learner)
	return &binaryTask{model: m, by: by}, err
}

// classOf is the class of a label, -1 or 1.
func classOf(label int8) int { return int(label+1) / 2 }

func labelOf(class int) int8 { return int8(2*class - 1) }

func (t *binaryTask) predict(e *event.Example, x []learner.Feature, o *Outcome, learns bool) *event.Error {
	if e.Label != 0 {
		family, err := o.Family.Join(e.Family)
		if err != nil {
			return err
		}
		o.Family = family
	}
	if e.Rejected != nil {
		return e.Rejected
	}
	t.names = e.Names
	s, err := t.model.Predict(x)
	if err != nil {
		return event.NewError(event.Overflow, err.Error())
	}
	o.Score = s
	if t.by.plain() {
		o.Prediction = signOf(s)
		o.Probability, o.Probable = t.model.Probability()
	} else {
		t.by.predict(t.model, o)
	}
	if e.Label == 0 {
		return nil
	}
	o.setLabel(classOf(e.Label))
	o.LabelProbability = t.labelProbability(o)
	if learns {
		if o.Updated, err = t.model.Prepare(e.Label, e.Weight); err != nil {
			return event.NewError(event.Overflow, err.Error())
		}
	}
	return nil
}

func signOf(score float64) int {
	if score < 0 {
		return Negative
	}
	return Positive
}

func (t *binaryTask) labelProbability(o *Outcome) float64 { return o.ofLabel() }
func (t *binaryTask) setProbability(o *Outcome)           { t.by.setProbability(t.model, o) }
func (t *binaryTask) publish(o *Outcome)                  { t.by.publish(o) }
func (t *binaryTask) decided(o *Outcome)                  { t.by.learn(o) }
func (t *binaryTask) decisions() *decisions               { return &t.by }
func (t *binaryTask) known() [2]int64                     { return t.tally.Labels() }

func (t *binaryTask) count(o *Outcome, _ bool) {
	//mutation:untrained-left-out
	if o.Untrained {
		t.tally.LeaveOut(labelOf(o.Label), o.Updated)
		return
	}
	b := [2]int8{labelOf(o.Baselines[0]), labelOf(o.Baselines[1])}
	t.tally.AddLate(labelOf(o.Prediction), labelOf(o.Label), b, o.Score, o.Updated)
}

func (t *binaryTask) baselines() [2]int {
	b := t.tally.Baselines()
	return [2]int{classOf(b[0]), classOf(b[1])}
}

func (t *binaryTask) learn() (newNames bool) { return t.model.LearnNamed(t.names) }

func (t *binaryTask) state(h *Header)     { h.Learner = t.model.State() }
func (t *binaryTask) begin(*Header) error { return nil }

func (t *binaryTask) restore(h *Header, texts [][]byte) error {
	return t.model.Restore(h.Learner, texts...)
}

func (t *binaryTask) copyScore(to task) { t.tally.CopyTo(&to.(*binaryTask).tally) }
func (t *binaryTask) replica(to task) *learner.Replica {
	return t.model.NewReplica(to.(*binaryTask).model)
}
func (t *binaryTask) unscored() task { return &binaryTask{model: t.model, by: t.by} }
func (t *binaryTask) table() table   { return t.model }
func (t *binaryTask) score() score   { return &t.tally }

func (t *binaryTask) scheme() string                      { return "" }
func (t *binaryTask) classes() []string                   { return nil }
func (t *binaryTask) confusion() []metrics.ConfusionCount { return nil }
func (t *binaryTask) byClass() []metrics.ClassRow         { return nil }
func (t *binaryTask) cuts() []metrics.Cut                 { return t.tally.Cuts() }

func (t *binaryTask) appendClass(dst []byte, options *event.Options, class int, f event.Family) []byte {
	return options.AppendLabel(dst, labelOf(class), f)
}

func (t *binaryTask) appendLabel(dst []byte, options *event.Options, _ *event.Example, o *Outcome) []byte {
	return t.appendClass(dst, options, o.Label, o.Family)
}

func (t *binaryTask) bias(int) float64                   { return t.model.Bias() }
func (t *binaryTask) norm(int) float64                   { return t.model.Norm() }
func (t *binaryTask) top(_, n int) []learner.NamedWeight { return t.model.Top(n) }

func (t *binaryTask) summarize(s *Summary) {
	s.Weights = []ClassWeights{weightsOf(t, "", Positive, summaryWeights)}
}

func (t *binaryTask) explain(_ int, x []learner.Feature) []learner.Contribution {
	return t.model.Explain(x)
}

func (t *binaryTask) forecast(o *Outcome) (probability float64, occurred bool) {
	return o.Positive(), o.Label == Positive
}

func (t *binaryTask) labels(options *event.Options, f event.Family) (names [2]string) {
	for class := range names {
		names[class] = string(t.appendClass(nil, options, class, f))
	}
	return names
}
