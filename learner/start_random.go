package learner

import (
	"errors"
	"fmt"
	"math/rand/v2"
)

// StartZero is what ParseStartWeights reads as weights that start at 0.
const StartZero = "zero"

// StartRandom is the value of Spec.StartWeights with which weights and biases start at random numbers from -1 to 1,
// as the connections of Rosenblatt's machine did, instead of 0.
const StartRandom = "random"

// ParseStartWeights reads "zero" or "random" into StartWeights and StartSeed.
func ParseStartWeights(text string, seed uint64, into *Spec) error {
	switch text {
	case StartZero, "":
		into.StartWeights, into.StartSeed = "", 0
	case StartRandom:
		into.StartWeights, into.StartSeed = StartRandom, seed
	default:
		return fmt.Errorf("%q: want %s or %s", text, StartZero, StartRandom)
	}
	return nil
}

// StartWeight is the weight at a slot that a model of Spec.StartWeights StartRandom starts with; the bias follows the
// last slot. separator is 0 in a Model, in a Multi the number of a class or pair. It depends on its arguments alone.
func StartWeight(seed uint64, separator, slot int) float64 {
	// The first number of a PCG, whose sequence Go promises to keep (math/rand/v2).
	bits := rand.NewPCG(seed, uint64(separator)<<32|uint64(slot)).Uint64()
	return float64(bits>>11)*0x1p-52 - 1
}

func (s *Spec) checkStart() error {
	switch {
	case s.StartWeights != "" && s.StartWeights != StartRandom:
		return fmt.Errorf("start weights %q: want %s, or none for 0", s.StartWeights, StartRandom)
	case s.StartWeights == "" && s.StartSeed != 0:
		return errors.New("start seed: only random start weights have one")
	case s.StartWeights != "" && definitionOf(s.Learner).Kernel:
		return fmt.Errorf("start weights: %s starts from examples, not from weights", s.Learner)
	}
	return nil
}

// randomize sets the start of an untrained separator.
func (v *vector) randomize(seed uint64, separator int) {
	for slot := range v.weights {
		v.weights[slot] = StartWeight(seed, separator, slot)
	}
	if v.one != 0 {
		v.bias = StartWeight(seed, separator, len(v.weights))
	}
}
