package learner

import (
	"errors"
	"math"
)

// ErrOverflow is met when a score, or the norm that a step would be made of, is not finite. Nothing has changed then.
var ErrOverflow = errors.New("learner: the score or the step would not be finite")

var (
	errOrder  = errors.New("learner: Prepare without a Predict before it")
	errLabel  = errors.New("learner: a label must be -1 or 1")
	errWeight = errors.New("learner: a weight must be a number from 0 to 1e30")
)

// Model is a linear separator that learns online: score = w·x + b.
type Model struct {
	spec       Spec
	rule       rule
	scaler     scaler
	weights    []float64 // one for each slot
	bias       float64   // the weight of a feature that is always 1 and never scaled
	prints     []uint16  // one for each slot: a print and the shared flag
	met        int       // how many slots have a print
	collisions int       // how many of them have the shared flag
	names      nameTable

	// The example at hand, from Predict on.
	phase phase
	x     []Feature // with scaled values
	score float64
	norm  float64 // squared, of (x, 1)
	step  float64 // the factor of x, 0 for no update
}

// phase says how far the example at hand has come.
type phase uint8

const (
	idle      phase = iota // there is none
	predicted              // it has a score
	prepared               // it has a label
)

// New returns a model that knows nothing: all weights are 0. Errors are Spec.Validate's.
func New(spec Spec) (*Model, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	spec = spec.WithDefaults()
	slots := 1 << spec.Bits
	return &Model{
		spec:    spec,
		rule:    newRule(spec),
		scaler:  newScaler(spec.Scale, slots),
		weights: make([]float64, slots),
		prints:  make([]uint16, slots),
		names:   newNameTable(slots, spec.MaxNames),
	}, nil
}

// Spec returns what the model was made of, defaults filled in.
func (m *Model) Spec() Spec { return m.spec }

// Bias returns b.
func (m *Model) Bias() float64 { return m.bias }

// Collisions counts the slots at which two or more names have been met in learned examples.
func (m *Model) Collisions() int { return m.collisions }

// Predict scales x and returns its score, the products summed in the order of x and the bias last. The statistics that
// scale x include x. The model does not change; it keeps a copy of the scaled x for Prepare and Learn. The slots of x must be
// below 2^Spec.Bits. Error: ErrOverflow.
func (m *Model) Predict(x []Feature) (score float64, err error) {
	m.phase = idle
	m.x = append(m.x[:0], x...)
	if !m.scaler.scale(m.x) {
		return 0, ErrOverflow
	}
	norm := 0.0
	for i := range m.x {
		v := m.x[i].Value
		score += float64(m.weights[m.x[i].Slot] * v)
		norm += float64(v * v)
	}
	score += m.bias
	if !finite(score) || !finite(norm) {
		return 0, ErrOverflow
	}
	m.phase, m.score, m.norm = predicted, score, norm+1
	return score, nil
}

// SquaredNorm returns ‖(x, 1)‖² of the x last predicted, as scaled: what R of Novikoff's bound is made of.
func (m *Model) SquaredNorm() float64 { return m.norm }

// Prepare decides whether the example last predicted, with this label (-1 or 1) and weight (0 to MaxValue), updates the
// weights. A weight of 0 never updates. Nothing changes before Learn. Errors: Prepare without Predict, a wrong label or weight.
//
// A perceptron's step cannot overflow, so nothing looks for it: Predict's squared norm was finite, so no |x| is over
// 1.4e154, and the step's factor is at most 1e30, while half a unit in the last place of the largest float64 is 1e291.
// Whatever the weight, its sum with the step rounds to a finite number.
func (m *Model) Prepare(label int8, weight float64) (updated bool, err error) {
	if m.phase == idle {
		return false, errOrder
	}
	m.phase = predicted
	if label != 1 && label != -1 {
		return false, errLabel
	}
	if !(weight >= 0 && weight <= MaxValue) {
		return false, errWeight
	}
	m.step, updated = m.rule.step(m.score, label, weight)
	m.phase = prepared
	return updated, nil
}

// Learn takes the prepared example in: statistics, prints and, if Prepare said so, weights. It does nothing unless Prepare
// has returned without an error since the last Predict. It reports whether a slot of x lacks a name that SetName would keep.
func (m *Model) Learn() (fresh bool) {
	if m.phase != prepared {
		return false
	}
	m.phase = idle
	m.scaler.commit(m.x)
	fresh = m.meet()
	if m.step == 0 {
		return fresh
	}
	for i := range m.x {
		w := &m.weights[m.x[i].Slot]
		*w += float64(m.step * m.x[i].Value)
	}
	m.bias += m.step
	return fresh
}

// finite is true but for infinities and NaN.
func finite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }
