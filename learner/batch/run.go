package batch

import (
	"fmt"
	"math/rand/v2"
)

// Pass describes the state after a pass, which checks as many examples as there are to train on, or fewer in the
// last.
type Pass struct {
	Number          int     // from 1
	Updates         int64   // made in this pass
	TotalUpdates    int64   // made so far
	Mistakes        int     // wrong predictions at its end, on the examples trained on
	Loss            float64 // L(w,b) = -Σ y(w·x+b) over the mistaken ones, at its end
	Change          float64 // ‖z - z before‖/‖z‖, 0 when nothing changed
	HeldOutMistakes int     // wrong predictions at its end, on the held-out examples
	ValidationError float64 // that, as a fraction; 0 when none are held out
}

type run struct {
	o         Options
	set       *set // the examples trained on, then the held-out ones
	trained   int
	separator separator
	dual      *dual // the separator of Algorithm Dual, else nil
	order     *order
	counts    []int64
	updates   int64
	passes    int
	stopped   string

	best    snapshot // what Keep = Best keeps, unless the run ends with a separator
	pocket  Pocket
	streak  int  // examples in a row without a correction
	tried   bool // z was tallied for its streak
	longest int  // streak so far
	lowest  int  // least mistakes on the held-out examples at the end of a pass
	stale   int  // passes since then
}

// snapshot is a copy of a separator's values and counts.
type snapshot struct {
	values []float64
	counts []int64
}

func newRun(examples []Example, dimensions int, o Options) (*run, error) {
	if o.Out == nil {
		o.Out = HoldOut(len(examples), o.HeldOut, o.Seed)
	}
	if len(o.Out) != len(examples) {
		return nil, fmt.Errorf("%d of %d examples are held out or not", len(o.Out), len(examples))
	}
	order, trained := trainedFirst(o.Out)
	if trained == 0 {
		return nil, ErrNoExamples
	}
	pad := 1.0
	if o.Unbiased {
		pad = 0
	}
	s, err := newSet(examples, order, dimensions, pad)
	if err != nil {
		return nil, err
	}
	r := &run{o: o, set: s, trained: trained, counts: make([]int64, trained), order: newOrder(&o, trained)}
	if o.Algorithm != Dual {
		r.separator = newPrimal(s, &o)
		return r, nil
	}
	g, err := newGram(s, o.Kernel, o.GramBytes)
	if err != nil {
		return nil, err
	}
	r.dual = newDual(g, &o, r.counts)
	r.separator = r.dual
	return r, nil
}

// HoldOut chooses which of n examples are held out. It rounds down, but holds out at least one of two if the fraction
// is over 0.
func HoldOut(n int, fraction float64, seed uint64) []bool {
	held := int(fraction * float64(n))
	if fraction > 0 && held == 0 && n > 1 {
		held = 1
	}
	out := make([]bool, n)
	for _, i := range rand.New(rand.NewPCG(seed, heldStream)).Perm(n)[:held] {
		out[i] = true
	}
	return out
}

// trainedFirst returns the order of the examples in the set: first those trained on, then the held-out ones, both in
// the order given.
func trainedFirst(out []bool) (order []int, trained int) {
	for _, wanted := range []bool{false, true} {
		for i, is := range out {
			if is == wanted {
				order = append(order, i)
			}
		}
		if !wanted {
			trained = len(order)
		}
	}
	return order, trained
}
