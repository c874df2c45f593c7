package metrics

import (
	"cmp"
	"math"
	"slices"
)

// MulticlassFigures says how good predictions of classes were. Where a figure would divide by 0 it is 0. The macro figures are means
// over the classes that occurred, as label or as prediction, each counting alike (scikit-learn's average="macro"). No class
// is none of them.
type MulticlassFigures struct {
	Accuracy         float64 `json:"accuracy"`          // 0 to 1
	BalancedAccuracy float64 `json:"balancedAccuracy"`  // mean recall of the labels that occurred, 0 to 1
	Precision        float64 `json:"precision"`         // macro, 0 to 1
	Recall           float64 `json:"recall"`            // macro, 0 to 1
	F1               float64 `json:"f1"`                // macro, 0 to 1
	Kappa            float64 `json:"kappa"`             // against chance with the same marginals (Cohen 1960), -1 to 1
	KappaM           float64 `json:"kappaM"`            // against the majority baseline, up to 1
	KappaT           float64 `json:"kappaT"`            // against the no-change baseline, up to 1
	LogLoss          float64 `json:"logLoss,omitempty"` // as in Figures
}

// MulticlassRow is what is reported of one predictor. The figures at its top are over all examples.
type MulticlassRow struct {
	Name     string `json:"name,omitempty"`
	Examples int64  `json:"examples"`
	Mistakes int64  `json:"mistakes"`
	MulticlassFigures
	Last   MulticlassFigures `json:"last"`   // over the last Window examples
	Fading MulticlassFigures `json:"fading"` // with weights falling by Fade
}

// ConfusionCount is an entry of the confusion matrix: how often label was right and prediction was said. Both are classes' numbers, -1
// for none.
type ConfusionCount struct {
	Label      int     `json:"label"`
	Prediction int     `json:"prediction"`
	Count      float64 `json:"count"`
	Fading     float64 `json:"fading"` // with weights falling by Fade
}

// MulticlassReport is a MultiScore in words.
type MulticlassReport struct {
	MulticlassRow
	Predictions int64            `json:"answered"`  // examples with and without a label
	Updates     int64            `json:"updates"`   // steps of binary learners; of direct, examples that changed weights
	R           float64          `json:"R"`         // largest ‖(x, 1)‖ given to AddNorm
	Baselines   []MulticlassRow  `json:"baselines"` // "no-change" and "majority"
	Confusion   []ConfusionCount `json:"confusion"` // what occurred, by label and then by prediction
}

// Report computes all figures, at a cost of the number of classes and of confusions.
func (s *Multiclass) Report() MulticlassReport {
	r := s.Overview()
	r.Confusion = make([]ConfusionCount, len(s.cells))
	for i, c := range s.cells {
		r.Confusion[i] = ConfusionCount{Label: int(c.label) - 1, Prediction: int(c.guess) - 1, Count: c.all, Fading: c.fading / s.scale}
	}
	slices.SortFunc(r.Confusion, func(a, b ConfusionCount) int {
		return cmp.Or(cmp.Compare(a.Label, b.Label), cmp.Compare(a.Prediction, b.Prediction))
	})
	return r
}

// Overview is the Report without its confusion matrix, at a cost of the number of classes.
func (s *Multiclass) Overview() MulticlassReport {
	row := s.row("", learned)
	row.LogLoss, row.Last.LogLoss, row.Fading.LogLoss = s.losses.mean(s.next)
	return MulticlassReport{
		MulticlassRow: row,
		Predictions:   s.answered,
		Updates:       s.updates,
		R:             math.Sqrt(s.norm),
		Baselines:     []MulticlassRow{s.row("no-change", noChange), s.row("majority", majority)},
	}
}

func (s *Multiclass) row(name string, p int) MulticlassRow {
	return MulticlassRow{
		Name:              name,
		Examples:          int64(s.all.total),
		Mistakes:          int64(s.all.total - sumOf(s.all.hits[p])),
		MulticlassFigures: s.all.figures(p),
		Last:              s.last.figures(p),
		Fading:            s.fading.figures(p),
	}
}

// figures computes predictor p's figures. They are ratios, so that the unit of the counts does not matter.
func (t *tally) figures(p int) MulticlassFigures {
	var f MulticlassFigures
	var occurred, labels, chance float64
	for c, label := range t.labels {
		guess, hit := t.guesses[p][c], t.hits[p][c]
		chance += float64(ratio(label, t.total) * ratio(guess, t.total))
		if c == 0 || label == 0 && guess == 0 {
			continue
		}
		occurred++
		f.Precision += ratio(hit, guess)
		f.Recall += ratio(hit, label)
		f.F1 += ratio(2*hit, label+guess)
		if label > 0 {
			labels++
		}
	}
	f.Accuracy = t.accuracy(p)
	f.BalancedAccuracy = ratio(f.Recall, labels)
	f.Precision, f.Recall, f.F1 = ratio(f.Precision, occurred), ratio(f.Recall, occurred), ratio(f.F1, occurred)
	f.Kappa = beyond(f.Accuracy, chance)
	f.KappaM = beyond(f.Accuracy, t.accuracy(majority))
	f.KappaT = beyond(f.Accuracy, t.accuracy(noChange))
	return f
}

func (t *tally) accuracy(p int) float64 { return ratio(sumOf(t.hits[p]), t.total) }
