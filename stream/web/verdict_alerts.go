package web

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"rosenblatt/learner/decision"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/board"
)

// ofAlerts reports whether labels are known for hardly any prediction but alerts: predictions of the positive label.
// That can be with a rule that learns from these alone. The last 10,000 labels are of alerts mostly, and of all
// predictions that have ended waiting so many have no label that the others had one of ten at most.
func ofAlerts(st *board.Status) bool {
	d := st.Decision
	if d == nil || d.Rule.Kind != decision.Precision && d.Rule.Kind != decision.Alerts {
		return false
	}
	c := &st.Score.Last10000.Confusion
	alerts, others := c.TruePositive+c.FalsePositive, c.TrueNegative+c.FalseNegative
	without := float64(st.Score.Predictions - st.Score.Examples - st.Score.LeftOut)
	return alerts >= enoughOfRare && others < alerts && without >= max(alerts, 9*others)
}

// alertsVerdict judges by precision alone, against the target if there is one: what was not looked into is not known.
func (v *view) alertsVerdict() (b verdictBody, found bool) {
	//mutation:alerts-alone
	if !ofAlerts(v.Status) {
		return b, false
	}
	d, f := v.Decision, &v.Score.Last10000
	alerts := f.Confusion.TruePositive + f.Confusion.FalsePositive
	precision := f.Precision.Value()
	b.Text = fmt.Sprintf("%.1f %% of the last %s predictions of %s whose label is known were right (precision). Labels"+
		" are known for alerts alone: recall cannot be known.", 100*precision, humanize.Comma(int64(alerts)),
		spelled(v.Labels[1]))
	b.Title = fmt.Sprintf("%.0f %% of the alerts are right", 100*precision)
	if d.Rule.Kind == decision.Precision && !d.Waits {
		against := compare(precision, d.Rule.Value, int64(alerts), metrics.LongWindow, errorsOfBaseline)
		b.Level = [...]string{"worse", "better", "better"}[against+1]
		b.Title += fmt.Sprintf(", and %.0f %% are the target", 100*d.Rule.Value)
	}
	return b, true
}
