package metrics

import (
	"cmp"
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
	r.LeftOut = int64(sumOf(s.left))
	return r
}

func (s *Multiclass) row(name string, p int) Row {
	return Row{
		Name:     name,
		Examples: int64(s.all.total),
		Mistakes: int64(s.all.total - sumOf(s.all.hits(p))),
		Figures:  s.all.figures(p),
		Last:     s.last.figures(p),
		Fading:   s.fading.figures(p),
	}
}

// figures are ratios, so the unit of the counts does not matter.
func (t *tally) figures(p int) Figures {
	var f Figures
	var occurred, labels, chance float64
	for c, label := range t.labels() {
		predicted, hit := t.predicted(p)[c], t.hits(p)[c]
		chance += float64(ratio(label, t.total) * ratio(predicted, t.total))
		if c == 0 || label == 0 && predicted == 0 {
			continue
		}
		occurred++
		f.Precision += ratio(hit, predicted)
		f.Recall += ratio(hit, label)
		f.F1 += ratio(2*hit, label+predicted)
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

func (t *tally) accuracy(p int) float64 { return ratio(sumOf(t.hits(p)), t.total) }
