package model_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"rosenblatt/checkpoint"
	"rosenblatt/learner"
	"rosenblatt/learner/drift"
	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// quickly detects drifts within some tens of examples.
const quickly = "adwin:delta=0.9,rise=0.1,clock=2"

// drifting has a detector. With reset the model depends on it.
func newDrifting(t *testing.T, learnerText, settings, onDrift string, set ...func(*model.Config)) *decider {
	t.Helper()
	var rule *model.Drift
	x := newDecider(t, learnerText, "", "sign", append(set, func(c *model.Config) {
		var err error
		if rule, err = c.SetDrift(settings, onDrift); err != nil {
			t.Fatal(err)
		}
	})...)
	x.DetectBy(&x.config, rule)
	return x
}

// record is the next event. What the label depends on changes every 300 events, and one label of forty is wrong.
func (x *decider) record(labelled bool) *topics.Record {
	x.n++
	a, b := x.n*7919%10, x.n*104729%7
	positive := (a < 5) != (x.n/300%2 == 1)
	if x.n%40 == 3 {
		positive = !positive
	}
	label := map[bool]string{true: "1", false: "-1"}[positive]
	if x.config.Decode.Task == event.Multiclass {
		label = map[bool]string{true: `"yes"`, false: `"no"`}[positive]
	}
	if !labelled {
		return &topics.Record{Value: fmt.Appendf(nil, `{"features":{"a":%d,"b":%d}}`, a, b)}
	}
	return &topics.Record{Value: fmt.Appendf(nil, `{"label":%s,"features":{"a":%d,"b":%d}}`, label, a, b)}
}

// take predicts, publishes and learns the next event.
func (x *decider) take(labelled bool) model.Outcome {
	x.t.Helper()
	r := x.record(labelled)
	o := x.outcome(r)
	was := *o
	x.Publish(o)
	x.Learn(r, o)
	return was
}

func (x *decider) outcome(r *topics.Record) *model.Outcome {
	x.t.Helper()
	var e event.Example
	arena := x.decoder.Decode(r, nil, &e)
	o, rejected := x.Predict(&e, e.Features(arena))
	if rejected != nil {
		x.t.Fatal(rejected)
	}
	return o
}

// TestDriftsFollowTheMistakes: the drifts are those of a detector that sees the mistakes, in the order of learning.
// Predictions without a label, and those before anything was learned, are none of them.
func TestDriftsFollowTheMistakes(t *testing.T) {
	t.Parallel()
	for _, task := range []string{event.Binary, event.Multiclass} {
		x := newDrifting(t, "averaged", quickly, "none", func(c *model.Config) { c.Decode.Task = task })
		d := drift.New(drift.Spec{Delta: 0.9, Rise: 0.1, Clock: 2})
		var want []model.Drifted
		for range 20 { // untrained
			x.take(false)
		}
		examples := int64(0)
		for range 2000 {
			o := x.take(x.n%4 != 0)
			if !o.Labelled {
				continue
			}
			examples++
			mistake := 0.0
			if o.Mistake {
				mistake = 1
			}
			if d.Add(mistake) {
				if found, _ := d.Latest(); found.Drift {
					want = append(want, model.Drifted{Example: examples, Prediction: int64(x.n), Before: found.Before,
						After: found.After, Newer: found.Newer})
				}
			}
		}
		r := x.DriftReport()
		if !reflect.DeepEqual(r.List, want) || r.Drifts != int64(len(want)) || r.Changes != d.Changes() ||
			r.Seen != d.Seen() || r.Seen != examples {
			t.Errorf("%s: %+v, want %+v and %d changes", task, r, want, d.Changes())
		}
		if window, mean := d.Window(); r.Window != window || r.Mean != mean || r.Rule != "adwin:delta=0.9,rise=0.1,"+
			"clock=2,of=mistakes" || r.OfCost() {
			t.Errorf("%+v", r)
		}
		if len(want) < 3 {
			t.Errorf("%s: the stream has %d drifts", task, len(want))
		}
	}
}

