package learner

import (
	"cmp"
	"fmt"
	"math"
)

// The values that Spec's words may take. Learners describes the learners.
const (
	Perceptron = "perceptron"
	Averaged   = "averaged"
	PA         = "pa"
	PA1        = "pa1"
	PA2        = "pa2"
	AROW       = "arow"
	Logistic   = "logistic"
	ALMA       = "alma"
	Dual       = "dual"

	UpdateThreshold  = "threshold" // Spec.Update: learn when label*score <= threshold
	UpdateMistake    = "mistake"   // Spec.Update: learn when the prediction was wrong
	UpdatePA1        = "pa1"       // Spec.Update of Dual: learn when label*score < 1, with steps as of PA1
	PredictLast      = "last"      // Spec.Predict: by the weights as they are
	PredictMean      = "mean"      // Spec.Predict: by their means
	ScaleStandard    = "standard"  // Spec.Scale: (x-mean)/deviation, of a feature that is mostly absent x/size
	ScaleMaxAbs      = "maxabs"    // Spec.Scale: x/max|x|
	ScaleNone        = "none"      // Spec.Scale: x
	ScheduleAdaGrad  = "adagrad"   // Spec.Schedule: a rate for each weight, which falls with its gradients
	ScheduleConstant = "constant"  // Spec.Schedule: Spec.Rate
	CentreHalf       = "half"      // Spec.Centre: only of what at least half of the labelled examples had
	CentreAlways     = "always"    // Spec.Centre: of every feature
	BiasOn           = "1"         // Spec.Bias: s = w·x + b
	BiasOff          = "0"         // Spec.Bias: s = w·x
	KernelLinear     = "linear"    // Spec.Kernel: x·z
	KernelPoly       = "poly"      // Spec.Kernel: (x·z + offset)^degree
	KernelRBF        = "rbf"       // Spec.Kernel: exp(-gamma·‖x-z‖²)
)

// Limits and defaults of a Spec.
const (
	MaxValue        = 1e30 // magnitude of a feature's value, an example's weight, a start weight
	MaxBits         = 30
	MaxDegree       = 100
	MaxBudget       = 1 << 20
	MaxWindow       = 1 << 30
	DefaultBits     = 18
	DefaultMaxNames = 262_144
	DefaultBudget   = 1000
	MaxNameBytes    = 256 // of a name in the table; longer ones are cut
)

// Spec describes a model. Zero fields have their defaults. Learners describes the parameters of each learner. Specs
// can be compared with == after WithDefaults; a saved state fits a model of an equal Spec. A field that the learner
// does not take must be at its default; those from C on are then zero and not in the JSON.
type Spec struct {
	Learner   string  `json:"learner"` // one of Learners, default Perceptron
	Rate      float64 `json:"rate"`
	Threshold float64 `json:"threshold"`
	Update    string  `json:"update"`   // with UpdateMistake Threshold must be 0
	Scale     string  `json:"scale"`    // default ScaleNone
	Bits      int     `json:"bits"`     // the model has 2^Bits slots, 1 to MaxBits, default DefaultBits
	MaxNames  int     `json:"maxNames"` // bound on the names kept, default DefaultMaxNames; no score depends on it

	C              float64 `json:"C,omitempty"`
	R              float64 `json:"r,omitempty"`
	Floor          float64 `json:"floor,omitempty"`
	Alpha          float64 `json:"alpha,omitempty"`
	B              float64 `json:"B,omitempty"`
	Window         int     `json:"window,omitempty"` // 0 is all; ParseLearner has another default of logistic
	Decay          float64 `json:"decay,omitempty"`  // of averaged that of the mean, of others of the rate
	Schedule       string  `json:"schedule,omitempty"`
	L1             float64 `json:"l1,omitempty"`
	L2             float64 `json:"l2,omitempty"`
	Bias           string  `json:"bias,omitempty"`           // BiasOff, or empty for BiasOn
	PositiveWeight float64 `json:"positiveWeight,omitempty"` // 0 is 1
	NegativeWeight float64 `json:"negativeWeight,omitempty"` // 0 is 1
	Kernel         string  `json:"kernel,omitempty"`
	Degree         int     `json:"degree,omitempty"` // 0 is 2, and then an Offset of 0 is 1
	Offset         float64 `json:"offset,omitempty"`
	Gamma          float64 `json:"gamma,omitempty"`
	Budget         int     `json:"budget,omitempty"`
	Predict        string  `json:"predict,omitempty"`

	HalfLife float64 `json:"halfLife,omitempty"` // of ScaleStandard: see ParseScale; 0 is without
	Clip     float64 `json:"clip,omitempty"`     // likewise
	Centre   string  `json:"centre,omitempty"`   // likewise: CentreAlways, or empty for CentreHalf

	StartWeights string `json:"startWeights,omitempty"` // StartRandom, or empty for 0
	StartSeed    uint64 `json:"startSeed,omitempty"`    // of StartRandom
}

func fill[T comparable](field *T, value T) {
	*field = cmp.Or(*field, value)
}

