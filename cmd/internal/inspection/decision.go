package inspection

import (
	"fmt"
	"io"
	"strings"

	"rosenblatt/learner/decision"
	"rosenblatt/stream/model"
)

// Decision is how a model of two labels gets from scores to predictions.
type Decision struct {
	Calibration string   `json:"calibration"`
	Slope       float64  `json:"slope"` // log-odds are slope·score + offset
	Offset      float64  `json:"offset"`
	Rule        string   `json:"rule"`
	Threshold   *float64 `json:"threshold,omitempty"` // the score from which on positive is predicted
	Waits       []string `json:"waits,omitempty"`     // for what, while positive is predicted from score 0 on
	Count       int64    `json:"count,omitempty"`     // of what moved the cut
	Hits        int64    `json:"hits,omitempty"`      // of them
	LastCount   int64    `json:"lastCount,omitempty"` // of the latest, at most 1,000
	LastHits    int64    `json:"lastHits,omitempty"`
}

func decisionOf(d *model.Decision, labels [2]string) *Decision {
	if d == nil {
		return nil
	}
	out := &Decision{Calibration: d.Calibration, Slope: d.Odds.Slope, Offset: d.Odds.Offset, Rule: d.Rule.String(),
		Count: d.Cut.Progress.Count, Hits: d.Cut.Progress.Hits}
	out.LastCount, out.LastHits = d.Cut.Progress.Last()
	if d.HasThreshold {
		out.Threshold = &d.Threshold
	}
	for _, lack := range d.Lacks(labels) {
		out.Waits = append(out.Waits, lack.Text)
	}
	return out
}

// print writes it for people.
func (d *Decision) print(w io.Writer) {
	if d == nil {
		return
	}
	fmt.Fprintf(w, "decides\t%s, calibration %s: log-odds %.4g·score %+.4g", d.Rule, d.Calibration, d.Slope, d.Offset)
	if len(d.Waits) > 0 {
		fmt.Fprintf(w, ", positive from score 0 on until more is known: %s", strings.Join(d.Waits, ", "))
	}
	if d.Threshold != nil {
		fmt.Fprintf(w, ", positive from score %.6g on", *d.Threshold)
	}
	if rule, err := decision.ParseRule(d.Rule); err == nil && rule.Moves() && d.Count > 0 {
		fmt.Fprintf(w, "; reached %.4f of %d, %.4f of the last %d", float64(d.Hits)/float64(d.Count), d.Count,
			float64(d.LastHits)/float64(d.LastCount), d.LastCount)
	}
	fmt.Fprintln(w)
}
