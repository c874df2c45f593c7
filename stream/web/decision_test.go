package web

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"

	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// ruled makes a live task whose model decides by a rule.
func ruled(t *testing.T, rule string) (*literal, *Server) {
	t.Helper()
	task := newTask(t)
	if err := task.fixed.SetDecisions("platt", rule); err != nil {
		t.Fatal(err)
	}
	was := task.proc
	var err error
	if task.proc, err = model.NewProcessor(task.fixed); err == nil {
		err = task.proc.Inherit(was, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	for i := range 150 {
		task.learn(t, fmt.Sprintf(`{"features":{"price":%d.5},"label":%d}`, i%9, i%9/4%2))
	}
	task.set(func(st *board.Status) { st.Decision, st.Config = task.proc.Decision(), task.fixed })
	s, _ := newServer(task)
	return task, s
}

// TestPredictAsPublished: /predict has the probability, the cut and the prediction that the next prediction would have.
func TestPredictAsPublished(t *testing.T) {
	task, s := ruled(t, "recall=0.9")
	const value = `{"price":1.5}`
	o, rejected := task.answer(t, &topics.Record{Value: []byte(value)})
	if rejected != nil || !o.HasThreshold {
		t.Fatalf("%v, %+v", rejected, o)
	}
	w := ask(s, "POST", "/predict", value)
	want(t, w, http.StatusOK)
	var p struct{ Score, Probability, Positive, Threshold *float64 }
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]struct {
		is   *float64
		want float64
	}{"score": {p.Score, o.Score}, "probability": {p.Probability, o.Probability},
		"positive": {p.Positive, o.Positive()}, "threshold": {p.Threshold, o.Threshold}} {
		if x.is == nil || *x.is != x.want {
			t.Errorf("%s: %s, want %v", name, w.Body, x.want)
		}
	}
}

// TestDecisionStatus: /status says the target, and what was reached; with costs, what they are.
func TestDecisionStatus(t *testing.T) {
	task, s := ruled(t, "recall=0.9")
	w := ask(s, "GET", "/status", "")
	var body struct{ Decision decisionBody }
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		t.Fatal(err)
	}
	is, d := body.Decision, task.proc.Decision()
	count, hits := d.Cut.Progress.Last()
	last, _ := is.Reached.Last.Get()
	if is.Threshold == nil || *is.Threshold != d.Threshold || is.Rule != "recall=0.9" ||
		is.Calibration != "platt" || is.Target == nil || *is.Target != 0.9 || count == 0 ||
		is.Reached.Count != d.Cut.Progress.Count || last != float64(hits)/float64(count) {
		t.Errorf("%s", w.Body)
	}
	task, s = ruled(t, "cost=fp:2,fn:10")
	w = ask(s, "GET", "/status", "")
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		t.Fatal(err)
	}
	c := task.status.Score.Confusion
	long, _ := body.Decision.Cost.Long.Get()
	counts := task.status.Score.Last10000.Confusion
	if want := 1000 * (2*counts.FalsePositive + 10*counts.FalseNegative) / (counts.FalsePositive +
		counts.FalseNegative + counts.TruePositive + counts.TrueNegative); !(math.Abs(long-want) < 1e-9) || want == 0 {
		t.Errorf("the cost over the last 10,000 is %v, want %v", long, want)
	}
	always, known := body.Decision.Cost.Always.Get()
	if !known || always <= 0 || body.Decision.Cost.Never == body.Decision.Cost.Always {
		t.Errorf("%s, %+v", w.Body, c)
	}
}

// TestDecisionLacks: while a rule waits, /status says for what.
func TestDecisionLacks(t *testing.T) {
	task, s := ruled(t, "recall=0.9")
	d := *task.proc.Decision()
	d.Waits, d.Cut.Labels = true, [2]int64{20, 12}
	task.set(func(st *board.Status) { st.Decision, st.Labels = &d, [2]string{`"fine"`, `"fraud"`} })
	w := ask(s, "GET", "/status", "")
	if !strings.Contains(w.Body.String(), `"12 of 20 examples of fraud are known"`) ||
		strings.Contains(w.Body.String(), "examples of fine") {
		t.Errorf("%s", w.Body)
	}
}
