package stream

import (
	"context"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
)

// openLate makes what waits for labels as a checkpoint has it, empty without one. The journal is followed under the
// bound of settled ids that holds for it.
func (r *recovery) openLate(file *checkpoint.File, saved *model.LateState) error {
	st := r.st
	if st.fixed.Late == nil && saved == nil {
		return nil
	}
	limits := r.limits()
	if saved != nil {
		//mutation:limits-behind-journal
		limits.Settled = saved.SettledIDs
	}
	l, err := newLateLabels(&st.fixed, limits, st.labelCounts())
	if err != nil {
		return err
	}
	if saved != nil {
		l.clock, l.duplicate, l.replaced = saved.Clock, saved.Duplicate, saved.Replaced
		if l.waiting, err = labels.Restore(limits, file.Section); err != nil {
			return err
		}
	}
	l.ever = r.ever(saved)
	r.setLate(l)
	return nil
}

// ever returns the loosest limits of the model, those of the configuration among them.
func (r *recovery) ever(saved *model.LateState) *model.LateLimits {
	c := r.t.Config.Labels
	switch {
	case saved != nil && (saved.Ever == nil || c == nil):
		return saved.Ever
	case c == nil:
		return nil
	case saved == nil:
		return &model.LateLimits{Limits: c.Limits, Idle: c.Idle > 0}
	}
	return &model.LateLimits{Limits: saved.Ever.Loosest(c.Limits), Idle: saved.Ever.Idle || c.Idle > 0}
}

// limits are those of the configuration.
func (r *recovery) limits() labels.Limits {
	if c := r.t.Config.Labels; c != nil {
		return c.Limits
	}
	return labels.Limits{}
}

func (r *recovery) setLate(l *lateLabels) {
	st := r.st
	l.memory = 64 << 20 // enough to evict what waits, if labels were taken away
	if c := r.t.Config.Labels; c != nil {
		l.memory = c.Memory
	}
	l.cache.Limit = l.memory
	for p, b := range r.top.Labels.Partitions {
		//mutation:empty-partition
		if b.End > 0 {
			l.clock.Hold(int32(p))
		}
	}
	st.late, st.settler = l, l
}

// renewLate lets the limits, and a new configuration, take effect: behind the journal.
func (r *recovery) renewLate(ctx context.Context) error {
	st := r.st
	was := st.late
	if was == nil { // labels were newly given, or there are none
		return r.openLate(nil, nil)
	}
	l, err := newLateLabels(&st.fixed, r.limits(), st.labelCounts())
	if err != nil {
		return err
	}
	if l.waiting, err = was.waiting.Resize(r.limits()); err != nil {
		return err
	}
	l.clock, l.duplicate, l.replaced, l.readBack = was.clock, was.duplicate, was.replaced, was.readBack
	l.ever = was.ever
	if r.plan.Replaced {
		l.replaced = st.seq
	}
	if r.plan.Config == nil { // else features may differ
		l.cache, l.kept, l.keptBytes = was.cache, was.kept, was.keptBytes
	}
	r.setLate(l)
	if l.duplicate == nil {
		return nil
	}
	_, err = r.featuresOf(ctx, l.duplicate) // its outcome is the next entry
	return err
}

// labelCounts returns the counts of label records and outcomes.
func (st *state) labelCounts() *model.LabelCounts {
	if st.counts.Labels == nil {
		st.counts.Labels = &model.LabelCounts{}
	}
	return st.counts.Labels
}

// endWaiting ends the waiting of an example whose outcome is published and cannot be made anew, after an accepted stop.
// Nothing is learned.
func (r *recovery) endWaiting(o *journal.Outcome) {
	l := r.st.late
	if l == nil {
		return
	}
	if l.duplicate != nil && l.duplicate.Seq == o.Of {
		l.duplicate = nil
		return
	}
	if o.Of > r.waitsTo {
		r.waits = map[int64]labels.ID{}
		for e := l.waiting.First(); e != nil; e = l.waiting.After(e) {
			r.waits[e.Seq], r.waitsTo = e.ID, e.Seq
		}
	}
	id, known := r.waits[o.Of]
	if !known {
		return
	}
	if verdict, e := l.waiting.Find(id, 0); verdict == labels.Waits && e.Seq == o.Of {
		l.drop(e.Seq)
		l.counts.Settle(outcomeOf[o.Kind])
		l.waiting.End(e, outcomeOf[o.Kind], 0)
	}
}
