package learner

import (
	"errors"
	"math"
)

// ErrOverflow means that a score, or the norm that a step depends on, is not finite. Nothing has changed.
var ErrOverflow = errors.New("learner: the score or the step would not be finite")

var (
	errOrder  = errors.New("learner: Prepare without a Predict before it")
	errLabel  = errors.New("learner: a label must be -1 or 1")
	errWeight = errors.New("learner: a weight must be a number from 0 to 1e30")
)

// Model is a separator of two labels that learns online: score = w·x + b, in the dual in its kernel's feature space.
type Model struct {
	separator
	*table
	pending
	spec    Spec
	updated bool // by Prepare
}

type pending struct {
	phase  phase
	scored bool   // the last Predict succeeded
	number uint64 // of the example: see Model.NumberExample
	view   view
}

func (p *pending) prepares(weight float64) error {
	if p.phase == idle {
		return errOrder
	}
	p.phase = predicted
	if !(weight >= 0 && weight <= MaxValue) {
		return errWeight
	}
	return nil
}

func (p *pending) reset() { p.phase, p.scored = idle, false }

// SquaredNorm returns ‖(x, 1)‖² of the scaled x last predicted, without a bias ‖x‖².
// The greatest is R² in Novikoff's bound.
func (p *pending) SquaredNorm() float64 { return p.view.norm }

type phase uint8

const (
	idle      phase = iota // there is none
	predicted              // it has a score
	prepared               // it has a label
)

// New returns an untrained model: all weights are 0. Errors are those of Spec.Validate.
func New(spec Spec) (*Model, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	spec = spec.WithDefaults()
	return &Model{spec: spec, separator: newSeparator(spec, 0), table: newTable(spec)}, nil
}

// Spec returns what the model was made of, defaults filled in.
func (m *Model) Spec() Spec { return m.spec }

// Bias returns b as the next score uses it.
func (m *Model) Bias() float64 { return m.currentBias() }

// Predict scales x and returns its score. The products are summed in the order of x, the bias last. The statistics
// that scale x include x. The model does not change; it keeps x for Prepare and Learn: until then x must not change.
// The slots of x must be below 2^Spec.Bits. Error: ErrOverflow.
func (m *Model) Predict(x []Feature) (score float64, err error) {
	m.reset()
	e := &m.view
	var ok bool
	if e.x, ok = m.scaleExample(m.number, x, m.weights); !ok {
		return 0, ErrOverflow
	}
	score, norm := m.predict(&m.vector, e.x)
	if !finite(score) || !finite(norm) {
		return 0, ErrOverflow
	}
	m.phase, m.scored, e.score, e.norm = predicted, true, score, norm+m.one
	return score, nil
}

// Probability returns the probability, 0.5 to 1, of the last prediction, and whether the learner gives one.
func (m *Model) Probability() (float64, bool) {
	if !m.scored {
		return 0, false
	}
	return m.ProbabilityOf(m.view.score)
}

// ProbabilityOf is the Probability of a prediction with this score.
func (m *Model) ProbabilityOf(score float64) (float64, bool) {
	if m.sure == nil {
		return 0, false
	}
	return m.sure.probability(math.Abs(score)), true
}

// Prepare decides whether the example last predicted, with this label (-1 or 1) and weight (0 to MaxValue), updates
// the weights. A weight of 0 never does. Nothing changes before Learn. Errors: Prepare without Predict, an invalid
// label or weight, ErrOverflow.
func (m *Model) Prepare(label int8, weight float64) (updated bool, err error) {
	if err := m.prepares(weight); err != nil {
		return false, err
	}
	if label != 1 && label != -1 {
		return false, errLabel
	}
	e := &m.view
	e.label, e.weight = float64(label), m.spec.weighted(label, weight)
	m.updated = false
	if e.weight > 0 {
		if m.updated, err = m.prepare(&m.vector, e); err != nil {
			return false, err
		}
		m.updated = m.updated && (e.norm > 0 || !m.spec.linear())
	}
	m.phase = prepared
	return m.updated, nil
}

// Learn learns the prepared example: statistics, prints and, if Prepare decided so, weights. Without a successful
// Prepare since the last Predict it does nothing. It reports whether a slot of x lacks a name that SetName would
// keep.
func (m *Model) Learn() (fresh bool) { return m.LearnNamed(0) }

// LearnNamed is Learn for an x whose list of names has a number. The same number, other than 0, means the same slots
// and prints in the same order, all Numeric; then the prints need not be compared again.
func (m *Model) LearnNamed(names uint64) (fresh bool) {
	if m.phase != prepared {
		return false
	}
	m.phase = idle
	fresh = m.recordExample(m.number, m.view.x, names)
	if m.view.weight > 0 {
		m.learn(m.view.x, m.updated, names)
	}
	return fresh
}

// ForgetWeights makes the learner untrained, with weights of 0, whatever it began with. Scaling, prints and names stay.
func (m *Model) ForgetWeights() {
	m.reset()
	m.forget()
}

func finite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }
