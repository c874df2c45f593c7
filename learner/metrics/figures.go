package metrics

import (
	"cmp"
	"slices"
)

// Confusion counts predictions by label. In fading figures the counts are sums of weights.
type Confusion struct {
	TruePositive  float64 `json:"truePositive"`
	FalsePositive float64 `json:"falsePositive"`
	TrueNegative  float64 `json:"trueNegative"`
	FalseNegative float64 `json:"falseNegative"`
}

// Figures tells how good predictions were, from 0 to 1 but for kappas and log-loss. A figure that would divide by 0
// is 0, but for RocAUC, which is absent. Of two labels, precision, recall and F1 are those of label +1; of several
// classes see Multiclass.
type Figures struct {
	Accuracy         float64   `json:"accuracy"`
	BalancedAccuracy float64   `json:"balancedAccuracy"` // mean recall of the labels that occurred
	Precision        float64   `json:"precision"`
	Recall           float64   `json:"recall"`
	F1               float64   `json:"f1"`
	Kappa            float64   `json:"kappa"`             // against chance with the same marginals (Cohen 1960)
	KappaM           float64   `json:"kappaM"`            // against majority (Bifet et al. 2015), up to 1
	KappaT           float64   `json:"kappaT"`            // against no-change (Žliobaitė et al. 2015), up to 1
	RocAUC           Optional  `json:"rocAuc,omitzero"`   // of the learner's scores of two labels; none of fading ones
	LogLoss          float64   `json:"logLoss,omitempty"` // mean of -ln of the label's probability; 0 is none
	Loss             float64   `json:"loss,omitempty"`    // the perceptron's, of two labels: -Σ y·s over the mistakes
	Confusion        Confusion `json:"confusion"`
}

func figuresOf(scope *[predictors]cells, p int) Figures {
	c := &scope[p]
	tn, fp, fn, tp := c[trueNegative], c[falsePositive], c[falseNegative], c[truePositive]
	total := c.total()
	accuracy := ratio(tp+tn, total)
	//mutation:kappa-chance
	chance := ratio(float64(c.positives()*(tp+fp))+float64(c.negatives()*(tn+fn)), total*total)
	return Figures{
		Accuracy:         accuracy,
		BalancedAccuracy: balanced(c),
		Precision:        ratio(tp, tp+fp),
		Recall:           ratio(tp, tp+fn),
		F1:               ratio(2*tp, 2*tp+fp+fn),
		Kappa:            beyond(accuracy, chance),
		KappaM:           beyond(accuracy, scope[majority].accuracy()),
		KappaT:           beyond(accuracy, scope[noChange].accuracy()),
		Confusion:        Confusion{TruePositive: tp, FalsePositive: fp, TrueNegative: tn, FalseNegative: fn},
	}
}

func (c *cells) accuracy() float64 { return ratio(c[truePositive]+c[trueNegative], c.total()) }

func balanced(c *cells) float64 {
	recall, specificity := ratio(c[truePositive], c.positives()), ratio(c[trueNegative], c.negatives())
	switch {
	case c.positives() == 0:
		return specificity
	case c.negatives() == 0:
		return recall
	}
	return (recall + specificity) / 2
}

// beyond is the share of the reference's mistakes that is avoided, negative for more mistakes.
func beyond(accuracy, reference float64) float64 { return ratio(accuracy-reference, 1-reference) }

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// auc is the chance that a positive example of the window scores higher than a negative one, ties counting half, from
// ranks (Mann and Whitney 1947). It is absent while one of the labels is missing.
func (s *Binary) auc() Optional {
	order := make([]int, s.filled)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(s.scores[a], s.scores[b]) })
	var wins, below float64 // pairs won, in halves; negatives with a lower score
	for i := 0; i < len(order); {
		var positives, negatives float64
		score := s.scores[order[i]]
		for ; i < len(order) && s.scores[order[i]] == score; i++ {
			if s.outcomes[order[i]].positive() {
				positives++
			} else {
				negatives++
			}
		}
		//mutation:auc-ties
		wins += float64(positives * (2*below + negatives))
		below += negatives
	}
	pairs := 2 * below * (float64(s.filled) - below)
	//mutation:auc-of-one-label
	if pairs == 0 {
		return Optional{}
	}
	return Known(wins / pairs)
}
