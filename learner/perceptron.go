package learner

// Sign is the prediction that goes with a score: +1 from 0 up, else -1.
func Sign(score float64) int8 {
	if score >= 0 {
		return 1
	}
	return -1
}

// rule is the perceptron's: it decides whether an example moves the weights and how far (Rosenblatt 1958; with a threshold,
// Krauth and Mézard 1987). It sees the score and no weight, so it can be tried before anything changes.
type rule struct {
	rate      float64
	threshold float64
	onMistake bool // learn from wrong predictions only, and let the threshold be
}

func newRule(s Spec) rule {
	return rule{rate: s.Rate, threshold: s.Threshold, onMistake: s.Update == UpdateMistake}
}

// step returns the factor with which (x, 1) is added to (w, b), and whether the learner updates at all. The two update modes
// differ at score 0: there +1 is predicted, and with label +1 only the threshold's mode learns.
func (r rule) step(score float64, label int8, weight float64) (factor float64, updated bool) {
	y := float64(label)
	if r.onMistake {
		updated = Sign(score) != label
	} else {
		updated = y*score <= r.threshold
	}
	if !updated || weight == 0 {
		return 0, false
	}
	return y * float64(r.rate*weight), true
}
