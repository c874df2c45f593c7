package batch

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"rosenblatt/learner"
)

// The words of Options.
const (
	// Algorithm
	Primal = "primal" // correct a mistaken example, again and again
	PLA    = "pla"    // pass after pass, correcting point by point
	Dual   = "dual"   // Primal in counts of corrections, with a kernel

	// Order
	Cyclic = "cyclic" // in the order given
	Random = "random" // Primal and Dual pick any mistaken example, PLA shuffles each pass

	// Update
	OnThreshold = learner.UpdateThreshold // correct where y·s <= δ
	OnMistake   = learner.UpdateMistake   // correct wrong predictions only

	// Until
	Separated  = "separated"  // no example is left to correct
	Budget     = "budget"     // the passes or updates are used up
	Validation = "validation" // the error on the held-out examples has stopped falling
	Stable     = "stable"     // a pass hardly changes the weights

	// Keep
	Best = "best" // a separator, else the least validation error with Validation, else the least mistakes
	Last = "last" // the weights at the end of the run
)

// Defaults of Options.
const (
	DefaultMaxPasses = 1000
	DefaultPatience  = 5
	DefaultTolerance = 1e-3
	DefaultHeldOut   = 0.2 // for Until = Validation
	DefaultGramBytes = 256 << 20
	DefaultWork      = 1_000_000_000
)

// Options are the settings of Train. Zero fields have their defaults.
type Options struct {
	Algorithm string         // Primal, the default, PLA or Dual
	Kernel    learner.Kernel // of Dual; linear by default, and for the others
	Order     string         // Cyclic, the default, or Random
	Seed      uint64         // of the order and of what is held out
	Rate      float64        // η, the step's factor, over 0 up to 1, default 1
	Threshold float64        // δ: an example is corrected when y·s <= δ; 0 to learner.MaxValue, default 0
	Update    string         // OnThreshold, the default, or OnMistake, which has no threshold
	Unbiased  bool           // b is 0 and stays so: the examples are not padded

	StartWeights []float64 // one for each dimension, or nil for zeros; kernels other than linear have none
	StartBias    float64

	// Until is what ends the run, by default Separated. Whatever it is, Separated and Budget end the run too.
	Until      string
	MaxPasses  int     // default DefaultMaxPasses
	MaxUpdates int64   // default: no limit
	HeldOut    float64 // held-out fraction, [0, 1); default DefaultHeldOut with Validation, else 0
	Out        []bool  // which examples are held out, one for each; nil: as HoldOut says
	Patience   int     // of Validation: passes without a new least error, default DefaultPatience
	Tolerance  float64 // of Stable: a pass changes z by at most Tolerance·‖z‖, default DefaultTolerance

	Keep      string // the weights of the Result: Best, the default, or Last
	GramBytes int64  // memory for Gram matrices, default DefaultGramBytes
	Work      int64  // products for solving the maximal margin, default DefaultWork; negative: none

	OnPass func(Pass) // called after each pass, if not nil
}

// WithDefaults returns o with its zero fields filled in.
func (o Options) WithDefaults() Options {
	o.Algorithm = cmp.Or(o.Algorithm, Primal)
	o.Order = cmp.Or(o.Order, Cyclic)
	o.Update = cmp.Or(o.Update, OnThreshold)
	o.Until = cmp.Or(o.Until, Separated)
	o.Keep = cmp.Or(o.Keep, Best)
	o.Rate = cmp.Or(o.Rate, 1)
	o.MaxPasses = cmp.Or(o.MaxPasses, DefaultMaxPasses)
	o.Patience = cmp.Or(o.Patience, DefaultPatience)
	o.Tolerance = cmp.Or(o.Tolerance, DefaultTolerance)
	o.GramBytes = cmp.Or(o.GramBytes, DefaultGramBytes)
	o.Work = cmp.Or(o.Work, DefaultWork)
	if o.Until == Validation {
		o.HeldOut = cmp.Or(o.HeldOut, DefaultHeldOut)
	}
	o.Kernel = o.Kernel.WithDefaults()
	return o
}

