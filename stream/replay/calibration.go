package replay

import "math"

// Bin is a tenth of the probabilities that a learner gave to the positive label, beside what came of it.
type Bin struct {
	Examples    int64   `json:"examples"`
	Positives   int64   `json:"positives"`   // of them
	Probability float64 `json:"probability"` // the mean given to the positive label, 0 to 1
}

// Share is how often the positive label came, 0 to 1.
func (b Bin) Share() float64 {
	if b.Examples == 0 {
		return 0
	}
	return float64(b.Positives) / float64(b.Examples)
}

// bins is how many bins a calibration has.
const bins = 10

// calibration holds the probabilities given against the labels that came (reliability diagram: Murphy and Winkler 1977).
type calibration struct {
	bins [bins]struct {
		examples, positives int64
		sum                 float64
	}
	examples int64
	loss     float64 // sum of -ln of the probability given to the label that came
}

// least is the smallest probability that log-loss reckons with: a certain error would make it infinite.
const least = 1e-15

// add counts an example with label -1 or 1 whose positive label was given probability p.
func (c *calibration) add(p float64, label int8) {
	b := &c.bins[min(max(int(p*bins), 0), bins-1)]
	b.examples++
	b.sum += p
	given := 1 - p
	if label > 0 {
		b.positives++
		given = p
	}
	c.examples++
	c.loss -= math.Log(max(given, least))
}

// logLoss is the mean loss, 0 without probabilities.
func (c *calibration) logLoss() float64 {
	if c.examples == 0 {
		return 0
	}
	return c.loss / float64(c.examples)
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
