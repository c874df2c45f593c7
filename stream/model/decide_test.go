package model_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rosenblatt/checkpoint"
	"rosenblatt/learner"
	"rosenblatt/learner/decision"
	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// decider is a processor and what it reads.
type decider struct {
	*model.Processor
	t       *testing.T
	config  model.Config
	decoder *event.Decoder
	n       int
}

func newDecider(t *testing.T, learnerText, calibrate, decide string, set ...func(*model.Config)) *decider {
	t.Helper()
	options := event.Defaults(event.JSON)
	options.Bits, options.WeightField = 8, "weight"
	x := &decider{t: t, config: model.Config{Decode: options, Learner: learner.Spec{Bits: 8}}}
	err := learner.ParseLearner(learnerText, &x.config.Learner)
	if err == nil {
		err = x.config.SetDecisions(calibrate, decide)
	}
	for _, s := range set {
		s(&x.config)
	}
	if err == nil {
		x.Processor, err = model.NewProcessor(x.config)
	}
	if err == nil {
		x.decoder, err = event.New(x.config.Decode)
	}
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// predict predicts the next event, which is a function of its number. One of ten weighs ten times as much.
func (x *decider) predict(labelled bool) (*model.Outcome, *topics.Record) {
	x.t.Helper()
	x.n++
	label, weight := -1, 1
	if x.n*7919%10 < 3 != (x.n%17 == 0) {
		label = 1
	}
	if x.n%10 == 0 {
		weight = 10
	}
	r := &topics.Record{Value: fmt.Appendf(nil, `{"label":%d,"weight":%d,"features":{"a":%d,"b":%d}}`, label, weight,
		x.n*7919%10, x.n*104729%7)}
	if !labelled {
		r.Value = []byte(strings.ReplaceAll(string(r.Value), fmt.Sprintf(`"label":%d,`, label), ""))
	}
	var e event.Example
	arena := x.decoder.Decode(r, nil, &e)
	o, rejected := x.Predict(&e, e.Features(arena))
	if rejected != nil {
		x.t.Fatal(rejected)
	}
	return o, r
}

// step predicts, publishes and learns an event with its label.
func (x *decider) step() model.Outcome {
	x.t.Helper()
	o, r := x.predict(true)
	was := *o
	x.Publish(o)
	x.Learn(r, o)
	return was
}

// TestDecisionsFollowTheScores: what a processor publishes follows from the scores and labels before it, whatever the
// weights of examples are. learner/testdata/decisions.py says what has to follow.
func TestDecisionsFollowTheScores(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"probability=0.4", "cost=fp:1,fn:20", "precision=0.6", "recall=0.8", "alerts=0.1"} {
		x := newDecider(t, "perceptron", "", text)
		rule, _ := decision.ParseRule(text)
		platt, cut := decision.NewPlatt(), decision.NewCut(rule)
		thresholds := 0
		for range 600 {
			o := x.step()
			odds := platt.Odds()
			positive, threshold, has := cut.Decide(o.Score, odds)
			p := decision.MillionthsOf(decision.Sigmoid(odds.Of(o.Score)))
			if o.Threshold != threshold || o.HasThreshold != has || (o.Prediction == model.Positive) != positive ||
				o.Millionths != p || has && positive != (o.Score >= threshold) {
				t.Fatalf("%s, example %d: %+v, want %v %v %v %v", text, x.n, o, positive, threshold, has, p)
			}
			if has {
				thresholds++
			}
			cut.Publish(positive)
			platt.Learn(o.Score, o.Label == model.Positive)
			cut.Learn(odds.Of(o.Score), o.Label == model.Positive, positive, decision.Waiting{})
		}
		if thresholds < 400 {
			t.Errorf("%s: %d thresholds", text, thresholds)
		}
	}
}

// TestDecisionsChangeNoWeight: with another rule and a calibration the scores are the same to the bit.
func TestDecisionsChangeNoWeight(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"perceptron", "averaged", "logistic", "arow"} {
		plain, ruled := newDecider(t, name, "", "sign"), newDecider(t, name, "platt", "recall=0.95")
		differ := 0
		for range 500 {
			a, b := plain.step(), ruled.step()
			if a.Score != b.Score || a.Updated != b.Updated {
				t.Fatalf("%s, example %d: %+v and %+v", name, plain.n, a, b)
			}
			if a.Prediction != b.Prediction {
				differ++
			}
		}
		was, is := plain.Report(), ruled.Report()
		if differ == 0 || was.Loss != is.Loss || was.RocAUC != is.RocAUC {
			t.Errorf("%s: %d predictions differ; %v %v, %v %v", name, differ, was.Loss, is.Loss, was.RocAUC, is.RocAUC)
		}
	}
}

