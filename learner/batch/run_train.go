package batch

func (r *run) train() {
	start := r.tally()
	r.pocket = Pocket{Mistakes: start.mistakes, apart: start.apart}
	r.lowest = start.heldOut
	r.keep()
	for r.stopped == "" {
		made := r.updates
		r.passes++
		r.pass()
		t := r.tally()
		change := r.change()
		r.endPass(t, change)
		if r.o.OnPass != nil {
			r.o.OnPass(r.report(t, r.updates-made, change))
		}
	}
}

// fewExamples is up to how many examples all weights are tried; with more, Gallant's ratchet decides.
const fewExamples = 256

func (r *run) pass() {
	for range r.trained {
		i := r.order.next()
		if !r.due(i) {
			r.ratchet()
			if r.order.passed() {
				r.stopped = Separated
				return
			}
			continue
		}
		r.separator.correct(i)
		r.counts[i]++
		r.updates++
		r.streak, r.tried = 0, false
		r.order.corrected()
		if r.trained <= fewExamples {
			r.consider(r.tally())
		}
		if r.updates == r.o.MaxUpdates {
			r.stopped = Budget
			return
		}
	}
}

// due reports whether the example has to be corrected.
func (r *run) due(i int) bool {
	margin := r.separator.margin(i)
	if r.o.Update == OnMistake {
		return mistaken(margin, r.set.label(i))
	}
	return margin <= r.o.Threshold
}

// ratchet is Gallant's: weights that make no mistake for longer than any before are tried on all examples.
func (r *run) ratchet() {
	if r.streak++; r.streak <= r.longest {
		return
	}
	r.longest = r.streak
	if !r.tried {
		r.tried = true
		r.consider(r.tally())
	}
}

func (r *run) consider(t tally) {
	if !t.better(tally{mistakes: r.pocket.Mistakes, apart: r.pocket.apart}) {
		return
	}
	r.pocket = Pocket{Mistakes: t.mistakes, Pass: r.passes, Updates: r.updates, apart: t.apart}
	if r.o.Until != Validation {
		r.keep()
	}
}

func (r *run) keep() {
	r.best.values = append(r.best.values[:0], r.separator.values()...)
	r.best.counts = append(r.best.counts[:0], r.counts...)
}

func (r *run) endPass(t tally, change float64) {
	r.consider(t)
	r.stale++
	if t.heldOut < r.lowest {
		r.lowest, r.stale = t.heldOut, 0
		if r.o.Until == Validation {
			r.keep()
		}
	}
	switch {
	case r.stopped != "":
	case r.o.Until == Validation && r.stale >= r.o.Patience:
		r.stopped = Validation
	case r.o.Until == Stable && change <= r.o.Tolerance:
		r.stopped = Stable
	case r.passes == r.o.MaxPasses:
		r.stopped = Budget
	}
}

func (r *run) tally() tally { return tallyOf(r.set, r.trained, r.separator.margin) }

// change is how much the last pass changed z, relative to ‖z‖.
func (r *run) change() float64 {
	by, of := r.separator.change()
	switch {
	case by == 0:
		return 0
	case of == 0:
		return 1 // z became 0
	}
	return by / of
}

func (r *run) report(t tally, updates int64, change float64) Pass {
	heldOut := max(r.set.rows()-r.trained, 1)
	return Pass{Number: r.passes, Updates: updates, TotalUpdates: r.updates, Mistakes: t.mistakes, Loss: t.loss,
		Change: change, HeldOutMistakes: t.heldOut, ValidationError: float64(t.heldOut) / float64(heldOut)}
}
