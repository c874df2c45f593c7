package report

import (
	"encoding/json"
	"io"

	"rosenblatt/learner"
	"rosenblatt/stream/decode"
	"rosenblatt/stream/replay"
)

// document is the JSON of a report (design, section 7).
type document struct {
	Source    string           `json:"source"`
	Command   string           `json:"command"`
	Examples  int64            `json:"examples"` // answered in all passes
	Passes    int              `json:"passes"`
	Seconds   float64          `json:"seconds"`
	Rejected  map[string]int64 `json:"rejected"` // by reason, what every learner rejects
	Baselines []learner.Row    `json:"baselines"`
	Learners  []documentRow    `json:"learners"` // best first
}

// documentRow is one learner in the JSON.
type documentRow struct {
	learner.Report
	Baselines   []learner.Row         `json:"baselines,omitempty"` // hides the learner's own: they stand at the top
	Rejected    map[string]int64      `json:"rejected"`
	Bias        float64               `json:"bias"`
	Top         []learner.NamedWeight `json:"top"`
	Collisions  int                   `json:"collisions"`
	LogLoss     *float64              `json:"logLoss,omitempty"`
	Calibration []replay.Bin          `json:"calibration,omitempty"`
}

// JSON writes the report as one JSON object.
func (r *Report) JSON(w io.Writer) error {
	d := document{Source: r.Source, Command: r.Command, Examples: r.Examples, Passes: r.Passes, Seconds: r.Took.Seconds(),
		Rejected: named(r.Rejected), Baselines: r.Baselines}
	for i := range r.Learners {
		l := &r.Learners[i]
		row := documentRow{Report: l.Report, Rejected: named(l.Rejected), Bias: l.Bias, Top: l.Top, Collisions: l.Collisions, Calibration: l.Calibration}
		if l.Calibration != nil {
			row.LogLoss = &l.LogLoss
		}
		if row.Top == nil {
			row.Top = []learner.NamedWeight{}
		}
		d.Learners = append(d.Learners, row)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(d)
}

func named(count map[decode.Reason]int64) map[string]int64 {
	out := map[string]int64{}
	for reason, n := range count {
		out[reason.String()] = n
	}
	return out
}
