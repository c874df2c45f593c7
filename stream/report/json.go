package report

import (
	"encoding/json"
	"io"

	"rosenblatt/learner"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/replay"
)

// document is the JSON of a report (cmd/rosenblatt/docs/training.md, "Reports").
type document struct {
	Source    string           `json:"source"`
	Command   string           `json:"command"`
	Examples  int64            `json:"examples"`            // predicted in all passes
	Untrained int64            `json:"untrained,omitempty"` // of them, those in no figure
	Passes    int              `json:"passes"`
	Seconds   float64          `json:"seconds"`
	Rejected  map[string]int64 `json:"rejected"`  // by reason, of all learners
	Baselines any              `json:"baselines"` // metrics.Row of two labels, macroRow of several classes
	Learners  []any            `json:"learners"`  // binaryRow or classesRow, best first
	Labels    *lateDocument    `json:"labels,omitempty"`
}

type binaryRow struct {
	metrics.Report
	Baselines   []metrics.Row         `json:"baselines,omitempty"` // hides those of Report: the document has them once
	ByLabel     []labelCount          `json:"byLabel"`
	Rejected    map[string]int64      `json:"rejected"`
	Bias        float64               `json:"bias"`
	Top         []learner.NamedWeight `json:"top"`
	Collisions  int                   `json:"collisions"`
	Calibration []replay.Bin          `json:"calibration,omitempty"`
	Cuts        []metrics.Cut         `json:"cuts,omitempty"`
	Cost        *costs                `json:"cost,omitempty"` // for 1,000 examples
	Drift       *model.DriftReport    `json:"drift,omitempty"`
	Slices      []sliceRow            `json:"slices,omitempty"`
	Thresholds  []replay.Threshold    `json:"thresholds,omitempty"` // with --report or --csv
}

func (r *Report) binaryRowOf(l *Learner) any {
	return binaryRow{Report: l.Report, ByLabel: append([]labelCount{}, r.byLabel(l)...),
		Rejected: named(l.Rejected), Bias: l.Bias, Top: listed(l.Top),
		Collisions:  l.Collisions,
		Calibration: l.Calibration, Cuts: l.Cuts, Cost: r.costsOf(l), Slices: slicesOf(l), Drift: l.Drift,
		Thresholds: l.Thresholds}
}

// listed avoids null in JSON.
func listed(top []learner.NamedWeight) []learner.NamedWeight {
	return append([]learner.NamedWeight{}, top...)
}

// JSON writes the report as one JSON object.
func (r *Report) JSON(w io.Writer) error {
	d := document{Source: r.Source, Command: r.Command, Examples: r.Examples, Untrained: r.Untrained, Passes: r.Passes,
		Seconds:  r.Took.Seconds(),
		Rejected: named(r.Rejected), Baselines: r.Baselines, Labels: lateDocumentOf(r.Joined)}
	rowOf := r.binaryRowOf
	if r.Macro {
		rowOf, d.Baselines = r.classesRowOf, macroRowsOf(r.Baselines)
	}
	for i := range r.Learners {
		d.Learners = append(d.Learners, rowOf(&r.Learners[i]))
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(d)
}

func named(count map[event.Reason]int64) map[string]int64 {
	out := map[string]int64{}
	for reason, n := range count {
		out[reason.String()] = n
	}
	return out
}
