package stream

import (
	"context"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/late"
	"rosenblatt/stream/model"
)

// openLate makes what waits for labels as a checkpoint has it, empty without one. The journal is followed under the
// bound of settled ids that holds for it.
func (r *recovery) openLate(file *checkpoint.File, saved *model.LateState) error {
	st := r.st
	if st.Fixed.Late == nil && saved == nil {
		return nil
	}
	limits := r.limits()
	if saved != nil {
		//mutation:limits-behind-journal
		limits.Settled = saved.SettledIDs
	}
	l, err := late.New(&st.Fixed, limits, st.LabelCounts())
	if err != nil {
		return err
	}
	if saved != nil {
		if err := l.Restore(saved, file); err != nil {
			return err
		}
		//mutation:slices-of-waiting
		if r.otherSlices {
			l.Waiting.ForgetSlices()
		}
	}
	if c := r.t.Config.Labels; saved == nil && c != nil {
		l.Ever = labels.EverLimits{Limits: c.Limits, Idle: c.Idle > 0}
	}
	r.setLate(l)
	return nil
}

// loosened returns the loosest limits that a model ever had, with those of the configuration among them.
func (r *recovery) loosened(ever labels.EverLimits) labels.EverLimits {
	//mutation:manifest-ever
	if m := r.manifest.Load(); m != nil && m.Bounds != nil {
		ever = ever.Loosest(m.Bounds.Ever)
	}
	c := r.t.Config.Labels
	if c == nil {
		return ever
	}
	return ever.Loosest(labels.EverLimits{Limits: c.Limits, Idle: c.Idle > 0})
}

// limits are those of the configuration.
func (r *recovery) limits() labels.Limits {
	if c := r.t.Config.Labels; c != nil {
		return c.Limits
	}
	return labels.Limits{}
}

func (r *recovery) setLate(l *late.Labels) {
	st := r.st
	l.SetMemory(64<<20, nil) // enough to evict what waits, if labels were taken away
	if c := r.t.Config.Labels; c != nil {
		l.SetMemory(c.Memory, c.Shared)
	}
	//mutation:label-time-bound
	l.Clock.Ahead = labels.Ahead(r.limits().Wait)
	for p, b := range r.top.Labels.Partitions {
		//mutation:empty-partition
		if b.End > 0 {
			l.Clock.Hold(int32(p))
		}
	}
	st.Pending = l
}

// renewLate lets the limits, and a new configuration, take effect: behind the journal.
func (r *recovery) renewLate(ctx context.Context) error {
	st := r.st
	was := st.Labels()
	if was == nil { // labels were newly given, or there are none
		return r.openLate(nil, nil)
	}
	l, err := late.New(&st.Fixed, r.limits(), st.LabelCounts())
	if err != nil {
		return err
	}
	if err := l.Inherit(was, r.plan.Config == nil); err != nil {
		return err
	}
	l.Ever = r.loosened(was.Ever)
	r.needed = r.needed || r.limitsDiffer()
	if r.plan.Replaced || len(r.plan.Truncated) > 0 { // what is read back may be another event
		l.InputReplaced(st.Seq)
	}
	r.setLate(l)
	if l.Duplicate == nil {
		return nil
	}
	_, err = l.FeaturesNow(ctx, r.t.eventLog(), l.Duplicate) // its outcome is the next entry
	return err
}

// limitsDiffer reports whether the journal goes on under limits that the loaded checkpoint does not have, or the newest
// in the topic, which may be another one where it could not be put into the folder. Then the next checkpoint is written
// before anything is published: others repeat the journal from that one, or judge it by that one.
func (r *recovery) limitsDiffer() bool {
	was := r.st.Labels()
	if was == nil {
		return false
	}
	is := labels.Bounds{SettledIDs: r.limits().Settled, Ever: r.loosened(was.Ever)}
	//mutation:limits-saved-first
	if was.Bounds() != is {
		return true
	}
	//mutation:limits-of-the-topic
	if m := r.manifest.Load(); m != nil && m.Bounds != nil && *m.Bounds != is {
		return true
	}
	return false
}

// checkDuplicate is the stop for an entry that is not the outcome of a duplicate, directly behind the prediction of
// one: the two were not written under the same bound of settled ids.
func (r *recovery) checkDuplicate(e *journal.Entry) error {
	l := r.st.Labels()
	//mutation:duplicate-is-next
	if l == nil || l.Duplicate == nil || r.stopAccepted || e.Kind == journal.DuplicateID {
		return nil
	}
	return r.differs("seq %d is no duplicate, and the id of seq %d, before it, is known", e.Seq, l.Duplicate.Seq)
}

// endWaiting ends the waiting of an example whose outcome is published and cannot be made anew, after an accepted stop.
// Nothing is learned.
func (r *recovery) endWaiting(o *journal.Outcome) {
	l := r.st.Labels()
	if l == nil {
		return
	}
	if o.Of > r.waitsTo {
		r.waits = map[int64]labels.ID{}
		for e := l.Waiting.First(); e != nil; e = l.Waiting.After(e) {
			r.waits[e.Seq], r.waitsTo = e.ID, e.Seq
		}
	}
	l.EndUnlearned(o, r.waits[o.Of])
}
