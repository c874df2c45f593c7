package replay

// Bin is a tenth of the probabilities that a learner gave, beside what came of it: to the positive label, or, of several classes, to
// the class it answered.
type Bin struct {
	Examples    int64   `json:"examples"`
	Positives   int64   `json:"positives"`   // of them with the positive label; of several classes, those answered right
	Probability float64 `json:"probability"` // the mean given, 0 to 1
}

// Share is how often it came so, 0 to 1.
func (b Bin) Share() float64 {
	if b.Examples == 0 {
		return 0
	}
	return float64(b.Positives) / float64(b.Examples)
}

// bins is how many bins a calibration has.
const bins = 10

// calibration holds the probabilities given against what came (reliability diagram: Murphy and Winkler 1977; of several classes:
// Guo et al., On Calibration of Modern Neural Networks, 2017).
type calibration struct {
	bins [bins]struct {
		examples, positives int64
		sum                 float64
	}
	examples int64
}

// add counts an example that was given probability p for what came, or not.
func (c *calibration) add(p float64, came bool) {
	b := &c.bins[min(max(int(p*bins), 0), bins-1)]
	b.examples++
	b.sum += p
	if came {
		b.positives++
	}
	c.examples++
}

// list gives the bins, nil when no probability was ever given.
func (c *calibration) list() []Bin {
	if c.examples == 0 {
		return nil
	}
	var out []Bin
	for _, b := range c.bins {
		bin := Bin{Examples: b.examples, Positives: b.positives}
		if b.examples > 0 {
			bin.Probability = b.sum / float64(b.examples)
		}
		out = append(out, bin)
	}
	return out
}
