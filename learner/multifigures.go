package learner

import (
	"cmp"
	"math"
	"slices"
)

// MultiFigures says how good predictions of classes were. Where a figure would divide by 0 it is 0. The macro figures are means
// over the classes that occurred, as label or as prediction, each counting alike (scikit-learn's average="macro"). No class
// is none of them.
type MultiFigures struct {
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

// MultiRow is what is reported of one predictor. The figures at its top are over all examples.
type MultiRow struct {
	Name     string `json:"name,omitempty"`
	Examples int64  `json:"examples"`
	Mistakes int64  `json:"mistakes"`
	MultiFigures
	Last   MultiFigures `json:"last"`   // over the last Window examples
	Fading MultiFigures `json:"fading"` // with weights falling by Fade
}

// Confused is an entry of the confusion matrix: how often label was right and prediction was said. Both are classes' numbers, -1
// for none.
type Confused struct {
	Label      int     `json:"label"`
	Prediction int     `json:"prediction"`
	Count      float64 `json:"count"`
	Fading     float64 `json:"fading"` // with weights falling by Fade
}

// MultiReport is a MultiScore in words.
type MultiReport struct {
	MultiRow
	Answered  int64      `json:"answered"`  // examples with and without a label
	Updates   int64      `json:"updates"`   // steps of binary learners; of direct, examples that changed weights
	R         float64    `json:"R"`         // largest ‖(x, 1)‖ given to AddNorm
	Baselines []MultiRow `json:"baselines"` // "no-change" and "majority"
	Confusion []Confused `json:"confusion"` // what occurred, by label and then by prediction
}

// Report computes all figures, at a cost of the number of classes and of confusions.
func (s *MultiScore) Report() MultiReport {
	r := s.Overview()
	r.Confusion = make([]Confused, len(s.cells))
	for i, c := range s.cells {
		r.Confusion[i] = Confused{Label: int(c.label) - 1, Prediction: int(c.guess) - 1, Count: c.all, Fading: c.fading / s.scale}
	}
	slices.SortFunc(r.Confusion, func(a, b Confused) int {
		return cmp.Or(cmp.Compare(a.Label, b.Label), cmp.Compare(a.Prediction, b.Prediction))
	})
	return r
}

// Overview is the Report without its confusion matrix, at a cost of the number of classes.
func (s *MultiScore) Overview() MultiReport {
	row := s.row("", learned)
	row.LogLoss, row.Last.LogLoss, row.Fading.LogLoss = s.losses.mean(s.next)
	return MultiReport{
		MultiRow:  row,
		Answered:  s.answered,
		Updates:   s.updates,
		R:         math.Sqrt(s.norm),
		Baselines: []MultiRow{s.row("no-change", noChange), s.row("majority", majority)},
	}
}

func (s *MultiScore) row(name string, p int) MultiRow {
	return MultiRow{
		Name:         name,
		Examples:     int64(s.all.total),
		Mistakes:     int64(s.all.total - sumOf(s.all.hits[p])),
		MultiFigures: s.all.figures(p),
		Last:         s.last.figures(p),
		Fading:       s.fading.figures(p),
	}
}

// figures computes predictor p's figures. They are ratios, so that the unit of the counts does not matter.
func (t *tally) figures(p int) MultiFigures {
	var f MultiFigures
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
