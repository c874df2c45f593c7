package learner

import "fmt"

// separator is the weights and the method that moves them. Model has one, Multi one for each class or pair of
// classes.
type separator struct {
	vector
	method
	sure  probabilistic // the method; nil if it gives no probabilities
	group *group        // of the weights and the method's tables
}

// newSeparator needs a Spec with its defaults filled in. number is the separator's in a Multi, else 0.
func newSeparator(s Spec, number int) separator {
	d, slots := definitionOf(s.Learner), 1<<s.Bits
	made := separator{method: d.method(s, slots), vector: vector{one: s.biasValue()}}
	made.sure, _ = made.method.(probabilistic)
	if !d.Kernel {
		made.weights = make([]float64, slots)
		made.group = newGroup(slots, append([]Column{{Name: columnWeights, Float64: made.weights}},
			made.tables()...)...)
		if s.StartWeights == StartRandom {
			made.randomize(s.StartSeed, number)
		}
		return made
	}
	made.group = newGroup(0)
	return made
}

// learn changes what the method has prepared. names is the number of x's list of names, or 0.
func (s *separator) learn(x []Feature, updated bool, names uint64) {
	if updated && s.weights != nil {
		s.group.touch(x, names)
		if a, ok := s.method.(*alma); ok && s.scale > mostScale {
			s.group.touchAll()
			a.rescale(&s.vector)
		}
	}
	s.method.learn(&s.vector, x, updated)
}

// forget makes the separator an untrained one with weights of 0.
func (s *separator) forget() {
	//mutation:reset-touches-all
	s.group.touchAll()
	clear(s.weights)
	for _, c := range s.tables() {
		clear(c.Float64)
	}
	//mutation:reset-of-the-method
	s.begin()
	s.bias, s.time, s.clock, s.norm, s.scale = 0, 0, 0, 0, 0
}

// currentBias is b as the next score uses it.
func (s *separator) currentBias() float64 { return s.effective(&s.vector, len(s.weights)) }

func (s *separator) currentWeight() func(slot uint32) float64 {
	if d, ok := s.method.(*dual); ok {
		theta := d.theta(&s.vector)
		return func(slot uint32) float64 { return theta[slot] }
	}
	return func(slot uint32) float64 { return s.effective(&s.vector, int(slot)) }
}

func (s *separator) weightsOf(x []Feature) []float64 {
	if d, ok := s.method.(*dual); ok {
		return d.weightsOf(&s.vector, x)
	}
	weights := make([]float64, len(x))
	for i := range x {
		weights[i] = s.effective(&s.vector, int(x[i].Slot))
	}
	return weights
}

// VectorState is the short part of one separator's state.
type VectorState struct {
	Bias  float64 `json:"bias"`
	Time  int64   `json:"time,omitempty"`
	Clock float64 `json:"clock,omitempty"`
	Norm  float64 `json:"norm,omitempty"`  // of alma, as the next one
	Scale float64 `json:"scale,omitempty"` // 0 is 1
}

func (s *separator) state() VectorState { return VectorState{s.bias, s.time, s.clock, s.norm, s.scale} }

// columns lists the weights, the method's tables and the kept examples, with a prefix to their names.
func (s *separator) columns(prefix string) (weights, tables, kept []Column) {
	tables = s.group.columns()
	for i := range tables {
		tables[i].Name = prefix + tables[i].Name
	}
	if s.weights != nil {
		weights, tables = tables[:1], tables[1:]
	}
	if d, ok := s.method.(*dual); ok {
		kept = []Column{{Name: prefix + columnKept, Bytes: d.save()},
			{Name: prefix + columnTimes, Bytes: d.saveTimes()}}
		if d.mean {
			kept = append(kept, Column{Name: prefix + columnKeptLags, Bytes: d.saveLags()})
		}
	}
	return weights, tables, kept
}

func textColumns(s Spec) int {
	n := 0
	if definitionOf(s.Learner).Kernel {
		n += 2
		if s.Predict == PredictMean {
			n++
		}
	}
	return n
}

// restore completes and checks a separator whose columns of fixed length have been filled.
func (s *separator) restore(state VectorState, texts [][]byte) error {
	if !finite(state.Bias) || !(state.Clock >= 0 && finite(state.Clock)) || state.Time < 0 || state.Time > 1<<53 {
		return fmt.Errorf("learner: bias %v, time %d, clock %v: out of range", state.Bias, state.Time, state.Clock)
	}
	if !(state.Norm >= 0 && finite(state.Norm)) || state.Scale != 0 && !(state.Scale >= 1 && finite(state.Scale)) {
		return fmt.Errorf("learner: norm %v, scale %v: out of range", state.Norm, state.Scale)
	}
	s.bias, s.time, s.clock, s.norm, s.scale = state.Bias, state.Time, state.Clock, state.Norm, state.Scale
	for slot, w := range s.weights {
		if !finite(w) {
			return slotError(columnWeights, slot, w)
		}
	}
	if d, ok := s.method.(*dual); ok {
		if err := d.load(texts[0]); err != nil {
			return err
		}
		if err := d.loadMore(texts[1:], state.Time); err != nil {
			return err
		}
	}
	return s.check(&s.vector)
}

// copyRest copies all but the rows of the group.
func (s *separator) copyRest(dst *separator) {
	dst.bias, dst.time, dst.clock, dst.norm, dst.scale = s.bias, s.time, s.clock, s.norm, s.scale
	if d, ok := s.method.(*dual); ok {
		d.copyTo(dst.method.(*dual))
	}
}
