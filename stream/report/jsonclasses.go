package report

import (
	"rosenblatt/learner"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/replay"
)

// classesRow is one learner of several classes in the JSON. Its figures are macro means where those of two labels are about the
// positive one.
type classesRow struct {
	metrics.MulticlassReport
	Scheme      string                  `json:"scheme"`
	Baselines   []metrics.MulticlassRow `json:"baselines,omitempty"` // hides the learner's own: they stand at the top
	Confusion   []confusedRow           `json:"confusion"`           // hides the one that has numbers
	Classes     []classRow              `json:"classes"`
	Rejected    map[string]int64        `json:"rejected"`
	Collisions  int                     `json:"collisions"`
	Calibration []replay.Bin            `json:"calibration,omitempty"` // of the class answered
}

// confusedRow says how often a class was answered to examples of another one, or the same. A class is null where there was none.
type confusedRow struct {
	Label      *string `json:"label"`
	Prediction *string `json:"prediction"`
	Count      float64 `json:"count"`
	Fading     float64 `json:"fading"`
}

type classRow struct {
	Class     string                `json:"class"`
	Examples  float64               `json:"examples"`
	Answered  float64               `json:"answered"`
	Precision float64               `json:"precision"`
	Recall    float64               `json:"recall"`
	F1        float64               `json:"f1"`
	Bias      float64               `json:"bias"`
	Top       []learner.NamedWeight `json:"top"`
}

func newClassesRow(l *Learner) classesRow {
	row := classesRow{MulticlassReport: *l.Multi, Scheme: l.Scheme, Rejected: named(l.Rejected), Collisions: l.Collisions,
		Calibration: l.Calibration, Confusion: []confusedRow{}, Classes: []classRow{}}
	row.Name = l.Name
	names := make(map[int]*string, len(l.Classes))
	for i := range l.Classes {
		c := &l.Classes[i]
		names[c.Number] = &c.Name
		top := c.Top
		if top == nil {
			top = []learner.NamedWeight{}
		}
		row.Classes = append(row.Classes, classRow{c.Name, c.Labelled, c.Answered, c.Precision(), c.Recall(), c.F1(), c.Bias, top})
	}
	for _, c := range l.Multi.Confusion {
		row.Confusion = append(row.Confusion, confusedRow{names[c.Label], names[c.Prediction], c.Count, c.Fading})
	}
	return row
}
