package web

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/model"
)

// A learner that gives probabilities has a log-loss in /status and /metrics, another one has none.
func TestLogLossIsShown(t *testing.T) {
	for _, name := range []string{learner.Logistic, learner.Perceptron} {
		task := newTask(t)
		task.fixed.Learner = learner.Spec{Learner: name, Bits: 10}.WithDefaults()
		var err error
		if task.proc, err = model.NewProcessor(task.fixed); err != nil {
			t.Fatal(err)
		}
		task.learn(t, `{"label":1,"features":{"x":1}}`) // ln 2
		task.learn(t, `{"label":-1,"features":{"x":-1}}`)
		s := mustServer(task)
		text := ask(s, "GET", "/metrics", "").Body.String()
		var body statusBody
		if err := json.Unmarshal(ask(s, "GET", "/status", "").Body.Bytes(), &body); err != nil {
			t.Fatal(err)
		}
		wanted := name == learner.Logistic
		if loss, there := body.Figures["all"]["log_loss"]; there != wanted || wanted && !(loss > 0.6 && loss < 0.7) {
			t.Errorf("%s: log-loss %v in /status", name, loss)
		}
		for _, window := range []string{"all", "last", "last10000", "fading"} {
			if there := strings.Contains(text, `rosenblatt_log_loss_nats{window="`+window+`"} 0.6`); there != wanted {
				t.Errorf("%s: log-loss of %s in /metrics: %v", name, window, there)
			}
		}
	}
}

// TestPerceptronLossIsShown: of two labels, in /status, /metrics and on the page.
func TestPerceptronLossIsShown(t *testing.T) {
	task := newTask(t)
	s := mustServer(task)
	r := &task.status.Score
	if r.Loss.Value() == 0 || r.Last.Loss != r.Loss {
		t.Fatalf("losses %v, %v", r.Loss, r.Last.Loss)
	}
	var body statusBody
	if err := json.Unmarshal(ask(s, "GET", "/status", "").Body.Bytes(), &body); err != nil {
		t.Fatal(err)
	}
	if body.Figures["all"]["loss"] != r.Loss.Value() {
		t.Errorf("/status: %v", body.Figures)
	}
	text := ask(s, "GET", "/metrics", "").Body.String()
	for _, scope := range metrics.Scopes {
		loss := scope.Of(&r.Row).Loss.Value()
		line := fmt.Sprintf("rosenblatt_perceptron_loss{window=%q} %v\n", scope.Name, loss)
		if !strings.Contains(text, line) {
			t.Errorf("/metrics has no %s", line)
		}
	}
	if b := s.liveBody(s.look()); b.Figures["fading"]["loss"] != r.Fading.Loss.Value() {
		t.Errorf("the page: %+v", b.Figures)
	}
}
