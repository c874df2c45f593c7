package learner

import (
	"fmt"

	"rosenblatt/learner/internal/exact"
)

// Kernel is an inner product of a feature space. Zero fields have their defaults.
type Kernel struct {
	Name   string  // KernelLinear, the default, KernelPoly or KernelRBF
	Degree int     // of KernelPoly, 1 to MaxDegree, default 2
	Offset float64 // of KernelPoly, 0 to MaxValue; the default of ParseKernel is 1
	Gamma  float64 // of KernelRBF, over 0 up to MaxValue, default 1
}

// ParseKernel reads the parameters of Dual that make its kernel: "kernel=poly,degree=3,offset=1".
func ParseKernel(text string) (Kernel, error) {
	own := &definition{parameters: []*parameter{paramKernel, paramDegree, paramOffset, paramGamma}}
	s := Spec{Learner: Dual}
	keys, err := s.parse(own, text)
	if err != nil {
		return s.kernel(), err
	}
	s = s.completed(keys)
	return s.kernel(), s.checkParameters()
}

func (s *Spec) kernel() Kernel { return Kernel{s.Kernel, s.Degree, s.Offset, s.Gamma} }

// WithDefaults returns k with its zero fields filled in.
func (k Kernel) WithDefaults() Kernel {
	fill(&k.Name, KernelLinear)
	switch k.Name {
	case KernelPoly:
		fill(&k.Degree, int(paramDegree.initial))
	case KernelRBF:
		fill(&k.Gamma, paramGamma.initial)
	}
	return k
}

// Validate says what is wrong with k. A parameter of another kernel is wrong unless it is zero.
func (k Kernel) Validate() error {
	k = k.WithDefaults()
	s := Spec{Learner: Dual, Kernel: k.Name, Degree: k.Degree, Offset: k.Offset, Gamma: k.Gamma}.WithDefaults()
	return s.checkParameters()
}

// String is the kernel in the form that ParseKernel reads.
func (k Kernel) String() string {
	k = k.WithDefaults()
	switch k.Name {
	case KernelPoly:
		return fmt.Sprintf("kernel=poly,degree=%d,offset=%s", k.Degree, formatNumber(k.Offset))
	case KernelRBF:
		return "kernel=rbf,gamma=" + formatNumber(k.Gamma)
	}
	return "kernel=" + k.Name
}

// Of is K(x, z) from x·z, ‖x‖² and ‖z‖². It may be infinite or NaN when these are large. Defaults must be
// filled in.
func (k *Kernel) Of(product, square, otherSquare float64) float64 {
	switch k.Name {
	case KernelPoly:
		return exact.Power(product+k.Offset, int64(k.Degree))
	case KernelRBF:
		distance := (square + otherSquare) - float64(2*product)
		if distance < 0 { // by rounding
			distance = 0
		}
		return exact.Exp(-float64(k.Gamma * distance))
	}
	return product
}

type term struct {
	slot  uint32
	value float64
}

type support struct {
	terms  []term  // as scaled when it was kept
	square float64 // ‖x‖²
	hash   uint64  // of terms and label
	label  float64 // -1 or 1
	count  float64 // k: how often it was learned, by weight
	times  uint64  // how often it was learned, whatever the weights
	lag    float64 // of the count in its mean: see predicting
}

func (s *support) same(x []Feature, label float64, hash uint64) bool {
	if s.hash != hash || s.label != label || len(s.terms) != len(x) {
		return false
	}
	for i, t := range s.terms {
		if t.slot != x[i].Slot || t.value != x[i].Value {
			return false
		}
	}
	return true
}