// TestUntrainedDoNotDrift: with labels that come later, outcomes of predictions that were made before anything was
// learned are in no figure.
func TestUntrainedDoNotDrift(t *testing.T) {
	t.Parallel()
	x := newDrifting(t, "perceptron", quickly, "none")
	r := x.record(true)
	o := x.outcome(r)
	o.Untrained = true
	x.Publish(o)
	x.Learn(r, o)
	if got := x.DriftReport(); got.Seen != 0 {
		t.Errorf("%+v", got)
	}
	x.take(true)
	if got := x.DriftReport(); got.Seen != 1 {
		t.Errorf("%+v", got)
	}
}

// TestDriftOfPublished: what was published counts, not what would be predicted now.
func TestDriftOfPublished(t *testing.T) {
	t.Parallel()
	x := newDrifting(t, "perceptron", "adwin:delta=0.9,rise=0,clock=1", "none")
	for i := range 80 {
		r := x.record(true)
		o := x.outcome(r)
		was := x.Published(&labels.Example{Published: labels.NewPublished(labels.Prediction{
			Class: (o.Label + i/40) % 2})}) // right, then wrong
		x.SetPrediction(&was)
		x.Learn(r, o)
	}
	if got := x.DriftReport(); got.Drifts != 1 || got.List[0].Before != 0 || got.List[0].After < 0.5 {
		t.Errorf("%+v", got)
	}
}

// TestDriftOfCost: a mistake counts by what it costs, over the dearer one.
func TestDriftOfCost(t *testing.T) {
	t.Parallel()
	x := newDecider(t, "arow", "", "cost=fp:1,fn:2")
	rule, err := x.config.SetDrift(quickly, "none")
	if err != nil || rule.Of != model.OfCost {
		t.Fatal(rule, err)
	}
	x.DetectBy(&x.config, rule)
	d := drift.New(rule.Spec)
	for range 1500 {
		o, value := x.take(true), 0.0
		switch {
		case o.Mistake && o.Label == model.Positive:
			value = 1
		case o.Mistake:
			value = 0.5
		}
		d.Add(value)
	}
	r := x.DriftReport()
	if _, mean := d.Window(); r.Drifts != d.Drifts() || r.Changes != d.Changes() || r.Mean != mean || r.Drifts == 0 ||
		!r.OfCost() {
		t.Errorf("%+v, want %d drifts in %d changes", r, d.Drifts(), d.Changes())
	}
}

// TestReset: at a drift the learner begins anew behind that example, as one that has only met the examples so far.
func TestReset(t *testing.T) {
	t.Parallel()
	for _, task := range []string{event.Binary, event.Multiclass} {
		for _, name := range []string{"perceptron", "averaged", "pa1:C=0.0001", "arow", "dual:budget=2000"} {
			set := func(c *model.Config) {
				c.Learner.Scale = learner.ScaleStandard
				if c.Decode.Task = task; task == event.Multiclass {
					c.Multiclass = learner.OVA
				}
			}
			x := newDrifting(t, name, quickly, "reset", set)
			want := newDecider(t, name, "", "sign", set)
			trained, began := false, false
			bare := map[int]bool{} // events without a label
			for range 1500 {
				before := x.DriftReport().Drifts
				unlabelled := x.n%50 == 7 || began
				bare[x.n+1] = unlabelled
				o, plain := x.take(!unlabelled), want.take(!unlabelled)
				if o.Score != plain.Score || o.Prediction != plain.Prediction ||
					o.Untrained != (unlabelled && !trained) {
					t.Fatalf("%s %s, event %d: %+v, want %+v, trained %v", task, name, x.n, o, plain, trained)
				}
				trained = trained || !unlabelled
				if began = x.DriftReport().Drifts > before; began {
					want, trained = met(want, name, set, bare), false
				}
			}
			if r := x.DriftReport(); r.Drifts < 1 || !r.List[0].Reset || !r.Resets {
				t.Errorf("%s %s: %+v", task, name, r)
			}
			if got := x.Report().Examples; got < 1400 {
				t.Errorf("%s %s: figures of %d examples", task, name, got)
			}
		}
	}
}

