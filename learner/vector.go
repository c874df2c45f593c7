package learner

// vector is a linear separator and the time of its learner. What its score is made of is up to its method.
type vector struct {
	weights []float64 // one for each slot; none in the dual
	bias    float64   // the weight of a feature that is always one and never scaled
	one     float64   // 1, or 0 for a score without a bias, which is then 0
	time    int64     // labelled examples learned, if the method counts them
	clock   float64   // the sum of their rates, if the method uses it
	norm    float64   // ‖(weights, bias)‖², if the method keeps it
	scale   float64   // weights and bias are divided by it, if the method says so; 0 is 1
}

// product returns w·x + b and ‖x‖², both summed in the order of x.
func (v *vector) product(x []Feature) (score, norm float64) {
	weights := v.weights
	for i := range x {
		value := x[i].Value
		//mutation:rounded-product
		score += float64(weights[x[i].Slot] * value)
		norm += float64(value * value)
	}
	return score + v.bias, norm
}

// add adds factor·(x, one) to (w, b).
func (v *vector) add(x []Feature, factor float64) {
	for i := range x {
		w := &v.weights[x[i].Slot]
		*w += float64(factor * x[i].Value)
	}
	v.bias += float64(factor * v.one)
}

func (v *vector) at(i int) float64 {
	if i == len(v.weights) {
		return v.bias
	}
	return v.weights[i]
}

// most bounds steps and the sums that methods keep: sums of such numbers, and their products with counts of examples,
// are finite.
const most = 1e250

// room reports whether factor·(x, 1) can be added to any finite (w, b): half a unit in the last place of the largest
// float64 is 1e291, so the sum rounds to a finite number.
func (*vector) room(x []Feature, factor float64) bool {
	if !small(factor) {
		return false
	}
	for i := range x {
		if !small(factor * x[i].Value) {
			return false
		}
	}
	return true
}

func small(x float64) bool { return x >= -most && x <= most }
