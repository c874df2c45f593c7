package learner

import (
	"errors"
	"math"
	"unicode/utf8"
)

var errClass = errors.New("learner: a class must be UTF-8 of at most 256 bytes")

// Multi is a classifier of more than two classes that learns online, made of binary separators over the same scaled
// features, prints and names. Classes are discovered: one exists from the moment its first label was viewed. They
// have their numbers, from 0 up, in the order of discovery; of equal scores the class with the lower number wins.
//
//	direct  a vector w_c for each class, the answer is argmax w_c·x. On a mistake x is added to the true class's vector and
//	        taken from the predicted one's (Duda and Hart 1973, Kesler's construction); pa, pa1 and pa2 move the two as far as
//	        their rule says (Crammer et al. 2006, section 7). See direct.
//	ova     a learner for each class, it is +1 and all others are -1; the answer is argmax of the scores
//	ovo     a learner for each pair of classes, the one seen first is +1; it learns from examples of the two. Each votes for
//	        one of its two, and the answer has the most votes (Friedman 1996)
//
// It is used as a Model is, and belongs to one goroutine as a Model does. Once the classes are known nothing is
// allocated per example.
type Multi struct {
	table
	pending
	spec       MultiSpec
	classes    []string
	index      map[string]int // the number of each class
	separators []separator    // one for each class; in ovo pair (i, j), i < j, is at j(j-1)/2+i
	spare      []separator    // untrained ones, for a class that is about to be met

	// The example at hand.
	raw    []float64 // the score of each unit, spare ones too once Prepare wants them
	scores []float64 // of each class: its score, in ovo its votes
	best   int       // the class predicted, -1 for none
	label  int       // its class; len(classes) for one that Learn is to discover
	named  []byte    // the text of such a label
	turns  []turn    // of each unit, spare ones too
}

// turn is what becomes of a unit when the prepared example is learned.
type turn uint8

const (
	rests  turn = iota // it is not shown the example
	learns             // it is, and does not move
	moves              // it is, and moves
)

// NewMulti returns a model that knows nothing and no class. Errors are MultiSpec.Validate's.
func NewMulti(spec MultiSpec) (*Multi, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	spec = spec.WithDefaults()
	return &Multi{spec: spec, index: make(map[string]int), best: -1, table: newTable(spec.Spec)}, nil
}

// Spec returns what the model was made of, defaults filled in.
func (m *Multi) Spec() MultiSpec { return m.spec }

// Classes lists the classes in the order of their discovery. It is the model's own memory: only read it.
func (m *Multi) Classes() []string { return m.classes }

// ClassOf is the number of a class, -1 for one that is not known.
func (m *Multi) ClassOf(label []byte) int {
	if class, known := m.index[string(label)]; known {
		return class
	}
	return -1
}

// Predict scales x and returns the number of the class predicted, and its score, in ovo its votes. Before any class
// is known they are -1 and 0. The model does not change; see Model.Predict. Error: ErrOverflow, when any of the
// scores is not finite.
func (m *Multi) Predict(x []Feature) (class int, score float64, err error) {
	m.reset()
	e := &m.view
	var ok bool
	if e.x, ok = m.scaled(x, e.x, nil); !ok { // each separator's weights are read side by side as it is
		return -1, 0, ErrOverflow
	}
	e.norm = 1
	for i := range e.x {
		e.norm += float64(e.x[i].Value * e.x[i].Value)
	}
	if !finite(e.norm) {
		return -1, 0, ErrOverflow
	}
	m.raw = m.raw[:0]
	for i := range m.separators {
		u := &m.separators[i]
		s, _ := u.predict(&u.vector, e.x)
		if !finite(s) {
			return -1, 0, ErrOverflow
		}
		m.raw = append(m.raw, s)
	}
	m.count()
	m.phase, m.scored = predicted, true
	if m.best < 0 {
		return -1, 0, nil
	}
	return m.best, m.scores[m.best], nil
}

// count makes the classes' scores of the units'.
func (m *Multi) count() {
	m.scores = m.scores[:0]
	if m.spec.Scheme != OVO {
		m.scores = append(m.scores, m.raw...)
		m.best = largest(m.scores, -1)
		return
	}
	for j := range m.classes {
		m.scores = append(m.scores, 0)
		for i := range j {
			if m.raw[j*(j-1)/2+i] >= 0 {
				m.scores[i]++
			} else {
				m.scores[j]++
			}
		}
	}
	m.best = largest(m.scores, -1)
}

// largest is the index of the largest number, the lowest of equal ones, leaving one index out; -1 if there is none.
func largest(numbers []float64, but int) int {
	best := -1
	for i, x := range numbers {
		if i != but && (best < 0 || x > numbers[best]) {
			best = i
		}
	}
	return best
}

// Scores returns the score of each class, in ovo its votes, for the x last predicted. It is valid until the next
// Predict.
func (m *Multi) Scores() []float64 {
	if !m.scored {
		return nil
	}
	return m.scores
}

// Probability returns the chance that the learner gives to the class predicted last, and whether it gives one:
// logistic under ova does. It is that class's part of the sum of all classes' chances, each against all others, as is
// usual for one against all (scikit-learn, OneVsRestClassifier).
func (m *Multi) Probability() (float64, bool) { return m.ProbabilityOf(m.best) }

// ProbabilityOf returns the chance that the learner gives to a class (0 to len(Classes())-1) at the x last predicted,
// where Probability gives one.
func (m *Multi) ProbabilityOf(class int) (float64, bool) {
	if !m.scored || class < 0 || class >= len(m.scores) || m.spec.Scheme != OVA {
		return 0, false
	}
	p, gives := m.separators[class].method.(probabilistic)
	if !gives {
		return 0, false
	}
	sum := 0.0
	for _, s := range m.scores {
		sum += p.probability(s)
	}
	if sum == 0 { // all chances are below the smallest number
		return 1 / float64(len(m.scores)), true
	}
	return math.Min(1, p.probability(m.scores[class])/sum), true
}

// knownForm reports whether a label can be a class's name: one that survives JSON, and is no essay.
func knownForm(label []byte) bool { return len(label) <= MaxClassBytes && utf8.Valid(label) }
