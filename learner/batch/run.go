package batch

import "math/rand/v2"

// Pass is what is known after a pass: as many looks at examples as there are examples to train on. The last one may end early.
type Pass struct {
	Number          int     // from 1
	Updates         int64   // made in this pass
	TotalUpdates    int64   // made so far
	Mistakes        int     // wrong predictions at its end, on the examples trained on
	Loss            float64 // L(w,b) = -Σ y(w·x+b) over the mistaken ones, at its end
	Change          float64 // ‖z - z before‖/‖z‖, 0 when nothing changed
	HeldOutMistakes int     // wrong predictions at its end, on the examples held out
	ValidationError float64 // that, as a fraction; 0 when none are held out
}

// run is one call of Train.
type run struct {
	o       Options
	set     *set // the examples trained on, then those held out
	trained int
	machine machine
	dual    *dual // the machine, if it is that
	order   *order
	counts  []int64
	updates int64
	passes  int
	stopped string

	best    pocket // what Keep = Best keeps, unless the run ends with a separator
	least   Least
	streak  int  // looks in a row without a correction
	tried   bool // z was tallied for its streak
	longest int  // streak so far
	lowest  int  // mistakes on the examples held out, at the end of a pass
	stale   int  // passes since that was met first
}

// pocket is a copy of a machine's values and of the counts they were made with.
type pocket struct {
	values []float64
	counts []int64
}

func newRun(examples []Example, dimensions int, o Options) (*run, error) {
	order, trained := holdOut(len(examples), o.HeldOut, o.Seed)
	if trained == 0 {
		return nil, ErrNoExamples
	}
	s, err := newSet(examples, order, dimensions)
	if err != nil {
		return nil, err
	}
	r := &run{o: o, set: s, trained: trained, counts: make([]int64, trained), order: newOrder(&o, trained)}
	if o.Algorithm != Dual {
		r.machine = newPrimal(s, &o)
		return r, nil
	}
	g, err := newGram(s, o.Kernel, o.GramBytes)
	if err != nil {
		return nil, err
	}
	r.dual = newDual(g, &o, r.counts)
	r.machine = r.dual
	return r, nil
}

// holdOut gives the order of the examples in the set, those held out behind the trained ones, both as they stood. It holds out
// the whole number next below the fraction, but at least one if a fraction is wanted and there are two.
func holdOut(n int, fraction float64, seed uint64) (order []int, trained int) {
	held := int(fraction * float64(n))
	if fraction > 0 && held == 0 && n > 1 {
		held = 1
	}
	out := make([]bool, n)
	for _, i := range rand.New(rand.NewPCG(seed, heldStream)).Perm(n)[:held] {
		out[i] = true
	}
	for _, wanted := range []bool{false, true} {
		for i, is := range out {
			if is == wanted {
				order = append(order, i)
			}
		}
	}
	return order, n - held
}
