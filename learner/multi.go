package learner

import (
	"errors"
	"math"
	"unicode/utf8"
)

var errClass = errors.New("learner: a class must be UTF-8 of at most 256 bytes")

// Multi is a classifier of several classes that learns online, made of binary separators over the same scaled
// features, prints and names. A class exists from its first label on. Classes are numbered from 0 in the order of
// discovery; of equal scores the class with the lower number wins.
//
//	direct  a vector w_c for each class; the prediction is argmax w_c·x. A step adds to the vector of the true class
//	        and subtracts from another one (Duda and Hart 1973, Kesler's construction): see multi_direct.go.
//	ova     a learner for each class, which is +1 against all others; the prediction is argmax of the scores
//	ovo     a learner for each pair of classes, which learns from examples of the two; the one seen first is +1. The
//	        prediction has the most votes (Friedman 1996); MultiSpec.Ties decides between classes with equally many.
//
// A Multi is used as a Model is. Once the classes are known nothing is allocated per example.
type Multi struct {
	*table
	pending
	spec       MultiSpec
	classes    []string
	index      map[string]int // the number of each class
	separators []separator    // one for each class; in ovo pair (i, j), i < j, is at j(j-1)/2+i
	spare      []separator    // untrained ones, for a class that Learn may discover

	// The pending example.
	raw    []float64 // the score of each separator, after Prepare of spare ones too
	scores []float64 // of each class: its score, in ovo its votes
	best   int       // the class predicted, -1 for none
	label  int       // its class; len(classes) for one that Learn discovers
	named  []byte    // the text of a new one
	turns  []turn    // of each separator, spare ones too
}

type turn uint8

const (
	skips  turn = iota // it does not learn the example
	learns             // it learns the example and does not move
	moves              // it learns the example and moves
)

// NewMulti returns an untrained model without classes. Errors are those of MultiSpec.Validate.
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

// ClassOf is the number of a class, -1 for an unknown one.
func (m *Multi) ClassOf(label []byte) int {
	if class, known := m.index[string(label)]; known {
		return class
	}
	return -1
}

// Predict scales x and returns the number of the class predicted, -1 before any is known, and its score, in ovo its
// votes. The model does not change; see Model.Predict. Error: ErrOverflow.
func (m *Multi) Predict(x []Feature) (class int, score float64, err error) {
	m.reset()
	e := &m.view
	var ok bool
	if e.x, ok = m.scaleExample(m.number, x, nil); !ok { // each separator's weights are read together anyway
		return -1, 0, ErrOverflow
	}
	e.norm = m.spec.biasValue()
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
	if m.spec.Ties == TiesMargin && m.best >= 0 {
		m.best = m.widest(m.best)
	}
}

// widest returns, of the classes with as many votes as best, the one with the largest sum of scores over its pairs.
func (m *Multi) widest(best int) int {
	votes, most := m.scores[best], m.margins(best)
	for class := best + 1; class < len(m.scores); class++ {
		if m.scores[class] == votes {
			if sum := m.margins(class); sum > most {
				best, most = class, sum
			}
		}
	}
	return best
}

// margins sums the scores of a class's pairs, signed in its favour.
func (m *Multi) margins(class int) (sum float64) {
	for i := range class {
		sum -= m.raw[class*(class-1)/2+i]
	}
	for j := class + 1; j < len(m.scores); j++ {
		sum += m.raw[j*(j-1)/2+class]
	}
	return sum
}

// largest is the index of the largest number, the lowest of equal ones, leaving out but; -1 if there is none.
func largest(numbers []float64, but int) int {
	best := -1
	for i, x := range numbers {
		//mutation:class-tie
		if i != but && (best < 0 || x > numbers[best]) {
			best = i
		}
	}
	return best
}

// Scores returns the score of each class, in ovo its votes. It is valid until the next Predict.
func (m *Multi) Scores() []float64 {
	if !m.scored {
		return nil
	}
	return m.scores
}

// Probability returns the probability of the class predicted last, and whether the learner gives one, which it does
// under ova only. It is the class's part of the sum over all classes of their probability against all others (as in
// scikit-learn's OneVsRestClassifier).
func (m *Multi) Probability() (float64, bool) { return m.ProbabilityOf(m.best) }

// ProbabilityOf is Probability for any class, 0 to len(Classes())-1.
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
	if sum == 0 { // all probabilities have underflowed
		return 1 / float64(len(m.scores)), true
	}
	return math.Min(1, p.probability(m.scores[class])/sum), true
}

// isClassName requires valid UTF-8, so that the name survives JSON.
func isClassName(label []byte) bool { return len(label) <= MaxClassBytes && utf8.Valid(label) }