// Probable reports whether the learner gives a probability (Model.Probability).
func (s Spec) Probable() bool {
	d := definitionOf(s.WithDefaults().Learner)
	return d != nil && d.Probability
}

// WithDefaults returns s with its zero fields filled in.
func (s Spec) WithDefaults() Spec {
	fill(&s.Learner, Perceptron)
	if s.Learner == Logistic && s.Schedule == ScheduleConstant {
		fill(&s.Rate, 0.1)
	}
	if d := definitionOf(s.Learner); d != nil {
		for _, p := range d.parameters {
			p.fill(&s)
		}
	}
	fill(&s.Rate, 1)
	fill(&s.Update, UpdateThreshold)
	fill(&s.Scale, ScaleNone)
	fill(&s.Bits, DefaultBits)
	fill(&s.MaxNames, DefaultMaxNames)
	if s.Bias == BiasOn {
		s.Bias = ""
	}
	if s.Centre == CentreHalf {
		s.Centre = ""
	}
	switch {
	case s.Kernel == KernelPoly && s.Degree == 0:
		s.Degree = int(paramDegree.initial)
		fill(&s.Offset, paramOffset.initial)
	case s.Kernel == KernelRBF:
		fill(&s.Gamma, paramGamma.initial)
	}
	if s.Update == UpdatePA1 {
		fill(&s.C, paramDualC.initial)
	}
	if s.PositiveWeight == 1 {
		s.PositiveWeight = 0
	}
	if s.NegativeWeight == 1 {
		s.NegativeWeight = 0
	}
	return s
}

// Validate says what is wrong with s, naming the field, its value and what is allowed.
func (s Spec) Validate() error {
	s = s.WithDefaults()
	switch {
	case definitionOf(s.Learner) == nil:
		return fmt.Errorf("learner: unknown learner %q: want %s", s.Learner, learnerNames())
	case s.Bits < 1 || s.Bits > MaxBits:
		return fmt.Errorf("learner: bits %d: want 1 to %d", s.Bits, MaxBits)
	case s.MaxNames < 0 || s.MaxNames > math.MaxInt32:
		return fmt.Errorf("learner: max names %d: want 1 to %d", s.MaxNames, math.MaxInt32)
	}
	if err := cmp.Or(s.checkScale(), s.checkStart()); err != nil {
		return fmt.Errorf("learner: %w", err)
	}
	if err := s.checkParameters(); err != nil {
		return fmt.Errorf("learner: %w", err)
	}
	return nil
}

// checkParameters needs an s with its defaults.
func (s *Spec) checkParameters() error {
	own := definitionOf(s.Learner)
	defaults := Spec{Learner: s.Learner}.WithDefaults()
	for _, d := range learners {
		for _, p := range d.parameters {
			if own.parameter(p.Key) == nil && p.text(s) != p.text(&defaults) {
				return fmt.Errorf("%s %s: %s takes %s", p.Key, p.text(s), s.Learner, own.keys("and"))
			}
		}
	}
	for _, p := range own.parameters {
		if err := p.check(s); err != nil {
			return err
		}
	}
	return s.checkTogether()
}

// checkTogether refuses parameters that exclude each other.
func (s *Spec) checkTogether() error {
	switch {
	case s.Update == UpdateMistake && s.Threshold != 0:
		return fmt.Errorf("threshold %v: update=%s has no threshold", s.Threshold, UpdateMistake)
	case s.Update == UpdatePA1 && (s.Threshold != 0 || s.Rate != 1):
		return fmt.Errorf("rate %v and threshold %v: update=%s has neither", s.Rate, s.Threshold, UpdatePA1)
	case s.Learner == Dual && s.Update != UpdatePA1 && s.C != 0:
		return fmt.Errorf("parameter C %v: only update=%s has it", s.C, UpdatePA1)
	case s.Learner == Averaged && s.Window != 0 && s.Decay != 0:
		return fmt.Errorf("window %d and decay %v: want one of them", s.Window, s.Decay)
	case s.Schedule == ScheduleConstant && s.Window != 0:
		return fmt.Errorf("window %d: schedule=%s has no window", s.Window, ScheduleConstant)
	case s.Kernel != KernelPoly && (s.Degree != 0 || s.Offset != 0):
		return fmt.Errorf("degree and offset: only kernel=%s has them", KernelPoly)
	case s.Kernel != KernelRBF && s.Gamma != 0:
		return fmt.Errorf("gamma: only kernel=%s has it", KernelRBF)
	}
	return nil
}

// linear reports whether scores are inner products of x, so that an x of zeros has no part in them.
func (s *Spec) linear() bool { return s.Kernel == "" || s.Kernel == KernelLinear }

// biasValue is the value of the bias's feature.
func (s *Spec) biasValue() float64 {
	if s.Bias == BiasOff {
		return 0
	}
	return 1
}

func (s *Spec) weighted(label int8, weight float64) float64 {
	factor := s.PositiveWeight
	if label < 0 {
		factor = s.NegativeWeight
	}
	return weight * cmp.Or(factor, 1)
}
