package metrics

// rareOf is from how many examples for one of the rarer label on accuracy and kappas say little.
const rareOf = 10

// Rare returns the share of the rarer of two labels where it is under a tenth of the examples, and whether that is the
// positive one.
func (f *Figures) Rare() (share float64, positive, rare bool) {
	c := &f.Confusion
	positives, negatives := c.TruePositive+c.FalseNegative, c.TrueNegative+c.FalsePositive
	few, all := min(positives, negatives), positives+negatives
	if few == 0 || rareOf*few >= all {
		return 0, false, false
	}
	return few / all, positives < negatives, true
}