// met is a decider that has met all examples of another one with the weight 0: scaling, names and classes are known.
func met(x *decider, name string, set func(*model.Config), bare map[int]bool) *decider {
	fresh := newDecider(x.t, name, "", "sign", set)
	for fresh.n < x.n {
		r := fresh.record(!bare[fresh.n+1])
		r.Value = []byte(strings.Replace(string(r.Value), `"features"`, `"weight":0,"features"`, 1))
		o := fresh.outcome(r)
		fresh.Publish(o)
		fresh.Learn(r, o)
	}
	return fresh
}

// TestSavedDrifts: a saved and loaded model, and a replica, drift and reset as the model itself.
func TestSavedDrifts(t *testing.T) {
	t.Parallel()
	for _, onDrift := range []string{"none", "reset"} {
		x := newDrifting(t, "arow", quickly, onDrift)
		store := &checkpoint.Store{Dir: filepath.Join(t.TempDir(), "m")}
		loaded := *x
		for round := range 6 {
			for range 300 {
				o := x.take(true)
				if round == 0 {
					continue
				}
				if again := loaded.take(true); o.Score != again.Score {
					t.Fatalf("%s, event %d: %v, loaded %v", onDrift, x.n, o.Score, again.Score)
				}
			}
			if a, b := x.DriftReport(), loaded.DriftReport(); !reflect.DeepEqual(a, b) {
				t.Fatalf("%s, round %d: %+v, loaded %+v", onDrift, round, a, b)
			}
			to, err := model.NewProcessor(x.config)
			if err != nil {
				t.Fatal(err)
			}
			replica := x.NewReplica(to)
			for replica.Begin(); !replica.Step(); {
			}
			h := &model.Header{Config: x.config, Seq: int64(x.n), Family: x.Family}
			h.SetModelState(to)
			if _, err := model.Save(store, h, to); err != nil {
				t.Fatal(err)
			}
			f, _, err := store.Newest()
			if err != nil {
				t.Fatal(err)
			}
			if _, loaded.Processor, err = model.Read(f); err != nil {
				t.Fatal(err)
			}
			loaded.n = x.n
		}
		if r := loaded.DriftReport(); r.Drifts < 2 || r.Resets != (onDrift == "reset") {
			t.Errorf("%s: %+v", onDrift, r)
		}
	}
}

// TestDetectBy: what is known by other settings is forgotten, and by the same ones it is kept.
func TestDetectBy(t *testing.T) {
	t.Parallel()
	x := newDrifting(t, "perceptron", quickly, "none")
	rule, _ := model.ParseDrift(quickly, "")
	for range 700 {
		x.take(true)
	}
	seen := x.DriftReport().Seen
	if x.DetectBy(&x.config, rule); x.DriftReport().Seen != seen || seen != 700 {
		t.Errorf("by the same settings %d examples are known, of %d", x.DriftReport().Seen, seen)
	}
	next, err := model.NewProcessor(x.config)
	if err == nil {
		err = next.Inherit(x.Processor, 0)
	}
	if err != nil || next.DriftReport().Seen != seen {
		t.Errorf("a model of other settings inherits %+v, %v", next.DriftReport(), err)
	}
	resetting := x.config
	if _, err := resetting.SetDrift(quickly, "reset"); err != nil {
		t.Fatal(err)
	}
	if next, err = model.NewProcessor(resetting); err == nil {
		err = next.Inherit(x.Processor, 0)
	}
	if r := next.DriftReport(); err != nil || r.Seen != seen || !r.Resets {
		t.Errorf("one that resets inherits %+v, %v", r, err)
	}
	other, _ := model.ParseDrift("adwin", "")
	if x.DetectBy(&x.config, other); x.DriftReport().Seen != 0 {
		t.Error("by other settings what was known is kept")
	}
	if x.DetectBy(&x.config, nil); x.DriftReport() != nil {
		t.Error("without settings drifts are detected")
	}
}

