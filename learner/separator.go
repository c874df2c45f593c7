package learner

import "fmt"

// separator is the weights and the method that moves them. Model has one, Multi one for each class or pair of
// classes.
type separator struct {
	vector
	method
}

// newSeparator needs a Spec with its defaults filled in.
func newSeparator(s Spec) separator {
	d, slots := definitionOf(s.Learner), 1<<s.Bits
	made := separator{method: d.method(s, slots)}
	if !d.Kernel {
		made.weights = make([]float64, slots)
	}
	return made
}

// currentBias is b as the next score uses it.
func (s *separator) currentBias() float64 { return s.effective(&s.vector, len(s.weights)) }

func (s *separator) currentWeight() func(slot uint32) float64 {
	if d, ok := s.method.(*dual); ok {
		theta := d.theta()
		return func(slot uint32) float64 { return theta[slot] }
	}
	return func(slot uint32) float64 { return s.effective(&s.vector, int(slot)) }
}

func (s *separator) weightsOf(x []Feature) []float64 {
	if d, ok := s.method.(*dual); ok {
		return d.weightsOf(x)
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
}

func (s *separator) state() VectorState { return VectorState{s.bias, s.time, s.clock} }

// columns lists the weights, the method's tables and the kept examples, with a prefix to their names.
func (s *separator) columns(prefix string) (weights, tables, kept []Column) {
	if s.weights != nil {
		weights = []Column{{Name: prefix + columnWeights, Float64: s.weights}}
	}
	for _, c := range s.tables() {
		c.Name = prefix + c.Name
		tables = append(tables, c)
	}
	if d, ok := s.method.(*dual); ok {
		kept = []Column{{Name: prefix + columnKept, Bytes: d.save()}}
	}
	return weights, tables, kept
}

func textColumns(s Spec) int {
	if definitionOf(s.Learner).Kernel {
		return 1
	}
	return 0
}

// restore completes and checks a separator whose columns of fixed length have been filled.
func (s *separator) restore(state VectorState, texts [][]byte) error {
	if !finite(state.Bias) || !(state.Clock >= 0 && finite(state.Clock)) || state.Time < 0 || state.Time > 1<<53 {
		return fmt.Errorf("learner: bias %v, time %d, clock %v: out of range", state.Bias, state.Time, state.Clock)
	}
	s.bias, s.time, s.clock = state.Bias, state.Time, state.Clock
	for slot, w := range s.weights {
		if !finite(w) {
			return slotError(columnWeights, slot, w)
		}
	}
	if d, ok := s.method.(*dual); ok {
		if err := d.load(texts[0]); err != nil {
			return err
		}
	}
	return s.check(&s.vector)
}

func (s *separator) copyTo(dst *separator, spec Spec) {
	if dst.method == nil {
		*dst = newSeparator(spec)
	}
	dst.weights = copyInto(dst.weights, s.weights)
	dst.bias, dst.time, dst.clock = s.bias, s.time, s.clock
	to := dst.tables()
	for i, from := range s.tables() {
		copyAll(to[i].Float64, from.Float64)
	}
	if d, ok := s.method.(*dual); ok {
		d.copyTo(dst.method.(*dual))
	}
}
