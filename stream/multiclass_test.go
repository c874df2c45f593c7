package stream_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// classEvents are events of four classes of every spelling, discovered one after the other; one in ten has no label.
func classEvents(seed uint64, n int) (out []string) {
	r := rand.New(rand.NewPCG(seed, 5))
	spelled := []string{`"setosa"`, `7`, `true`, `"7"`}
	for i := range n {
		c := r.IntN(min(4, 1+i/8))
		label := `,"label":` + spelled[c]
		if r.IntN(10) == 0 {
			label = ""
		}
		out = append(out, fmt.Sprintf(`{"id":"e%d"%s,"features":{"a":%.3f,"b":%.3f,"c":%.3f,"d":%d}}`, i, label,
			r.NormFloat64()+float64(c), r.NormFloat64()-float64(c*c), r.Float64(), c&1))
	}
	return out
}

// multiclass makes a setup of several classes.
func multiclass(s *streamtest.Setup, scheme string) {
	s.Config.ModelConfig.Decode.Task, s.Config.ModelConfig.Multiclass = event.Multiclass, scheme
}

var schemes = []string{learner.Direct, learner.OVA, learner.OVO}

// publishedClass is a prediction of several classes.
type publishedClass struct {
	Prediction  any                `json:"prediction"`
	Label       any                `json:"label"`
	Score       *float64           `json:"score"`
	Scores      map[string]float64 `json:"scores"`
	Probability *float64           `json:"probability"`
	Mistake     *bool              `json:"mistake"`
	Updated     bool               `json:"updated"`
}

func predictionsOf(t *testing.T, o *streamtest.Outcome) (out []publishedClass) {
	t.Helper()
	for _, raw := range o.Values {
		var a publishedClass
		if err := json.Unmarshal(raw, &a); err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		out = append(out, a)
	}
	return out
}

// TestClassesThroughKafka: predictions, their spelling, and a run cut in four equals one in one piece.
func TestClassesThroughKafka(t *testing.T) {
	t.Parallel()
	c := streamtest.Start(t)
	for _, scheme := range schemes {
		t.Run(scheme, func(t *testing.T) {
			events := classEvents(1, 400)
			events[0] = `{"id":"first","label":"setosa","features":{"a":1}}`
			var published [2]*streamtest.Outcome
			for run := range published {
				s := streamtest.New(t, c, 1)
				multiclass(s, scheme)
				s.Config.ModelConfig.Scores = true
				step := 400 - 300*run
				for from := 0; from < 400; from += step {
					s.Cluster.Produce(t, s.Name, 0, events[from:from+step]...)
					s.MustRun(t)
				}
				published[run] = s.Audit(t)
			}
			for i, raw := range published[0].Values {
				if a, b := scoreText(raw), scoreText(published[1].Values[i]); a != b {
					t.Fatalf("prediction %d: %s in one run, %s in four", i+1, a, b)
				}
			}
			checkPredictions(t, published[0])
		})
	}
}

func checkPredictions(t *testing.T, o *streamtest.Outcome) {
	t.Helper()
	all := predictionsOf(t, o)
	if a := all[0]; a.Prediction != nil || *a.Score != 0 || a.Label != "setosa" || !*a.Mistake || len(a.Scores) != 0 {
		t.Errorf("the first prediction: %s", o.Values[0])
	}
	mistakes, labelled, spellings := int64(0), int64(0), map[any]bool{}
	for i, a := range all {
		if a.Label == nil {
			if a.Mistake != nil || a.Updated {
				t.Errorf("unlabelled: %s", o.Values[i])
			}
			continue
		}
		labelled++
		spellings[a.Label] = true
		if *a.Mistake != (a.Prediction != a.Label) {
			t.Errorf("mistake: %s", o.Values[i])
		}
		if *a.Mistake {
			mistakes++
		}
		if a.Prediction != nil {
			key := map[any]string{"setosa": "setosa", 7.0: "7", true: "true", "7": `"7"`}[a.Prediction]
			if score, there := a.Scores[key]; !there || score != *a.Score {
				t.Errorf("score %v of %q is not among %v", *a.Score, key, a.Scores)
			}
			for class, score := range a.Scores {
				if score > *a.Score {
					t.Errorf("%s has %v: %s", class, score, o.Values[i])
				}
			}
		}
	}
	for _, c := range o.Proc.Confusion() {
		if c.Label < 0 {
			t.Errorf("a label that is no class was scored: %+v", c)
		}
	}
	if len(spellings) != 4 {
		t.Errorf("classes %v", spellings)
	}
	r := o.Proc.Report()
	if r.Mistakes != mistakes || r.Examples != labelled || r.Predictions != int64(len(all)) || mistakes > labelled/2 {
		t.Errorf("%d mistakes of %d published, the score says %+v", mistakes, labelled, r.Row)
	}
	if r.Accuracy.Value() < r.Baselines[1].Accuracy.Value() {
		t.Errorf("accuracy %v, majority's %v", r.Accuracy.Value(), r.Baselines[1].Accuracy.Value())
	}
}

