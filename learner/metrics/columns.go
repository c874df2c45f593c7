package metrics

import "strconv"

// Column is one of Figures, as outputs name, explain and write it.
type Column struct {
	Name   string // lower case with underscores
	Title  string // in tables
	Help   string
	Kind   Kind
	Better int // 1: a larger value is better, -1: a smaller one, 0: neither
	Of     func(*Figures) Optional
}

// Kind is how a figure is written.
type Kind int

const (
	Ratio Kind = iota // with four decimals
	Count
	Sum
	Money // with one decimal
)

// Columns are all figures, in the order of tables.
var Columns = []Column{
	{"accuracy", "accuracy", "share of labelled examples predicted correctly before they were learned, 0 to 1",
		Ratio, 1, func(f *Figures) Optional { return f.Accuracy }},
	{"balanced_accuracy", "balanced", "mean recall of the labels", Ratio, 1,
		func(f *Figures) Optional { return f.BalancedAccuracy }},
	{"precision", "precision", "share of what was predicted positive that was; the mean of several classes", Ratio, 1,
		func(f *Figures) Optional { return f.Precision }},
	{"recall", "recall", "share of what was positive that was predicted so; the mean of several classes", Ratio, 1,
		func(f *Figures) Optional { return f.Recall }},
	{"f1", "F1", "harmonic mean of precision and recall", Ratio, 1, func(f *Figures) Optional { return f.F1 }},
	{"specificity", "specificity", "share of what was negative that was predicted so", Ratio, 1,
		func(f *Figures) Optional { return f.Specificity }},
	{"matthews", "Matthews", "correlation of label and prediction, -1 to 1", Ratio, 1,
		func(f *Figures) Optional { return f.Matthews }},
	{"kappa", "kappa", "share of the mistakes of chance that is avoided", Ratio, 1,
		func(f *Figures) Optional { return f.Kappa }},
	{"kappa_m", "kappa-M", "share of the mistakes of the baseline majority that is avoided", Ratio, 1,
		func(f *Figures) Optional { return f.KappaM }},
	{"kappa_t", "kappa-T", "share of the mistakes of the baseline no-change that is avoided", Ratio, 1,
		func(f *Figures) Optional { return f.KappaT }},
	{"roc_auc", "AUC", "area under the ROC curve of the scores of two labels, 0 to 1", Ratio, 1,
		func(f *Figures) Optional { return f.RocAUC }},
	{"average_precision", "AP", "average precision of the scores of two labels, 0 to 1; positives is chance", Ratio, 1,
		func(f *Figures) Optional { return f.AveragePrecision }},
	{"positives", "positives", "share of the positive label", Ratio, 0,
		func(f *Figures) Optional { return f.Positives }},
	{"predicted_positives", "predicted", "share that was predicted positive", Ratio, 0,
		func(f *Figures) Optional { return f.Predicted }},
	{"log_loss", "log-loss", "mean of -ln of the probability given to the label, for a learner that gives one", Ratio,
		-1, func(f *Figures) Optional { return f.LogLoss }},
	{"brier", "Brier", "mean squared distance of the probability of the positive label from 1 or 0", Ratio, -1,
		func(f *Figures) Optional { return f.Brier }},
	{"calibration_error", "calibration error", "expected calibration error of probabilities, by 15 equal bins", Ratio,
		-1, func(f *Figures) Optional { return f.CalibrationError }},
	{"expected_positives", "expected", "sum of the probabilities of the positive label over how often it came",
		Ratio, 0, func(f *Figures) Optional { return f.ExpectedPositives }},
	{"weighted_precision", "weighted precision", "mean precision of several classes, by their examples", Ratio, 1,
		func(f *Figures) Optional { return f.WeightedPrecision }},
	{"weighted_recall", "weighted recall", "mean recall of several classes, by their examples", Ratio, 1,
		func(f *Figures) Optional { return f.WeightedRecall }},
	{"weighted_f1", "weighted F1", "mean F1 of several classes, by their examples", Ratio, 1,
		func(f *Figures) Optional { return f.WeightedF1 }},
	{"loss", "loss", "sum of -label·score over wrong predictions of two labels: steps of the perceptron descend it",
		Sum, 0, func(f *Figures) Optional { return f.Loss }},
	{"true_positives", "true positives", "positive, predicted so", Count, 0,
		func(f *Figures) Optional { return f.Confusion.count(f.Confusion.TruePositive) }},
	{"false_positives", "false positives", "negative, predicted positive", Count, 0,
		func(f *Figures) Optional { return f.Confusion.count(f.Confusion.FalsePositive) }},
	{"false_negatives", "false negatives", "positive, predicted negative", Count, 0,
		func(f *Figures) Optional { return f.Confusion.count(f.Confusion.FalseNegative) }},
	{"true_negatives", "true negatives", "negative, predicted so", Count, 0,
		func(f *Figures) Optional { return f.Confusion.count(f.Confusion.TrueNegative) }},
}

// count is one of the four counts, which several classes do not have.
func (c *Confusion) count(n float64) Optional {
	if *c == (Confusion{}) {
		return Optional{}
	}
	return Known(n)
}

// Text writes the figure, or what stands for an absent one.
func (c *Column) Text(f *Figures, absent string) string {
	x, known := c.Of(f).Get()
	switch {
	case !known:
		return absent
	case c.Kind == Count:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case c.Kind == Money:
		return strconv.FormatFloat(x, 'f', 1, 64)
	case c.Kind == Sum:
		return strconv.FormatFloat(x, 'g', 6, 64)
	}
	return strconv.FormatFloat(x, 'f', 4, 64)
}

// Named returns the columns of these names, in that order.
func Named(names ...string) []Column {
	out := make([]Column, len(names))
	for i, name := range names {
		for _, c := range Columns {
			if c.Name == name {
				out[i] = c
			}
		}
	}
	return out
}
