package batch

import (
	"fmt"
	"strconv"
	"strings"

	"rosenblatt/learner/internal/exact"
)

// The kernels.
const (
	Linear = "linear" // x·x'
	Poly   = "poly"   // (x·x' + Offset)^Degree
	RBF    = "rbf"    // exp(-Gamma·‖x - x'‖²)
)

// Kernel is an inner product of a feature space. Zero fields have their defaults.
type Kernel struct {
	Name   string  // Linear, the default, Poly or RBF
	Degree int     // of Poly, 1 to 100, default 2
	Offset float64 // of Poly, 0 to MaxValue; the default of ParseAlgorithm is 1
	Gamma  float64 // of RBF, over 0 up to MaxValue, default 1
}

const maxDegree = 100

func (k Kernel) withDefaults() Kernel {
	fill(&k.Name, Linear)
	switch k.Name {
	case Poly:
		fill(&k.Degree, 2)
	case RBF:
		fill(&k.Gamma, 1)
	}
	return k
}

// Validate says what is wrong with k. A parameter of another kernel is wrong unless it is zero.
func (k Kernel) Validate() error {
	k = k.withDefaults()
	poly, rbf := k.Name == Poly, k.Name == RBF
	switch {
	case k.Name != Linear && !poly && !rbf:
		return fmt.Errorf("kernel %q: want %s, %s or %s", k.Name, Linear, Poly, RBF)
	case !poly && (k.Degree != 0 || k.Offset != 0):
		return fmt.Errorf("kernel %s has no degree and no offset", k.Name)
	case !rbf && k.Gamma != 0:
		return fmt.Errorf("kernel %s has no gamma", k.Name)
	case poly && (k.Degree < 1 || k.Degree > maxDegree):
		return fmt.Errorf("degree %d: want 1 to %d", k.Degree, maxDegree)
	case !(k.Offset >= 0 && k.Offset <= MaxValue):
		return fmt.Errorf("offset %v: want a number from 0 to %v", k.Offset, MaxValue)
	case rbf && !(k.Gamma > 0 && k.Gamma <= MaxValue):
		return fmt.Errorf("gamma %v: want a number over 0 and up to %v", k.Gamma, MaxValue)
	}
	return nil
}

// String is the kernel in the form ParseAlgorithm reads, without "dual:".
func (k Kernel) String() string {
	k = k.withDefaults()
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	switch k.Name {
	case Poly:
		return fmt.Sprintf("kernel=poly,degree=%d,offset=%s", k.Degree, number(k.Offset))
	case RBF:
		return "kernel=rbf,gamma=" + number(k.Gamma)
	}
	return "kernel=" + k.Name
}

// value is K(x, x') from x·x', ‖x‖² and ‖x'‖². It may be infinite or NaN.
func (k *Kernel) value(product, square, square2 float64) float64 {
	switch k.Name {
	case Poly:
		return exact.Poly(product, k.Offset, int64(k.Degree))
	case RBF:
		return exact.RBF(product, square, square2, k.Gamma)
	}
	return product
}

// ParseAlgorithm reads "primal", "pla" or "dual", the last with its kernel: "dual:kernel=poly,degree=3,offset=1" or
// "dual:kernel=rbf,gamma=0.5". Poly's offset is 1 unless it is given. Errors say what is wrong and what is allowed.
func ParseAlgorithm(text string) (algorithm string, k Kernel, err error) {
	algorithm, rest, parametrized := strings.Cut(text, ":")
	if algorithm == "" {
		return "", k, fmt.Errorf("no algorithm: want %s, %s or %s", Primal, PLA, Dual)
	}
	if !parametrized {
		return algorithm, k.withDefaults(), Options{Algorithm: algorithm}.Validate()
	}
	if algorithm != Dual {
		return "", k, fmt.Errorf("algorithm %q: only %s has parameters", text, Dual)
	}
	offset := false
	for _, part := range strings.Split(rest, ",") {
		name, value, _ := strings.Cut(part, "=")
		if err := k.set(name, value); err != nil {
			return "", k, err
		}
		offset = offset || name == "offset"
	}
	if k.Name == Poly && !offset {
		k.Offset = 1
	}
	return algorithm, k.withDefaults(), k.Validate()
}

func (k *Kernel) set(name, value string) (err error) {
	switch name {
	case "kernel":
		k.Name = value
		return nil
	case "degree":
		if k.Degree, err = strconv.Atoi(value); err != nil || k.Degree == 0 {
			return fmt.Errorf("degree %q: want a whole number from 1 to %d", value, maxDegree)
		}
		return nil
	case "offset":
		k.Offset, err = strconv.ParseFloat(value, 64)
	case "gamma":
		if k.Gamma, err = strconv.ParseFloat(value, 64); k.Gamma == 0 && err == nil {
			return fmt.Errorf("gamma %q: want a number over 0", value)
		}
	default:
		return fmt.Errorf("parameter %q of %s: want kernel, degree, offset or gamma", name, Dual)
	}
	if err != nil {
		return fmt.Errorf("%s %q: want a number", name, value)
	}
	return nil
}
