package report

import (
	"rosenblatt/learner"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/model"
	"rosenblatt/stream/replay"
)

// macroFigures are macro averages, without the confusion of two labels.
type macroFigures struct {
	metrics.Figures
	Confusion *metrics.Confusion `json:"confusion,omitempty"` // nil: hides that of Figures
}

type macroRow struct {
	Name     string `json:"name,omitempty"`
	Examples int64  `json:"examples"`
	Mistakes int64  `json:"mistakes"`
	macroFigures
	Last      macroFigures `json:"last"`
	Last10000 macroFigures `json:"last10000"`
	Fading    macroFigures `json:"fading"`
}

func macroRowOf(r *metrics.Row) macroRow {
	return macroRow{Name: r.Name, Examples: r.Examples, Mistakes: r.Mistakes,
		macroFigures: macroFigures{Figures: r.Figures}, Last: macroFigures{Figures: r.Last},
		Last10000: macroFigures{Figures: r.Last10000}, Fading: macroFigures{Figures: r.Fading}}
}

func macroRowsOf(rows []metrics.Row) []macroRow {
	out := make([]macroRow, len(rows))
	for i := range rows {
		out[i] = macroRowOf(&rows[i])
	}
	return out
}

type classesRow struct {
	macroRow
	Predictions int64              `json:"answered"`
	Updates     int64              `json:"updates"`
	R           float64            `json:"R"`
	Scheme      string             `json:"scheme"`
	Confusion   []confusedRow      `json:"confusion"`
	Classes     []classRow         `json:"classes"`
	ByLabel     []labelCount       `json:"byLabel"`
	Rejected    map[string]int64   `json:"rejected"`
	Collisions  int                `json:"collisions"`
	Drift       *model.DriftReport `json:"drift,omitempty"`
	Calibration []replay.Bin       `json:"calibration,omitempty"` // of the predicted class
}

// confusedRow counts predictions of a class for another. A class is null for model.None.
type confusedRow struct {
	Label      *string `json:"label"`
	Prediction *string `json:"prediction"`
	Count      float64 `json:"count"`
	Fading     float64 `json:"fading"`
}

type classRow struct {
	Class     string                `json:"class"`
	Examples  float64               `json:"examples"`
	Predicted float64               `json:"answered"`
	Precision metrics.Optional      `json:"precision,omitzero"`
	Recall    metrics.Optional      `json:"recall,omitzero"`
	F1        metrics.Optional      `json:"f1,omitzero"`
	Last      metrics.ClassFigures  `json:"last"`
	Last10000 metrics.ClassFigures  `json:"last10000"`
	Fading    metrics.ClassFigures  `json:"fading"`
	Bias      float64               `json:"bias"`
	Top       []learner.NamedWeight `json:"top"`
}

func (r *Report) classesRowOf(l *Learner) any {
	row := classesRow{macroRow: macroRowOf(&l.Row), Predictions: l.Predictions, Updates: l.Updates, R: l.R,
		Scheme: l.Scheme, Rejected: named(l.Rejected), Collisions: l.Collisions,
		Calibration: l.Calibration, Drift: l.Drift, Confusion: []confusedRow{}, Classes: []classRow{},
		ByLabel: append([]labelCount{}, r.byLabel(l)...)}
	row.Name = l.Name
	names := make(map[int]*string, len(l.Classes))
	for i := range l.Classes {
		c := &l.Classes[i]
		names[c.Number] = &c.Name
		row.Classes = append(row.Classes, classRow{c.Name, c.Labelled, c.Predicted, c.Precision(), c.Recall(), c.F1(),
			c.Scopes[1].Figures(), c.Scopes[2].Figures(), c.Scopes[3].Figures(), c.Bias, listed(c.Top)})
	}
	for _, c := range l.Matrix {
		row.Confusion = append(row.Confusion, confusedRow{names[c.Label], names[c.Prediction], c.Count, c.Fading})
	}
	return row
}
