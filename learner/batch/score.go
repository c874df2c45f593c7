package batch

// Score is w·x + b, of a kernel Σ α_j y_j K(x_j, x) + b, which costs the non-zeros of all examples with a count.
func (r *Result) Score(x []Term) float64 {
	if r.Weights != nil {
		s := 0.0
		for _, t := range x {
			s += float64(r.Weights[t.Index] * t.Value)
		}
		return s + r.Bias
	}
	dense := map[int32]float64{} // only for look-ups: no sum ranges over it
	for _, t := range x {
		dense[t.Index] += t.Value
	}
	square, s := product(dense, x), 0.0
	for i, k := range r.Counts {
		if k == 0 {
			continue
		}
		e := &r.examples[i]
		own := map[int32]float64{}
		for _, t := range e.X {
			own[t.Index] += t.Value
		}
		v := r.kernel.Of(product(dense, e.X), product(own, e.X), square)
		s += float64(float64(e.Label) * r.rate * float64(k) * v)
	}
	return s + r.Bias
}

func product(dense map[int32]float64, x []Term) (sum float64) {
	for _, t := range x {
		sum += float64(dense[t.Index] * t.Value)
	}
	return sum
}
