package late

import (
	"rosenblatt/checkpoint"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
)

// Restore goes on with what a checkpoint holds.
func (l *Labels) Restore(saved *model.LateState, file *checkpoint.File) (err error) {
	l.Clock, l.Duplicate, l.replaced, l.Ever = saved.Clock, saved.Duplicate, saved.Replaced, saved.Ever
	l.Waiting, err = labels.Restore(l.Waiting.Limits, l.Waiting.Challengers(), file.Section)
	return err
}

// Inherit goes on with what waited before, under the limits of now. Events that are kept in memory stay there if they
// are read as before: else their features may differ.
func (l *Labels) Inherit(was *Labels, events bool) (err error) {
	l.Clock, l.Duplicate, l.replaced, l.ReadBack = was.Clock, was.Duplicate, was.replaced, was.ReadBack
	l.inSeconds = was.inSeconds
	if events {
		l.Cache, l.kept, l.keptBytes = was.Cache, was.kept, was.keptBytes
	}
	l.Waiting, err = was.Waiting.Resize(l.Waiting.Limits, l.config.ChallengersOf(was.config))
	return err
}

// EndUnlearned ends the waiting of an example whose outcome is published and cannot be made anew. Nothing is learned.
// id is that of the example, if it is known.
func (l *Labels) EndUnlearned(o *journal.Outcome, id labels.ID) {
	if l.Duplicate != nil && l.Duplicate.Seq == o.Of {
		l.Duplicate = nil
		return
	}
	if verdict, e := l.Waiting.Find(id, 0); verdict == labels.Waits && e.Seq == o.Of {
		l.Drop(e.Seq)
		l.Counts.AddOutcome(o.Kind.Outcome())
		l.Waiting.End(e, o.Kind.Outcome(), 0)
	}
}
