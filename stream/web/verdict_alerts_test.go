package web

import (
	"net/http"
	"strings"
	"testing"

	"rosenblatt/learner/decision"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
)

// TestAlertsVerdict: where labels are known for alerts alone, the page speaks of precision, not of accuracy and recall.
func TestAlertsVerdict(t *testing.T) {
	for _, c := range []struct {
		name     string
		rule     string
		counts   metrics.Confusion
		without  int64 // predictions that ended without a label
		level    string
		says     string
		ofAlerts bool
	}{
		{"on target", "precision=0.5", metrics.Confusion{TruePositive: 260, FalsePositive: 240}, 40_000, "better",
			"52 % of the alerts are right, and 50 % are the target: 52.0 % of the last 500 predictions of fraud whose" +
				" label is known were right (precision). Labels are known for alerts alone: recall cannot be known.",
			true},
		{"missed", "precision=0.5", metrics.Confusion{TruePositive: 100, FalsePositive: 400, TrueNegative: 20}, 40_000,
			"worse", "20 % of the alerts are right, and 50 % are the target", true},
		{"no target", "alerts=0.01", metrics.Confusion{TruePositive: 100, FalsePositive: 400}, 40_000, "",
			"20 % of the alerts are right: ", true},
		{"one of four of the others", "alerts=0.3", metrics.Confusion{TruePositive: 300, FalsePositive: 400,
			TrueNegative: 500, FalseNegative: 10}, 1500, "worse", "baseline", false},
		{"all labels", "alerts=0.6", metrics.Confusion{TruePositive: 300, FalsePositive: 400, TrueNegative: 300}, 0,
			"worse", "baseline", false},
		{"another rule", "recall=0.5", metrics.Confusion{TruePositive: 260, FalsePositive: 240}, 40_000, "worse",
			"baseline", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			task := newTask(t)
			s, _ := newServer(task)
			s.init()
			rule, err := decision.ParseRule(c.rule)
			if err != nil {
				t.Fatal(err)
			}
			task.set(func(st *board.Status) {
				setRare(st, 60_000, 5000, 0.5)
				setAccuracy(st, 60_000, 0.2, 0.8, 0.5)
				f := &st.Score.Last10000
				f.Confusion = c.counts
				f.Precision = metrics.Quotient(c.counts.TruePositive, c.counts.TruePositive+c.counts.FalsePositive)
				st.Score.Predictions = st.Score.Examples + c.without
				st.Decision = &model.Decision{Rule: rule}
			})
			got := s.liveBody(s.look())
			if says := got.Verdict.Title + ": " + got.Verdict.Text; got.Verdict.Level != c.level ||
				!strings.Contains(says, c.says) || got.OfAlerts != c.ofAlerts {
				t.Errorf("%q, of alerts %t: %s", got.Verdict.Level, got.OfAlerts, says)
			}
			w := ask(s, http.MethodGet, "/metrics", "")
			for _, line := range strings.Split(w.Body.String(), "\n") {
				if strings.HasPrefix(line, "rosenblatt_labels_of_alerts_alone") {
					if strings.HasSuffix(line, " 1") != c.ofAlerts {
						t.Error(line)
					}
					return
				}
			}
			t.Error("no metric says whether labels are of alerts alone")
		})
	}
}
