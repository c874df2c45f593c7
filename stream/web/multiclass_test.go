package web

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/board"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// newClasses makes a live task of several classes with a model that has met none yet.
func newClasses(t testing.TB, scheme string) *literal {
	t.Helper()
	o := event.Defaults(event.JSON)
	o.Bits, o.Task = 10, event.Multiclass
	l := &literal{fixed: model.Config{Learner: learner.Spec{Bits: o.Bits}.WithDefaults(), Decode: o, Multiclass: scheme,
		Scores: true}}
	var err error
	if l.proc, err = model.NewProcessor(l.fixed); err != nil {
		t.Fatal(err)
	}
	l.status = board.Status{Model: "flowers", State: board.Live, Began: start, At: start,
		Learner: l.fixed.LearnerName(), Classes: []string{}}
	return l
}

// teach has it learn three classes.
func teach(t testing.TB, l *literal) {
	t.Helper()
	for i := range 60 {
		l.learn(t, fmt.Sprintf(`{"label":%s,"features":{"x":%d,"y":%d}}`,
			[]string{`"setosa"`, `"<b>virginica"`, `3`}[i%3], i%3, i%2))
	}
	l.status.Classes, l.status.ByClass = l.proc.Classes(), l.proc.ByClass()
}

func TestPredictAClass(t *testing.T) {
	for _, scheme := range []string{learner.Direct, learner.OVA, learner.OVO} {
		task := newClasses(t, scheme)
		s, clock := newServer(task)
		code, p := predict(t, s, "?explain=3", `{"x":1}`)
		if code != http.StatusOK || string(p.Prediction) != "null" || p.Score != 0 || *p.Bias != 0 ||
			p.Contributions[0].Contribution != 0 {
			t.Errorf("%s: before any class: %d %+v", scheme, code, p)
		}
		teach(t, task)
		clock.pass(2 * fresh)
		for x := range 3 {
			value := fmt.Sprintf(`{"x":%d,"y":1}`, x)
			o, _ := task.answer(t, &topics.Record{Value: []byte(value)})
			code, p := predict(t, s, "?explain=3", value)
			class := string(event.AppendClass(nil, task.proc.Classes()[o.Prediction]))
			var body struct{ Scores map[string]float64 }
			if err := json.Unmarshal(ask(s, "POST", "/predict", value).Body.Bytes(), &body); err != nil {
				t.Fatal(err)
			}
			var text string
			if json.Unmarshal(p.Prediction, &text) != nil {
				text = string(p.Prediction)
			}
			if code != http.StatusOK || text != strings.Trim(class, `"`) || p.Score != o.Score ||
				len(body.Scores) != 3 || body.Scores[text] != o.Score {
				t.Errorf("%s: %s: %d %+v %v, want %s with %v", scheme, value, code, p, body, class, o.Score)
			}
			sum := *p.Bias
			for _, c := range p.Contributions {
				sum += c.Contribution
			}
			if scheme != learner.OVO && math.Abs(sum-p.Score) > 1e-9 {
				t.Errorf("%s: %s: contributions and bias make %v, the score is %v", scheme, value, sum, p.Score)
			}
		}
	}
}

func TestClassesAreShown(t *testing.T) {
	task := newClasses(t, learner.OVA)
	s, _ := newServer(task)
	if text := ask(s, "GET", "/metrics", "").Body.String(); !strings.Contains(text, "rosenblatt_classes 0\n") {
		t.Error("no class is not 0 classes")
	}
	teach(t, task)
	var body statusBody
	if err := json.Unmarshal(ask(s, "GET", "/status", "").Body.Bytes(), &body); err != nil {
		t.Fatal(err)
	}
	if len(body.Classes) != 3 || body.Classes[0] != "setosa" || body.Learner != "perceptron ova" ||
		body.Examples != 60 || body.Accuracy.Value() == 0 || body.Figures["last10000"]["weighted_f1"] == 0 {
		t.Errorf("%+v", body)
	}
	var examples float64
	for i, c := range body.ByClass {
		examples += c.Figures["all"].Support
		if c.Class != body.Classes[i] || c.Figures["last10000"].Recall != c.Figures["all"].Recall {
			t.Errorf("%+v", c)
		}
	}
	if examples != 60 {
		t.Errorf("%v examples by class: %+v", examples, body.ByClass)
	}
	text := ask(s, "GET", "/metrics", "").Body.String()
	recall, _ := body.ByClass[1].Figures["all"].Recall.Get()
	for _, line := range []string{`rosenblatt_class_examples{class="<b>virginica",window="all"} 20`,
		fmt.Sprintf(`rosenblatt_class_recall_ratio{class="<b>virginica",window="last"} %v`, recall)} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("no %q in the metrics:\n%s", line, text)
		}
	}
	if !strings.Contains(text, "rosenblatt_classes 3\n") || strings.Contains(text, "rosenblatt_roc_auc_ratio") ||
		!strings.Contains(text, `rosenblatt_accuracy_ratio{window="last"}`) ||
		strings.Contains(text, "rosenblatt_decisions_total") {
		t.Error("the metrics of several classes are other ones:\n" + text)
	}
	if b := s.liveBody(s.look()); b.ClassCount != 3 || b.Matrix != nil || b.Classes != nil {
		t.Errorf("%d classes, matrix %v", b.ClassCount, b.Matrix)
	}
	if text := ask(mustServer(newTask(t)), "GET", "/metrics", "").Body.String(); !strings.Contains(text,
		"rosenblatt_classes 2\n") {
		t.Error("a binary task has 2 classes")
	}
	binary := mustServer(newTask(t))
	if b := binary.liveBody(binary.look()); b.ClassCount != 0 || len(b.Matrix.Names) != 2 {
		t.Errorf("%d classes, matrix %v", b.ClassCount, b.Matrix)
	}
}

// TestMostFrequentClasses: the page has the most frequent classes, /status all; metrics have the first ones.
func TestMostFrequentClasses(t *testing.T) {
	task := newClasses(t, learner.OVA)
	for i := range 60 {
		task.status.Classes = append(task.status.Classes, fmt.Sprint("c", i))
		task.status.ByClass = append(task.status.ByClass, metrics.ClassRow{{Support: float64(i)}})
	}
	s, _ := newServer(task)
	if b := s.liveBody(s.look()); len(b.ByClass) != shownClasses || b.ByClass[0].Class != "c59" ||
		b.ClassCount != 60 {
		t.Errorf("%d classes, %+v first", len(b.ByClass), b.ByClass[0])
	}
	if b := s.body(s.look()); len(b.ByClass) != 60 || b.ByClass[0].Class != "c0" {
		t.Errorf("/status: %d classes", len(b.ByClass))
	}
	text := ask(s, "GET", "/metrics", "").Body.String()
	if !strings.Contains(text, `class="c49"`) || strings.Contains(text, `class="c50"`) {
		t.Error("metrics have other classes than the first 50")
	}
}

func mustServer(task Task) *Server {
	s, _ := newServer(task)
	return s
}
