package learner

import "rosenblatt/learner/internal/exact"

// kernel is an inner product of a feature space, as a function of x·z, ‖x‖² and ‖z‖².
type kernel struct {
	kind   string
	degree int64
	offset float64
	gamma  float64
}

func newKernel(s Spec) kernel {
	return kernel{kind: s.Kernel, degree: int64(s.Degree), offset: s.Offset, gamma: s.Gamma}
}

// of may be infinite or NaN when its arguments are large.
func (k *kernel) of(product, square, otherSquare float64) float64 {
	switch k.kind {
	case KernelPoly:
		return exact.Poly(product, k.offset, k.degree)
	case KernelRBF:
		return exact.RBF(product, square, otherSquare, k.gamma)
	}
	return product
}

// term is one coordinate of a kept example.
type term struct {
	slot  uint32
	value float64
}

// support is a kept example.
type support struct {
	terms  []term  // as scaled when it was kept
	square float64 // ‖x‖²
	hash   uint64  // of terms and label
	label  float64 // -1 or 1
	count  float64 // k: how often it was learned, by weight
}

// same reports whether the example is x with this label, to the bit.
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
