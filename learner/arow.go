package learner

// arow is adaptive regularization of weights with a diagonal covariance (Crammer, Kulesza and Dredze, NIPS 2009).
// Each weight has a variance σ_i, 1 at the start. On an example with y·s below 1, with the bias as a feature of
// value 1 and v = Σ σ_i·x_i²,
//
//	β = 1/(v + r),  α = max(0, 1 - y·s)·β
//	w_i += α·y·σ_i·x_i
//	σ_i -= β·(σ_i·x_i)²
//
// Variances only fall, so the weights of a long stream hardly move any more; for streams whose separator moves, floor
// bounds the variances from below. The weights of example and label scale the step of w only.
type arow struct {
	additive  // its factor is α·y times the weights
	r, floor  float64
	variances []float64 // of the slots and, at the end, of the bias
	beta      float64   // of the pending example
}

func newArow(s Spec, slots int) method {
	a := &arow{r: s.R, floor: s.Floor, variances: make([]float64, slots+1)}
	a.begin()
	return a
}

func (a *arow) begin() {
	for i := range a.variances {
		a.variances[i] = 1
	}
}

func (a *arow) prepare(v *vector, e *view) (updated bool, err error) {
	loss := 1 - float64(e.label*e.score)
	if loss <= 0 {
		return false, nil
	}
	spread := float64(a.variances[len(v.weights)] * v.one) // Σ σ_i·x_i²
	for i := range e.x {
		value := e.x[i].Value
		spread += float64(float64(a.variances[e.x[i].Slot]*value) * value)
	}
	//mutation:arow-beta
	a.beta = 1 / (spread + a.r)
	a.factor = e.label * float64(float64(loss*a.beta)*e.weight)
	if !v.room(e.x, a.factor) { // no variance is over 1
		return false, ErrOverflow
	}
	return a.factor != 0, nil
}

func (a *arow) learn(v *vector, x []Feature, updated bool) {
	if !updated {
		return
	}
	for i := range x {
		v.weights[x[i].Slot] += float64(a.factor * a.shrink(int(x[i].Slot), x[i].Value))
	}
	v.bias += float64(a.factor * a.shrink(len(v.weights), v.one))
}

// shrink lowers a variance by what a value has taught, and returns σ_i·x_i from before.
func (a *arow) shrink(at int, value float64) float64 {
	variance := &a.variances[at]
	product := float64(*variance * value)
	if *variance -= float64(float64(a.beta*product) * product); *variance < a.floor {
		*variance = a.floor
	}
	return product
}

func (a *arow) tables() []Column { return []Column{{Name: columnVariances, Float64: a.variances}} }

func (a *arow) check(*vector) error {
	for slot, variance := range a.variances {
		if !(variance >= 0 && variance <= 1) {
			return slotError(columnVariances, slot, variance)
		}
	}
	return nil
}
