package late

import (
	"cmp"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/recall"
	"rosenblatt/stream/topics"
)

// Labels is Pending as the labels topic ends its waiting. The owner of the state owns it.
type Labels struct {
	config *model.Config
	fixed  *model.LateLabels // nil: labels were taken away, and what waits is evicted
	Events
	Maker
	Clock  labels.Clock
	Counts *model.LabelCounts // part of the state's
	IDs    labels.Identifier

	eventKinds, LabelKinds labels.IDKinds // of events that were to wait, and of label records
	inSeconds              bool           // timestamps of events seem to be

	Ever labels.EverLimits
}

// New makes what a configuration says, with nothing waiting.
func New(c *model.Config, l labels.Limits, counts *model.LabelCounts) (*Labels, error) {
	copied := *c
	x := &Labels{config: &copied, fixed: c.Late, Counts: counts}
	var err error
	if x.Events, err = NewEvents(c.Decode, labels.NewBeside(l, len(c.Challengers))); err != nil {
		return nil, err
	}
	if x.Maker, err = NewMaker(c); err != nil {
		return nil, err
	}
	counts.ByLabel.Fades = true
	x.IDs.ByKey = x.byKey
	return x, nil
}

// Apart says that ids of events and labels are of two kinds, and what to do; empty if that is not so.
func (l *Labels) Apart() string {
	found, do := labels.Apart(&l.eventKinds, &l.LabelKinds)
	if found == "" {
		return ""
	}
	return found + ": " + do
}

// Predicted implements Pending.
func (l *Labels) Predicted(p *Predicted) (waits bool) {
	if l.fixed == nil {
		return false
	}
	//mutation:events-seen
	l.Clock.See(p.Record.Timestamp, p.At)
	l.inSeconds = l.inSeconds || labels.InSeconds(p.Record.Timestamp)
	id := p.ID
	if !p.Identified {
		id = l.IDs.ID(p.Example, p.Record)
	}
	named := id != labels.ID{}
	//mutation:own-label-hears-of-waiting
	p.Outcome.Waiting = l.Waiting.Sums()
	l.WaitBeside(p.Outcome)
	switch {
	case p.Example.Label != 0 || p.Example.Class != nil:
		if named {
			l.Waiting.Own(id, labels.LabelOf(p.Example))
		}
		return false
	case !named:
		l.Counts.NoID++
		return false
	}
	l.IDs.NoteKind(&l.eventKinds, p.Example, p.Record)
	e := labels.Example{ID: id, Seq: p.Seq, Partition: p.Partition, Offset: p.Record.Offset, Time: p.Record.Timestamp,
		Since: min(p.Record.Timestamp, p.At), Score: p.Outcome.Score,
		Published: p.Outcome.Kept(),
		Baselines: [2]int16{int16(p.Outcome.Baselines[0]), int16(p.Outcome.Baselines[1])}}
	if l.Waiting.AddWith(e, p.Outcome.Slices, p.Outcome.KeptBeside()) {
		copied := e
		l.Duplicate = &copied
		l.keep(p.Seq, recall.Keep(p.Record))
		return false
	}
	l.Put(p)
	return true
}

// over reports whether labels were taken away and nothing waits any more.
func (l *Labels) over() bool { return l.fixed == nil && l.Duplicate == nil && l.Waiting.Len() == 0 }

// Overfull reports whether many more wait than may.
func (l *Labels) Overfull() bool {
	most := l.Waiting.Limits.Examples
	return l.Waiting.Len() > most+most/4+1000
}

// IsDue reports whether an outcome is due.
func (l *Labels) IsDue() bool {
	_, outcome := l.due()
	return outcome != 0
}

// Bounds are those of what follows.
func (l *Labels) Bounds() labels.Bounds {
	return labels.Bounds{SettledIDs: l.Waiting.Limits.Settled, Ever: l.Ever}
}

// State returns the short part of what a checkpoint holds; nil where nothing waits for labels, nor ever will.
func (l *Labels) State() *model.LateState {
	if l == nil || l.over() {
		return nil
	}
	//mutation:replaced-saved
	s := &model.LateState{Clock: l.Clock.Clone(), Bounds: l.Bounds(), Replaced: l.replaced}
	//mutation:duplicate-saved
	if l.Duplicate != nil {
		copied := *l.Duplicate
		s.Duplicate = &copied
	}
	return s
}

// Snapshot implements Pending.
func (l *Labels) Snapshot() func() []checkpoint.Section {
	if l.over() {
		return func() []checkpoint.Section { return nil }
	}
	return l.Waiting.Snapshot().Sections
}

// CountRepeat counts a label record that says what its event has already.
func (l *Labels) CountRepeat() {
	l.Counts.Read++
	l.Counts.Repeats++
}

// CountLabel counts the record of a label by its label: whether its event waited, or how its waiting had ended before.
// Where times are in seconds, events wait for too long or not at all, whatever the label.
func (l *Labels) CountLabel(label *event.Example, r *topics.Record, ended labels.Outcome) {
	//mutation:late-by-seconds-uncounted
	if l.inSeconds || labels.InSeconds(r.Timestamp) {
		return
	}
	l.Counts.ByLabel.Add(&l.fixed.Decode, label, ended, -1)
}

// CountLate is CountLabel for one whose event did not wait any longer, as its dead letter says.
func (l *Labels) CountLate(label *event.Example, r *topics.Record, id labels.ID) {
	l.CountLabel(label, r, cmp.Or(l.Waiting.Ended(id), labels.Expired))
}

// NoteRead notes that a label record was read, by the wall clock now, ms.
func (l *Labels) NoteRead(partition int32, r *topics.Record, now int64) {
	l.Clock.Pass(partition, r.Timestamp, now)
}
