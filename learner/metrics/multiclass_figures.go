package metrics

import (
	"cmp"
	"math"
	"slices"
)

// ConfusionCount is an entry of the confusion matrix. Label and prediction are numbers of classes, -1 for none.
type ConfusionCount struct {
	Label      int     `json:"label"`
	Prediction int     `json:"prediction"`
	Count      float64 `json:"count"`
	Fading     float64 `json:"fading"` // with weights falling by Fade
}

// Confusion is the confusion matrix: the pairs that occurred, by label and then by prediction.
func (s *Multiclass) Confusion() []ConfusionCount {
	counts := make([]ConfusionCount, len(s.cells))
	for i, c := range s.cells {
		counts[i] = ConfusionCount{int(c.label) - 1, int(c.prediction) - 1, c.all, c.fading / s.scale}
	}
	slices.SortFunc(counts, func(a, b ConfusionCount) int {
		return cmp.Or(cmp.Compare(a.Label, b.Label), cmp.Compare(a.Prediction, b.Prediction))
	})
	return counts
}

// Report computes all figures, in time proportional to the number of classes. There is no AUC, and Confusion stays 0.
func (s *Multiclass) Report() Report {
	r := s.report(s.row)
	s.setProbabilities(&r.Row, nil)
	r.LeftOut = int64(sumOf(s.left))
	return r
}

func (s *Multiclass) row(name string, p int) Row {
	return Row{
		Name:      name,
		Examples:  int64(s.all.total),
		Mistakes:  int64(s.all.total - sumOf(s.all.hits(p))),
		Figures:   s.all.figures(p),
		Last:      s.last.figures(p),
		Last10000: s.long.figures(p),
		Fading:    s.fading.figures(p),
	}
}

// classMeans sums up what means over classes are of.
type classMeans struct {
	precision, recall, f1 float64
}

func (m *classMeans) add(hit, label, predicted, weight float64) {
	m.precision += float64(weight * ratio(hit, predicted))
	m.recall += float64(weight * ratio(hit, label))
	m.f1 += float64(weight * ratio(2*hit, label+predicted))
}

// figures are ratios, so the unit of the counts does not matter.
func (t *tally) figures(p int) Figures {
	var macro, weighted classMeans
	var occurred, labels, known, chance, labelSquares, predictedSquares float64
	for c, label := range t.labels() {
		predicted, hit := t.predicted(p)[c], t.hits(p)[c]
		of, as := ratio(label, t.total), ratio(predicted, t.total)
		chance += float64(of * as)
		labelSquares += float64(of * of)
		predictedSquares += float64(as * as)
		if c == 0 || label == 0 && predicted == 0 {
			continue
		}
		occurred++
		known += label
		macro.add(hit, label, predicted, 1)
		weighted.add(hit, label, predicted, label)
		if label > 0 {
			labels++
		}
	}
	f := Figures{
		Accuracy:          t.accuracy(p),
		BalancedAccuracy:  Quotient(macro.recall, labels),
		Precision:         Quotient(macro.precision, occurred),
		Recall:            Quotient(macro.recall, occurred),
		F1:                Quotient(macro.f1, occurred),
		WeightedPrecision: Quotient(weighted.precision, known),
		WeightedRecall:    Quotient(weighted.recall, known),
		WeightedF1:        Quotient(weighted.f1, known),
	}
	if f.Accuracy.known {
		//mutation:matthews-of-classes
		f.Matthews = Quotient(f.Accuracy.value-chance, math.Sqrt(max(0, 1-labelSquares))*
			math.Sqrt(max(0, 1-predictedSquares)))
		f.Kappa = beyond(f.Accuracy, Known(chance))
	}
	f.KappaM = beyond(f.Accuracy, t.accuracy(majority))
	f.KappaT = beyond(f.Accuracy, t.accuracy(noChange))
	return f
}

func (t *tally) accuracy(p int) Optional { return Quotient(sumOf(t.hits(p)), t.total) }
