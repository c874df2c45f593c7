package metrics

import "math"

// Confusion counts predictions by label. In fading figures the counts are sums of weights.
type Confusion struct {
	TruePositive  float64 `json:"truePositive"`
	FalsePositive float64 `json:"falsePositive"`
	TrueNegative  float64 `json:"trueNegative"`
	FalseNegative float64 `json:"falseNegative"`
}

// Figures tells how good predictions were, from 0 to 1 but for kappas, losses, Matthews and ExpectedPositives. What the
// examples do not give is absent: what would divide by 0, and figures of scores and probabilities where there are none.
// Of two labels, precision, recall and F1 are those of label +1; of several classes see Multiclass.
type Figures struct {
	Accuracy         Optional `json:"accuracy,omitzero"`
	BalancedAccuracy Optional `json:"balancedAccuracy,omitzero"` // mean recall; of two labels, where both occurred
	Precision        Optional `json:"precision,omitzero"`
	Recall           Optional `json:"recall,omitzero"`
	F1               Optional `json:"f1,omitzero"`
	Specificity      Optional `json:"specificity,omitzero"` // recall of label -1
	Matthews         Optional `json:"matthews,omitzero"`    // correlation of label and prediction (Gorodkin 2004)
	Positives        Optional `json:"positives,omitzero"`   // share of label +1
	Predicted        Optional `json:"predictedPositives,omitzero"`
	Kappa            Optional `json:"kappa,omitzero"`  // against chance with the same marginals (Cohen 1960)
	KappaM           Optional `json:"kappaM,omitzero"` // against majority (Bifet et al. 2015), up to 1
	KappaT           Optional `json:"kappaT,omitzero"` // against no-change (Žliobaitė et al. 2015), up to 1

	// Of the learner's scores of two labels; none of fading ones.
	RocAUC           Optional `json:"rocAuc,omitzero"`
	AveragePrecision Optional `json:"averagePrecision,omitzero"` // not interpolated; by chance it is Positives

	// Of probabilities. All but LogLoss are of two labels.
	LogLoss           Optional `json:"logLoss,omitzero"` // mean of -ln of the label's probability
	Brier             Optional `json:"brier,omitzero"`   // mean of (p-y)²: p is that of label +1, y is 1 or 0
	CalibrationError  Optional `json:"calibrationError,omitzero"`
	ExpectedPositives Optional `json:"expectedPositives,omitzero"` // the sum of p over the number of labels +1

	// Means over several classes, weighted by how often each was the label.
	WeightedPrecision Optional `json:"weightedPrecision,omitzero"`
	WeightedRecall    Optional `json:"weightedRecall,omitzero"`
	WeightedF1        Optional `json:"weightedF1,omitzero"`

	Loss      Optional  `json:"loss,omitzero"` // the perceptron's, of two labels: -Σ y·s over the mistakes
	Confusion Confusion `json:"confusion"`
}

func figuresOf(scope *[predictors]cells, p int) Figures {
	c := &scope[p]
	tn, fp, fn, tp := c[trueNegative], c[falsePositive], c[falseNegative], c[truePositive]
	total := c.total()
	accuracy := Quotient(tp+tn, total)
	//mutation:kappa-chance
	chance := Quotient(float64(c.positives()*(tp+fp))+float64(c.negatives()*(tn+fn)), total*total)
	f := Figures{
		Accuracy:    accuracy,
		Precision:   Quotient(tp, tp+fp),
		Recall:      Quotient(tp, tp+fn),
		F1:          Quotient(2*tp, 2*tp+fp+fn),
		Specificity: Quotient(tn, tn+fp),
		Positives:   Quotient(c.positives(), total),
		Predicted:   Quotient(tp+fp, total),
		Kappa:       beyond(accuracy, chance),
		KappaM:      beyond(accuracy, scope[majority].accuracy()),
		KappaT:      beyond(accuracy, scope[noChange].accuracy()),
		Confusion:   Confusion{TruePositive: tp, FalsePositive: fp, TrueNegative: tn, FalseNegative: fn},
	}
	//mutation:matthews
	spread := math.Sqrt((tp+fp)*(tn+fn)) * math.Sqrt(c.positives()*c.negatives())
	f.Matthews = Quotient(float64(tp*tn)-float64(fp*fn), spread)
	if f.Recall.known && f.Specificity.known {
		f.BalancedAccuracy = Known((f.Recall.value + f.Specificity.value) / 2)
	}
	return f
}

func (c *cells) accuracy() Optional { return Quotient(c[truePositive]+c[trueNegative], c.total()) }

// beyond is the share of the reference's mistakes that is avoided, negative for more mistakes. A reference without
// mistakes has none to avoid.
func beyond(accuracy, reference Optional) Optional {
	if !accuracy.known || !reference.known {
		return Optional{}
	}
	return Quotient(accuracy.value-reference.value, 1-reference.value)
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
