package batch

import (
	"math"

	"rosenblatt/learner"
)

// Result is the result of a run. The properties of weights are those of the weights kept (Options.Keep).
type Result struct {
	Stopped  string // what ended the run: Separated, Budget, Validation or Stable
	Passes   int
	Updates  int64
	Trained  int // examples trained on
	HeldOut  int // examples held out
	GramRows int // rows of Dual's Gram matrix that were kept in memory

	Mistakes        int     // wrong predictions on the examples trained on
	HeldOutMistakes int     // wrong predictions on the held-out examples
	Loss            float64 // L(w,b) = -Σ y(w·x+b) over the mistakes
	OnPlane         int     // examples trained on with score 0, which no separator has
	Separated       bool    // y·s > 0 for every example trained on

	Weights []float64 // w; nil for kernels other than linear
	Bias    float64
	Counts  []int64 // k_i: how often each example given was corrected; α_i = η·k_i

	R           float64 // the largest ‖(x, 1)‖ of the examples trained on, in the kernel's feature space
	Margin      float64 // when separated: the least y·s/‖(w,b)‖
	Bound       float64 // when separated: (R/Margin)²
	UpdateBound float64 // when separated: bound of the updates for this start and threshold
	Maximal     Margin  // the largest margin that any weights have
	Pocket      Pocket

	kernel   learner.Kernel
	examples []Example
	rate     float64
}

// Pocket describes the weights with the least mistakes of those tried: at the start, at the ends of passes, where
// weights made no mistake for longer than any before, and in sets of up to 256 examples after every correction.
type Pocket struct {
	Mistakes int
	Pass     int   // in which they were found; 0 is the start
	Updates  int64 // made before
	apart    int
}

// Train runs an algorithm over the examples, whose indexes are below dimensions. Errors: Options.Validate's,
// ErrNoExamples, ErrExample, ErrOverflow.
func Train(examples []Example, dimensions int, o Options) (*Result, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.WithDefaults()
	if err := o.validateStart(dimensions); err != nil {
		return nil, err
	}
	r, err := newRun(examples, dimensions, o)
	if err != nil {
		return nil, err
	}
	r.train()
	return r.result(examples)
}

func (r *run) result(examples []Example) (*Result, error) {
	if r.o.Keep == Best && r.stopped != Separated {
		copy(r.separator.values(), r.best.values)
		copy(r.counts, r.best.counts)
	}
	res := &Result{Stopped: r.stopped, Passes: r.passes, Updates: r.updates, Trained: r.trained,
		HeldOut: r.set.rows() - r.trained, Pocket: r.pocket, Counts: make([]int64, len(examples)), kernel: r.o.Kernel,
		rate: r.o.Rate}
	for i, k := range r.counts {
		res.Counts[r.set.origin[i]] = k
	}
	margin, size := r.kept(res)
	if res.Weights == nil {
		res.examples = examples
	}
	t := tallyOf(r.set, r.trained, margin)
	res.Mistakes, res.HeldOutMistakes, res.Loss, res.OnPlane = t.mistakes, t.heldOut, t.loss, t.onPlane
	res.Separated = t.apart == r.trained
	g, err := r.inner()
	if err != nil {
		return nil, err
	}
	for i := range r.trained {
		res.R = max(res.R, math.Sqrt(g.diagonal(i)))
	}
	if res.Separated {
		res.Margin = t.least / size.length
		res.Bound = (res.R / res.Margin) * (res.R / res.Margin)
		res.UpdateBound = r.bound(res, size)
	}
	if r.dual != nil {
		res.GramRows = g.keeps()
	}
	res.Maximal = maximalMargin(g, r.trained, res.Margin, r.o.Work)
	return res, nil
}

type size struct{ length, onto, start float64 }

// kept returns the margins and the size of the weights kept, and puts weights and bias into the result. Of Dual with
// the linear kernel the weights are recovered, θ = start + Σ α_i·a_i, and all else is computed from them.
func (r *run) kept(res *Result) (margin func(i int) float64, s size) {
	values := r.separator.values()
	if r.dual != nil && r.o.Kernel.Name != learner.KernelLinear {
		res.Bias = values[len(values)-1]
		s.onto, s.length = r.dual.size(values, r.counts)
		s.start = math.Sqrt(r.dual.norm)
		return r.separator.margin, s
	}
	z := values
	start := startOf(r.set, &r.o)
	if r.dual != nil {
		z = startOf(r.set, &r.o)
		for i, k := range r.counts {
			if k != 0 {
				r.set.addTo(z, i, float64(r.o.Rate*float64(k)))
			}
		}
	}
	last := len(z) - 1
	res.Weights, res.Bias = z[:last:last], z[last]
	for i, v := range start {
		s.onto += float64(v * z[i])
	}
	s.length, s.start = norm(z), norm(start)
	return func(i int) float64 { return r.set.dot(i, z) }, s
}

func (r *run) inner() (*gram, error) {
	if r.dual != nil {
		return r.dual.gram, nil
	}
	return newGram(r.set, learner.Kernel{Name: learner.KernelLinear}, r.o.GramBytes)
}

// bound is Novikoff's argument with a start z_0 and a threshold δ. Let u be the separator found, ‖u‖ = 1, and k
// the corrections. Each one adds at least η·γ to u·z, and at most η²R² + 2ηδ =: D to ‖z‖², so (u·z_0 +
// kηγ)² <= ‖z_0‖² + kD. The larger root in k is the bound; for z_0 = 0 it is D/(ηγ)², and with δ = 0 that
// is (R/γ)².
func (r *run) bound(res *Result, s size) float64 {
	if s.start == 0 && r.o.Threshold == 0 {
		return res.Bound
	}
	a := r.o.Rate * res.Margin
	c := s.onto / s.length
	d := float64(r.o.Rate*res.R*r.o.Rate*res.R) + float64(2*r.o.Rate*r.o.Threshold)
	half := float64(a*c) - d/2
	rest := float64(s.start*s.start) - float64(c*c)
	return (math.Sqrt(float64(half*half)+float64(a*a*max(rest, 0))) - half) / (a * a)
}