// run predicts and learns events.
func run(t testing.TB, proc *model.Processor, o event.Options, events []string) {
	t.Helper()
	d, err := event.New(o)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range events {
		r := topics.Record{Offset: int64(i), Value: []byte(v)}
		var e event.Example
		arena := d.Decode(&r, nil, &e)
		out, rejected := proc.Predict(&e, e.Features(arena))
		if rejected != nil {
			t.Fatalf("event %d: %v", i, rejected)
		}
		proc.Learn(&r, out)
	}
}

// TestTooManyClasses: an event of one class more is dead-lettered, unlearned, and the classes there are go on.
func TestTooManyClasses(t *testing.T) {
	t.Parallel()
	for _, scheme := range schemes {
		s := streamtest.New(t, streamtest.Start(t), 1)
		multiclass(s, scheme)
		s.Config.ModelConfig.MaxClasses = 2
		s.Cluster.Produce(t, s.Name, 0, `{"label":"a","x":1}`, `{"label":"b","x":2}`, `{"label":"c","x":3}`,
			`{"label":"a","x":4}`, `{"label":null,"x":5}`)
		task := s.MustRun(t)
		o := s.Audit(t)
		if len(o.Predictions) != 4 || len(o.DeadLetters) != 1 || o.DeadLetters[0].Offset != 2 {
			t.Errorf("%s: %d predictions, dead letters %+v", scheme, len(o.Predictions), o.DeadLetters)
		}
		if st := task.Status(); st.Counts.Rejected["too-many-classes"] != 1 || len(st.Classes) != 2 ||
			!strings.HasSuffix(st.Learner, " "+scheme) {
			t.Errorf("%s: %+v, classes %q, learner %q", scheme, st.Counts, st.Classes, st.Learner)
		}
	}
}

// TestProbabilities: where the learner has one, predictions hold it, of two labels and of several classes.
func TestProbabilities(t *testing.T) {
	t.Parallel()
	c := streamtest.Start(t)
	for _, scheme := range []string{"", learner.OVA, learner.OVO} {
		s := streamtest.New(t, c, 1)
		s.Config.ModelConfig.Learner = learner.Spec{Learner: learner.Logistic, Scale: "standard",
			Bits: 12}.WithDefaults()
		events := classEvents(3, 100)
		if scheme == "" {
			events = []string{`{"label":1,"x":1}`, `{"label":-1,"x":2}`, `{"x":1}`}
		} else {
			multiclass(s, scheme)
		}
		s.Cluster.Produce(t, s.Name, 0, events...)
		s.MustRun(t)
		for i, a := range predictionsOf(t, s.Audit(t)) {
			want := scheme == "" || scheme == learner.OVA && a.Prediction != nil
			if (a.Probability != nil) != want || want && !(*a.Probability >= 0.2 && *a.Probability <= 1) {
				t.Errorf("%q: prediction %d: %+v", scheme, i, a)
			}
		}
	}
}

// TestClassesWithoutLearning: a model that does not learn knows no class, and all is a mistake.
func TestClassesWithoutLearning(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	multiclass(s, learner.Direct)
	s.Config.ModelConfig.NoLearn = true
	s.Cluster.Produce(t, s.Name, 0, classEvents(5, 30)...)
	s.MustRun(t)
	o := s.Audit(t)
	if r := o.Proc.Report(); r.Mistakes != r.Examples || r.Examples == 0 || r.Updates != 0 ||
		len(o.Proc.Classes()) != 0 {
		t.Errorf("%+v", r)
	}
}