// TestFrozenModelIsCalibrated: --no-learn stops the learner alone.
func TestFrozenModelIsCalibrated(t *testing.T) {
	t.Parallel()
	x := newDecider(t, "perceptron", "platt", "sign", func(c *model.Config) { c.NoLearn = true })
	w := &model.Weights{Names: []string{"a"}, Value: map[string]float64{"a": -2}, Bias: 1}
	if err := x.SetWeights(w); err != nil {
		t.Fatal(err)
	}
	for range 300 {
		x.step()
	}
	if d := x.Decision(); d.Platt.Labels != 300 || d.Odds.Offset == 0 {
		t.Errorf("%+v", d)
	}
	loss, known := x.Report().LogLoss.Get()
	if !known || loss > 0.6 {
		t.Errorf("log-loss %v", loss)
	}
}

// TestUntrainedTeachesNothing: a prediction that was made before anything was learned teaches neither calibration nor
// cut when its label comes, and is no event of alerts.
func TestUntrainedTeachesNothing(t *testing.T) {
	t.Parallel()
	x := newDecider(t, "perceptron", "platt", "alerts=0.1")
	o, r := x.predict(false)
	kept := o.Kept()
	x.Publish(o)
	x.n--
	now, _ := x.predict(true)
	was := x.Published(&labels.Example{Published: kept})
	x.SetPrediction(&was)
	x.Learn(r, now)
	if d := x.Decision(); d.Platt.Labels != 0 || d.Cut.Labels != [2]int64{} || d.Cut.Events != 0 {
		t.Errorf("%+v", d)
	}
}

// TestLaterLabelCountsWhatWasPublished: calibration and figures get the published score, probability and prediction,
// whatever the model has become.
func TestLaterLabelCountsWhatWasPublished(t *testing.T) {
	t.Parallel()
	x := newDecider(t, "perceptron", "platt", "recall=0.9")
	for range 100 {
		x.step()
	}
	first, r := x.predict(true)
	published := *first
	example := labels.Example{Score: published.Score, Published: published.Kept()}
	x.Publish(first)
	at := x.n
	for range 200 {
		x.step()
	}
	x.n = at - 1
	now, _ := x.predict(true)
	if now.Score == published.Score || now.Millionths == published.Millionths {
		t.Fatal("the model has not changed")
	}
	was := x.Published(&example)
	x.SetPrediction(&was)
	if now.Score != published.Score || now.Millionths != published.Millionths ||
		now.Prediction != published.Prediction ||
		now.Mistake != published.Mistake || now.LabelProbability != published.LabelProbability {
		t.Errorf("%+v, want %+v", now, published)
	}
	platt := x.Decision().Platt
	platt.Learn(published.Score, published.Label == model.Positive)
	x.Learn(r, now)
	if x.Decision().Platt != platt {
		t.Errorf("%+v, want %+v", x.Decision().Platt, platt)
	}
}

// TestDecisionsAreSaved: a checkpoint and a copy go on to the same bits, and broken states are refused.
func TestDecisionsAreSaved(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"precision=0.6", "recall=0.8", "alerts=0.1", "cost=fp:1,fn:5"} {
		x := newDecider(t, "arow", "", text)
		for range 300 {
			x.step()
		}
		copied := newDecider(t, "arow", "", text)
		replica := x.NewReplica(copied.Processor)
		for replica.Begin(); !replica.Step(); {
		}
		store := &checkpoint.Store{Dir: t.TempDir()}
		h := model.Header{Seq: 7, Config: x.config}
		h.SetModelState(x.Processor)
		if _, err := model.Save(store, &h, x.Processor); err != nil {
			t.Fatal(err)
		}
		file, err := checkpoint.Open(nil, filepath.Join(store.Dir, "checkpoint-7"))
		if err != nil {
			t.Fatal(err)
		}
		_, read, err := model.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		saved := newDecider(t, "arow", "", text)
		saved.Processor = read
		for _, other := range []*decider{copied, saved} {
			other.n = x.n
		}
		for range 300 {
			want, a, b := x.step(), copied.step(), saved.step()
			if want.Threshold != a.Threshold || want.Threshold != b.Threshold || want.Millionths != b.Millionths {
				t.Fatalf("%s: %v, the copy %v, the checkpoint %v", text, want.Threshold, a.Threshold, b.Threshold)
			}
		}
		for _, broken := range []string{``, `{}`, `{"platt":{"a":1,"c":0,"h":[-1,0,0]},"cut":{}}`,
			`{"cut":{"theta":0}}`, `{"platt":{"a":1},"cut":{"theta":1e9}}`} {
			file := *file
			file.Sections = slices.Clone(file.Sections)
			for i := range file.Sections {
				if file.Sections[i].Name == "decision" {
					file.Sections[i].Data = []byte(broken)
				}
			}
			if _, _, err := model.Read(&file); err == nil || !strings.Contains(err.Error(), `section "decision"`) {
				t.Errorf("%s is read: %v", broken, err)
			}
		}
	}
}

