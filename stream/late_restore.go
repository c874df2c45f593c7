package stream

import (
	"sync/atomic"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
)

// Restore goes on with what a checkpoint holds.
func (l *lateLabels) Restore(saved *model.LateState, file *checkpoint.File) (err error) {
	l.clock, l.duplicate, l.replaced, l.ever = saved.Clock, saved.Duplicate, saved.Replaced, saved.Ever
	l.waiting, err = labels.Restore(l.waiting.Limits, file.Section)
	return err
}

// Inherit goes on with what waited before, under the limits of now. Events that are kept in memory stay there if they
// are read as before: else their features may differ.
func (l *lateLabels) Inherit(was *lateLabels, events bool) (err error) {
	l.clock, l.duplicate, l.replaced, l.readBack = was.clock, was.duplicate, was.replaced, was.readBack
	if events {
		l.cache, l.kept, l.keptBytes = was.cache, was.kept, was.keptBytes
	}
	l.waiting, err = was.waiting.Resize(l.waiting.Limits)
	return err
}

// SetMemory bounds what is kept of events in memory: so many tasks share it evenly, or it is this one's.
func (l *lateLabels) SetMemory(bytes int64, tasks *atomic.Int64) {
	l.memory, l.shared = bytes, tasks
	l.cache.Limit = l.share()
}

// InputReplaced notes that predictions up to a seq are of a deleted input topic, or of records that were replaced: what
// would be read back may be another event.
func (l *lateLabels) InputReplaced(seq int64) { l.replaced = seq }

// EndUnlearned ends the waiting of an example whose outcome is published and cannot be made anew. Nothing is learned.
// id is that of the example, if it is known.
func (l *lateLabels) EndUnlearned(o *journal.Outcome, id labels.ID) {
	if l.duplicate != nil && l.duplicate.Seq == o.Of {
		l.duplicate = nil
		return
	}
	if verdict, e := l.waiting.Find(id, 0); verdict == labels.Waits && e.Seq == o.Of {
		l.drop(e.Seq)
		l.counts.Settle(outcomeOf[o.Kind])
		l.waiting.End(e, outcomeOf[o.Kind], 0)
	}
}
