package replay

// Bin compares a tenth of the range of probabilities with outcomes: of the positive label, or of several classes of the
// predicted one.
type Bin struct {
	Examples    int64   `json:"examples"`
	Positives   int64   `json:"positives"`   // with the positive label; of several classes, predicted correctly
	Probability float64 `json:"probability"` // the mean predicted, 0 to 1
}

// Share is the share of positives, 0 to 1.
func (b Bin) Share() float64 { return float64(b.Positives) / float64(max(b.Examples, 1)) }

const bins = 10

// calibration is a reliability diagram (Murphy and Winkler 1977; of several classes: Guo et al., On Calibration of
// Modern Neural Networks, 2017).
type calibration struct {
	bins     [bins]Bin // their probabilities added up
	examples int64
}

func (c *calibration) add(p float64, positive bool) {
	b := &c.bins[min(max(int(p*bins), 0), bins-1)]
	b.Examples++
	b.Probability += p
	if positive {
		b.Positives++
	}
	c.examples++
}

// list returns the bins, nil without examples.
func (c *calibration) list() []Bin {
	if c.examples == 0 {
		return nil
	}
	out := c.bins
	for i := range out {
		out[i].Probability /= float64(max(out[i].Examples, 1))
	}
	return out[:]
}