// TestAcceptedRuleStartsAnew: what changed in an accepted configuration starts anew, the other goes on.
func TestAcceptedRuleStartsAnew(t *testing.T) {
	t.Parallel()
	old := newDecider(t, "perceptron", "platt", "recall=0.8")
	for range 300 {
		old.step()
	}
	was := old.Decision()
	for _, c := range []struct {
		calibrate, decide string
		platt, cut        bool // goes on
	}{{"platt", "recall=0.8", true, true}, {"platt", "recall=0.9", true, false},
		{"platt", "cost=fp:1,fn:2", true, false}, {"platt", "sign", true, false}} {
		next := newDecider(t, "perceptron", c.calibrate, c.decide)
		if err := next.Inherit(old.Processor, 0); err != nil {
			t.Fatal(err)
		}
		is := next.Decision()
		anew := is.Cut.Progress == decision.Progress{} && is.Cut.Theta != was.Cut.Theta
		if (is.Platt == was.Platt) != c.platt || (is.Cut == was.Cut) != c.cut || !c.cut && !anew {
			t.Errorf("%s: %+v, was %+v", c.decide, is, was)
		}
	}
	plain := newDecider(t, "perceptron", "none", "sign")
	if err := plain.Inherit(old.Processor, 0); err != nil || plain.Decision() != nil {
		t.Errorf("%v, %+v", err, plain.Decision())
	}
}

// TestKnownLabelsStay: another rule does not wait for labels that are known, as it would for weeks where alerts alone
// are looked into. It waits where the probabilities start anew.
func TestKnownLabelsStay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		learner, calibrate, before, after string
		events                            int
		waits                             string
	}{
		{"perceptron", "platt", "alerts=0.05", "precision=0.5", 150, ""},
		{"perceptron", "platt", "recall=0.8", "alerts=0.05", 150, ""},
		{"perceptron", "platt", "sign", "precision=0.5", 150, ""},
		{"logistic", "", "sign", "cost=fp:1,fn:2", 150, ""},
		{"perceptron", "platt", "alerts=0.05", "precision=0.5", 40, "14 of 20 examples of 1 are known"},
		{"perceptron", "", "sign", "precision=0.5", 150,
			"0 of 20 examples of -1 are known; 0 of 20 examples of 1 are known"},
		{"perceptron", "platt", "precision=0.5", "alerts=0.05", 40, "40 of 100 events are known"},
	} {
		old := newDecider(t, c.learner, c.calibrate, c.before)
		for range c.events {
			old.step()
		}
		next := newDecider(t, c.learner, c.calibrate, c.after)
		if err := next.Inherit(old.Processor, 0); err != nil {
			t.Fatal(err)
		}
		next.Family = old.Family
		d := next.Decision()
		var texts []string
		for _, lack := range d.Lacks(next.Labels(&next.config.Decode)) {
			texts = append(texts, lack.Text)
		}
		if is := strings.Join(texts, "; "); is != c.waits || d.Waits != (c.waits != "") {
			t.Errorf("%+v: waits %v, %s", c, d.Waits, is)
		}
		if d.Cut.Progress.Count != 0 {
			t.Errorf("%+v: it has moved %d times", c, d.Cut.Progress.Count)
		}
	}
}

// TestDecisionSettings: what cannot be is refused, and a rule brings the calibration that it needs.
func TestDecisionSettings(t *testing.T) {
	t.Parallel()
	config := func(name, task string) *model.Config {
		c := &model.Config{Decode: event.Defaults(event.JSON)}
		c.Decode.Task = task
		if err := learner.ParseLearner(name, &c.Learner); err != nil {
			t.Fatal(err)
		}
		return c
	}
	for _, x := range []struct{ learner, task, calibrate, decide, want string }{
		{"perceptron", "", "", "", ""}, {"perceptron", "", "", "sign", ""}, {"perceptron", "", "platt", "", "platt"},
		{"perceptron", "", "", "probability=0.3", "platt"}, {"logistic", "", "", "probability=0.3", ""},
		{"logistic", "", "platt", "probability=0.3", "platt"}, {"logistic", event.Multiclass, "", "sign", ""},
		{"logistic", event.Multiclass, "platt", "", "two labels"},
		{"perceptron", event.Multiclass, "", "recall=0.8", "two labels"},
		{"perceptron", "", "none", "recall=0.8", "gives none"},
		{"perceptron", "", "isotonic", "", "want platt or none"},
		{"perceptron", "", "", "f1", "want sign"},
	} {
		c := config(x.learner, x.task)
		err := c.SetDecisions(x.calibrate, x.decide)
		refused := err != nil && x.want != "" && strings.Contains(err.Error(), x.want)
		if err == nil && c.Calibrate != x.want || err != nil && !refused {
			t.Errorf("%+v: %q, %v", x, c.Calibrate, err)
		}
	}
	a, b := config("perceptron", ""), config("perceptron", "")
	if err := b.SetDecisions("none", "sign"); err != nil {
		t.Fatal(err)
	}
	if d, err := a.Diff(*b); err != nil || len(d) > 0 {
		t.Errorf("a model without them has none and sign: %v %v", d, err)
	}
	b.Decide = "cost=fp:1,fn:20"
	if d, err := a.Diff(*b); err != nil || len(d) != 2 || d[0].Name != "calibrate" || d[1].Name != "decide" {
		t.Errorf("%v %v", d, err)
	}
}
