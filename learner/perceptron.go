package learner

// Sign is the prediction of a score: +1 from 0 up, else -1.
func Sign(score float64) int8 {
	//mutation:sign-of-zero
	if score >= 0 {
		return 1
	}
	return -1
}

// rule decides which examples the perceptron learns from (Rosenblatt 1958; with a threshold, Krauth and Mézard 1987).
// The two kinds differ at score 0, where +1 is predicted: with label +1 only the threshold's kind learns.
type rule struct {
	threshold float64
	onMistake bool // learn from wrong predictions only; no threshold
}

func newRule(s Spec) rule { return rule{threshold: s.Threshold, onMistake: s.Update == UpdateMistake} }

func (r rule) due(score, label float64) bool {
	if r.onMistake {
		return float64(Sign(score)) != label
	}
	return label*score <= r.threshold
}

// perceptron adds rate·weight·y·(x, 1) to (w, b) whenever its rule says so.
type perceptron struct {
	additive
	rule
	schedule
	regularizer
}

func newPerceptron(s Spec, slots int) method {
	return &perceptron{rule: newRule(s), schedule: schedule{s.Rate, s.Decay}, regularizer: newRegularizer(s, slots)}
}

func (p *perceptron) predict(v *vector, x []Feature) (score, norm float64) {
	if !p.on() {
		return v.product(x)
	}
	for i := range x {
		value := x[i].Value
		score += float64(p.effective(v, int(x[i].Slot)) * value)
		norm += float64(value * value)
	}
	return score + v.bias, norm
}

func (p *perceptron) effective(v *vector, at int) float64 {
	if at < len(p.stamps) {
		return p.after(v.weights[at], v.clock-p.stamps[at])
	}
	return v.at(at)
}

// prepare need not check for overflow: Predict's squared norm was finite, so no |x| is over 1.4e154, and the factor
// of the step is at most 1e60, while half a unit in the last place of the largest float64 is 1e291.
func (p *perceptron) prepare(v *vector, e *view) (updated bool, err error) {
	if !p.due(e.score, e.label) {
		return false, nil
	}
	//mutation:step-sign
	p.factor = e.label * float64(p.at(v.time)*e.weight)
	return true, nil
}

func (p *perceptron) learn(v *vector, x []Feature, updated bool) {
	switch {
	case !updated:
	case p.on():
		p.settle(v, x)
		fallthrough
	default:
		v.add(x, p.factor)
	}
	if p.on() {
		v.clock += p.at(v.time)
	}
	if p.decay != 0 {
		v.time++
	}
}

func (p *perceptron) settle(v *vector, x []Feature) {
	for i := range x {
		if slot := x[i].Slot; x[i].Value != 0 {
			v.weights[slot] = p.effective(v, int(slot))
			p.stamps[slot] = v.clock
		}
	}
}

func (p *perceptron) start(v *vector, at int) { p.regularizer.start(v.clock, at) }
func (p *perceptron) tables() []Column        { return p.regularizer.tables() }
func (p *perceptron) check(v *vector) error   { return p.regularizer.check(v) }