// Validate says what is wrong with o, naming the field, its value and what is allowed.
func (o Options) Validate() error {
	o = o.WithDefaults()
	for _, w := range []struct {
		field, value string
		allowed      []string
	}{
		{"algorithm", o.Algorithm, []string{Primal, PLA, Dual}},
		{"order", o.Order, []string{Cyclic, Random}},
		{"update", o.Update, []string{OnThreshold, OnMistake}},
		{"until", o.Until, []string{Separated, Budget, Validation, Stable}},
		{"keep", o.Keep, []string{Best, Last}},
	} {
		if !slices.Contains(w.allowed, w.value) {
			return fmt.Errorf("%s %q: want %s", w.field, w.value, strings.Join(w.allowed, ", "))
		}
	}
	if err := o.Kernel.Validate(); err != nil {
		return err
	}
	if o.Kernel.Name != learner.KernelLinear && o.Algorithm != Dual {
		return fmt.Errorf("kernel %s: %s has none, only %s", o.Kernel, o.Algorithm, Dual)
	}
	return o.validateNumbers()
}

func (o *Options) validateNumbers() error {
	switch {
	case !(o.Rate > 0 && o.Rate <= 1):
		return fmt.Errorf("rate %v: want a number over 0 and up to 1", o.Rate)
	case !(o.Threshold >= 0 && o.Threshold <= learner.MaxValue):
		return fmt.Errorf("threshold %v: want a number from 0 to %v", o.Threshold, learner.MaxValue)
	case o.Update == OnMistake && o.Threshold != 0:
		return fmt.Errorf("threshold %v: update %s has no threshold", o.Threshold, OnMistake)
	case o.Unbiased && o.StartBias != 0:
		return fmt.Errorf("start bias %v: without a bias it is 0", o.StartBias)
	case !(o.HeldOut >= 0 && o.HeldOut < 1):
		return fmt.Errorf("validation %v: want a fraction from 0 to under 1", o.HeldOut)
	case !(o.Tolerance > 0 && o.Tolerance < 1):
		return fmt.Errorf("tolerance %v: want a number over 0 and under 1", o.Tolerance)
	case o.MaxPasses < 1:
		return fmt.Errorf("max passes %d: want 1 or more", o.MaxPasses)
	case o.MaxUpdates < 0:
		return fmt.Errorf("max updates %d: want 0 or more", o.MaxUpdates)
	case o.Patience < 1:
		return fmt.Errorf("patience %d: want 1 or more", o.Patience)
	case o.GramBytes < 0:
		return fmt.Errorf("gram bytes %d: want 0 or more", o.GramBytes)
	case o.StartWeights != nil && o.Kernel.Name != learner.KernelLinear:
		return fmt.Errorf("start weights: kernel %s has no weights to start from", o.Kernel)
	}
	return nil
}

func (o *Options) validateStart(dimensions int) error {
	if o.StartWeights != nil && len(o.StartWeights) != dimensions {
		return fmt.Errorf("%d start weights for %d dimensions", len(o.StartWeights), dimensions)
	}
	for i, w := range append(slices.Clone(o.StartWeights), o.StartBias) {
		if !(math.Abs(w) <= learner.MaxValue) {
			return fmt.Errorf("start weight %d (the bias is the last): %v: want a magnitude up to %v",
				i, w, learner.MaxValue)
		}
	}
	return nil
}

// ParseAlgorithm reads "primal", "pla" or "dual", the last with its kernel: "dual:kernel=poly,degree=3,offset=1".
func ParseAlgorithm(text string) (algorithm string, k learner.Kernel, err error) {
	algorithm, parameters, given := strings.Cut(text, ":")
	switch {
	case algorithm == "":
		return "", k, fmt.Errorf("no algorithm: want %s, %s or %s", Primal, PLA, Dual)
	case !given:
		return algorithm, k.WithDefaults(), Options{Algorithm: algorithm}.Validate()
	case algorithm != Dual:
		return "", k, fmt.Errorf("algorithm %q: only %s has parameters", text, Dual)
	}
	k, err = learner.ParseKernel(parameters)
	return algorithm, k, err
}