// TestParseDrift has the settings as they are given and as they are shown.
func TestParseDrift(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ text, decide, want string }{
		{"none", "", "none"}, {"adwin", "", "adwin:delta=1e-07,rise=0.2,clock=256,of=mistakes"},
		{"adwin", "cost=fp:1,fn:20", "adwin:delta=1e-07,rise=0.2,clock=256,of=cost"},
		{"adwin:of=mistakes", "cost=fp:1,fn:20", "adwin:delta=1e-07,rise=0.2,clock=256,of=mistakes"},
		{"adwin:clock=32,delta=0.002,rise=0", "recall=0.5", "adwin:delta=0.002,rise=0,clock=32,of=mistakes"},
	} {
		d, err := model.ParseDrift(x.text, x.decide)
		if err != nil || d.String() != x.want {
			t.Errorf("%s with %s: %v, %v", x.text, x.decide, d, err)
		}
		if again, err := model.ParseDrift(x.want, x.decide); err != nil || again.String() != x.want {
			t.Errorf("%s: %v, %v", x.want, again, err)
		}
	}
	for text, want := range map[string]string{
		"ddm": "want adwin or none", "none:delta=1": "want adwin or none", "": "want adwin or none",
		"adwin:": "want each of", "adwin:delta": "want each of", "adwin:delta=1e-7,delta=1e-8": "at most once",
		"adwin:delta=2": "delta: want a number", "adwin:delta=x": "want a number", "adwin:clock=0": "clock: want",
		"adwin:clock=1.5": "want a number", "adwin:rise=-1": "rise: want", "adwin:grace=1": "unknown setting",
		"adwin:of=losses": "want mistakes or cost", "adwin:of=cost": "needs decide cost=",
	} {
		if _, err := model.ParseDrift(text, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	c := model.Config{}
	for _, x := range [][3]string{{"none", "reset", "there is none"}, {"adwin", "restart", "want none or reset"}} {
		if _, err := c.SetDrift(x[0], x[1]); err == nil || !strings.Contains(err.Error(), x[2]) {
			t.Errorf("%v: %v", x, err)
		}
	}
	c.NoLearn = true
	if _, err := c.SetDrift("adwin", "reset"); err == nil || !strings.Contains(err.Error(), "no-learn") {
		t.Error(err)
	}
}

// TestHostileDrifts refuses sections that no model has.
func TestHostileDrifts(t *testing.T) {
	t.Parallel()
	x := newDrifting(t, "perceptron", quickly, "reset")
	for range 900 {
		x.take(true)
	}
	path := filepath.Join(t.TempDir(), "checkpoint-900")
	h := &model.Header{Config: x.config, Seq: 900, Family: x.Family}
	h.SetModelState(x.Processor)
	store := &checkpoint.Store{Dir: filepath.Dir(path)}
	if _, err := model.Save(store, h, x.Processor); err != nil {
		t.Fatal(err)
	}
	f, _, err := store.Newest()
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := model.Read(f); err != nil {
		t.Fatal(err)
	}
	section := -1
	for i, s := range f.Sections {
		if s.Name == "drift" {
			section = i
		}
	}
	good := string(f.Sections[section].Data)
	for _, c := range [][2]string{{good, "{"}, {good, "{}"}, {`"of":"mistakes"`, `"of":"losses"`},
		{`"of":"mistakes"`, `"of":"cost"`}, {`"value":[1,1]`, `"value":[1,2]`}, {`"value":[1,1]`, `"value":[1,0.5]`},
		{`"delta":0.9`, `"delta":0.25`}, {`"list":[`, `"list":[{},{},{},{},{},{},{},{},{},`}, {`"wait":`, `"wait":9`}} {
		broken := strings.Replace(good, c[0], c[1], 1)
		if broken == good {
			t.Fatalf("%s is not in %s", c[0], good)
		}
		f.Sections[section].Data = []byte(broken)
		if _, _, err := model.Read(f); err == nil {
			t.Errorf("%s: it is taken", c[1])
		}
	}
}
