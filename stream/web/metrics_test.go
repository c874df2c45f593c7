package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/board"
	"rosenblatt/stream/event"
)

// gathered holds the task's collector alone.
func gathered(t *testing.T, s *Server) *prometheus.Registry {
	t.Helper()
	s.init()
	r := prometheus.NewPedanticRegistry() // it checks every value against Describe
	if err := r.Register(s.collector()); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestMetricsLint(t *testing.T) {
	r := everyMetric(t)
	problems, err := testutil.GatherAndLint(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	if len(families) != len(allMetrics) {
		t.Errorf("%d names of %d have a value", len(families), len(allMetrics))
	}
}

func TestMetricsValues(t *testing.T) {
	task := newTask(t)
	s, _ := newServer(task)
	s.Trouble = func() (string, time.Time) { return "dial: timeout", start.Add(-3 * time.Second) }
	task.set(func(st *board.Status) {
		st.Score.Examples, st.Score.Mistakes, st.Score.Updates, st.CommitFails, st.SaveErrors = 200, 50, 60, 4, 5
		st.Score.Accuracy, st.Score.Last.Accuracy, st.Score.Fading.Accuracy = metrics.Known(0.5), metrics.Known(0.25),
			metrics.Known(0.125)
	})
	w := ask(s, "GET", "/metrics", "")
	want(t, w, http.StatusOK)
	text := "\n" + w.Body.String()
	for _, line := range []string{"predictions_total 200", "examples_total 200", "mistakes_total 50",
		"updates_total 60", `rejected_total{reason="syntax"} 2`,
		`rejected_total{reason="overflow"} 0`, `position{partition="0"} 40`, `end_offset{partition="0"} 42`,
		`lag_records{partition="0"} 2`,
		`lag_records{partition="1"} 3`, `last_stable_offset_lag_records{partition="0"} 0`,
		`last_stable_offset_lag_records{partition="1"} 3`,
		`accuracy_ratio{window="all"} 0.5`, `accuracy_ratio{window="last"} 0.25`,
		`accuracy_ratio{window="fading"} 0.125`,
		`state{model="fraud",state="live"} 1`,
		`state{model="fraud",state="recovering"} 0`, "seq 200",
		"epoch 3", "checkpoint_age_seconds 4", "checkpoint_bytes 65536", "checkpoint_duration_seconds 0.03",
		"checkpoints_total 9", "checkpoint_failures_total 5",
		"offset_commit_failures_total 4", "ready 1",
		"broker_trouble_seconds 3", `model_info{learner="perceptron",model="fraud"} 1`, "records_read_total 204",
		"tombstones_total 1"} {
		if !strings.Contains(text, "\nrosenblatt_"+line+"\n") {
			t.Errorf("no line rosenblatt_%s", line)
		}
	}
	for _, r := range event.Reasons() {
		if !strings.Contains(text, `rosenblatt_rejected_total{reason="`+r.String()+`"} `) {
			t.Errorf("no count of %s", r)
		}
	}
	for _, name := range []string{`rosenblatt_baseline_accuracy_ratio{baseline="majority",window="last10000"}`,
		"go_goroutines", "process_open_fds", "rosenblatt_build_info{"} {
		if !strings.Contains(text, "\n"+name) {
			t.Errorf("no %s", name)
		}
	}
}

// TestMetricsBeforeRecovery: a count of 0 there would look to Prometheus like a reset of the model's counters.
func TestMetricsBeforeRecovery(t *testing.T) {
	task := &literal{status: board.Status{Model: "fraud", State: board.Recovering, Began: start}}
	s, _ := newServer(task)
	text := ask(s, "GET", "/metrics", "").Body.String()
	if !strings.Contains(text, `rosenblatt_state{model="fraud",state="recovering"} 1`) ||
		!strings.Contains(text, "rosenblatt_ready 0") {
		t.Errorf("the state is missing: %s", text)
	}
	for _, name := range []string{"predictions_total", "rejected_total", "checkpoint_age_seconds", "seq "} {
		if strings.Contains(text, "\nrosenblatt_"+name) {
			t.Errorf("%s is told before it is known", name)
		}
	}
}

func TestMetricsWithForeignLabels(t *testing.T) {
	task := newTask(t)
	task.status.Model = "a\xffb\"\n{}"
	s, _ := newServer(task)
	w := ask(s, "GET", "/metrics", "")
	want(t, w, http.StatusOK)
	if !strings.Contains(w.Body.String(), `model="a`+"\ufffd"+`b\"\n{}"`) {
		t.Error("the model's name is missing")
	}
}

// everyFigure is as if the examples gave all of them.
func everyFigure(f *metrics.Figures) {
	fields := reflect.ValueOf(f).Elem()
	for i := range fields.NumField() {
		if x, ok := fields.Field(i).Addr().Interface().(*metrics.Optional); ok {
			*x = metrics.Known(0.5)
		}
	}
}

// TestDecisions: predictions are counted by label and prediction.
func TestDecisions(t *testing.T) {
	task := newTask(t)
	s, _ := newServer(task)
	c := &task.status.Score.Confusion
	text := ask(s, "GET", "/metrics", "").Body.String()
	for at, n := range map[[2]string]float64{{"positive", "positive"}: c.TruePositive,
		{"negative", "positive"}: c.FalsePositive, {"positive", "negative"}: c.FalseNegative,
		{"negative", "negative"}: c.TrueNegative} {
		line := fmt.Sprintf("rosenblatt_decisions_total{label=%q,prediction=%q} %v\n", at[0], at[1], n)
		if !strings.Contains(text, line) {
			t.Errorf("no line %s", line)
		}
	}
	if c.TruePositive+c.TrueNegative == 0 || c.FalsePositive+c.FalseNegative == 0 {
		t.Errorf("%+v", c)
	}
}

// TestMetricsOfOneLabel: an AUC that the labels do not give is absent, in the metrics and in /status: never 0 or 0.5.
func TestMetricsOfOneLabel(t *testing.T) {
	task := newTask(t)
	s, _ := newServer(task)
	for _, last := range []bool{true, false} {
		if !last {
			for range 2 * metrics.Window {
				task.learn(t, `{"label":0,"features":{"price":1.5}}`)
			}
			task.set(func(st *board.Status) { st.Score = task.proc.Report() })
		}
		text := ask(s, "GET", "/metrics", "").Body.String()
		if strings.Contains(text, `rosenblatt_roc_auc_ratio{window="last"} `) != last ||
			!strings.Contains(text, `rosenblatt_roc_auc_ratio{window="all"} 0.`) ||
			strings.Contains(text, `rosenblatt_roc_auc_ratio{window="fading"}`) {
			t.Errorf("both labels in the window: %t\n%s", last, text)
		}
		var status statusBody
		if err := json.Unmarshal(ask(s, "GET", "/status", "").Body.Bytes(), &status); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"roc_auc", "average_precision", "recall", "matthews", "kappa_m"} {
			if _, known := status.Figures["last"][name]; known != last {
				t.Errorf("both labels in the window: %t; %s: %t", last, name, known)
			}
			if _, known := status.Figures["all"][name]; !known {
				t.Errorf("over all there is no %s", name)
			}
		}
	}
}
