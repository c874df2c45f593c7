package stream

import (
	"fmt"
	"time"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// lateLabels is a Settler: what becomes of predictions whose labels come later. The owner of the state owns it.
type lateLabels struct {
	fixed   *model.LateLabels // nil: labels were taken away, and what waits is evicted
	options *event.Options    // of the events
	waiting *labels.Waiting
	clock   labels.Clock
	counts  *model.LabelCounts // part of the state's
	assumed event.Example      // the label of fixed.Assume

	cache labels.Cache             // the newest waiting examples
	taken takenExample             // from the cache last
	kept  map[int64]*labels.Kept   // by seq: others, and what was read back; nil: no more in the input
	wants map[int64]labels.Example // by seq: what has to be read back now

	memory    int64 // of cache and kept, at most
	keptBytes int64
	readBack  int64 // examples
	held      int   // partitions of the labels that a label of an unknown event holds

	duplicate *labels.Example // the last prediction, if its id was known: its outcome is next
	replaced  int64           // what waits up to this seq is of an input that is no more, and evicted
	ending    ending
	scratch   lateScratch
}

// takenExample is what was kept of an example; without one, seq is 0.
type takenExample struct {
	seq  int64
	kept labels.Kept
}

// ending is the outcome made last, until it is settled.
type ending struct {
	example *labels.Example
	kept    *labels.Kept
	label   labels.Label
	now     *model.Outcome // what is learned; nil: nothing
	made    journal.Outcome
}

// lateScratch is memory that is used again.
type lateScratch struct {
	key, text []byte
	by        event.Example
	example   event.Example
	outcome   model.Outcome
}

// newLateLabels makes what a configuration says, with nothing waiting.
func newLateLabels(c *model.Config, l labels.Limits, counts *model.LabelCounts) (*lateLabels, error) {
	x := &lateLabels{fixed: c.Late, options: &c.Decode, waiting: labels.New(l), counts: counts,
		kept: map[int64]*labels.Kept{}, wants: map[int64]labels.Example{}}
	if x.fixed == nil || x.fixed.Assume == "" {
		return x, nil
	}
	d, err := event.NewLabels(x.fixed.Decode, x.fixed.ByKey())
	if err == nil {
		x.assumed, err = d.ReadLabel(x.fixed.Assume)
	}
	if err != nil {
		return nil, fmt.Errorf("the label that silence means: %w", err)
	}
	return x, nil
}

// id returns the id of an event or of a label record; false if it has none.
func (l *lateLabels) id(e *event.Example, r *topics.Record) (id labels.ID, ok bool) {
	by := &l.scratch.by
	if *by = (event.Example{ID: e.ID, IDIsJSON: e.IDIsJSON}); l.fixed.ByKey() {
		*by = event.Example{ID: r.Key}
	}
	if by.ID == nil {
		return id, false
	}
	l.scratch.key = event.AppendIDKey(l.scratch.key[:0], by)
	return labels.NewID(l.scratch.key), true
}

// Predicted implements Settler.
func (l *lateLabels) Predicted(p *Predicted) (waits bool) {
	if l.fixed == nil {
		return false
	}
	id, named := l.id(p.Example, p.Record)
	switch {
	case p.Example.Label != 0 || p.Example.Class != nil:
		if named {
			l.waiting.Own(id, labels.LabelOf(p.Example))
		}
		return false
	case !named:
		l.counts.NoID++
		return false
	}
	e := labels.Example{ID: id, Seq: p.Seq, Partition: p.Partition, Offset: p.Record.Offset, Time: p.Record.Timestamp,
		Since: min(p.Record.Timestamp, p.At), Prediction: int32(p.Outcome.Prediction), Score: p.Outcome.Score,
		Baselines: [2]int16{int16(p.Outcome.Baselines[0]), int16(p.Outcome.Baselines[1])}}
	if l.waiting.Add(e) {
		copied := e
		l.duplicate = &copied
		l.keep(p.Seq, labels.Keep(p.Example, p.Features, p.Record))
		return false
	}
	l.cache.Limit = max(l.memory-l.keptBytes, l.memory/4)
	l.cache.Put(p.Seq, p.Example, p.Features, p.Record)
	return true
}

// features returns what is kept of an event, nil if the input no longer holds it. What is not known has to be read
// back.
func (l *lateLabels) features(e *labels.Example) (k *labels.Kept, known bool) {
	if l.taken.seq == e.Seq {
		return &l.taken.kept, true
	}
	if e.Seq <= l.replaced {
		return nil, true
	}
	if k, known = l.kept[e.Seq]; known {
		return k, true
	}
	taken, known := l.cache.Take(e.Seq)
	if !known {
		return nil, false
	}
	if l.taken.seq != 0 { // its outcome is not settled yet
		before := l.taken.kept
		l.keep(l.taken.seq, &before)
	}
	l.taken = takenExample{e.Seq, taken}
	return &l.taken.kept, true
}

func (l *lateLabels) keep(seq int64, k *labels.Kept) {
	if l.kept[seq] = k; k != nil {
		l.keptBytes += k.Bytes()
	}
}

// drop forgets what is kept of an event.
func (l *lateLabels) drop(seq int64) {
	if l.taken.seq == seq {
		l.taken.seq = 0
	}
	if k := l.kept[seq]; k != nil {
		l.keptBytes -= k.Bytes()
	}
	delete(l.kept, seq)
	delete(l.wants, seq)
}

// want notes that an event has to be read back now.
func (l *lateLabels) want(e *labels.Example) { l.wants[e.Seq] = *e }

// over reports whether labels were taken away and nothing waits any more.
func (l *lateLabels) over() bool { return l.fixed == nil && l.duplicate == nil && l.waiting.Len() == 0 }

// overfull reports whether many more wait than may.
func (l *lateLabels) overfull() bool {
	most := l.waiting.Limits.Examples
	return l.waiting.Len() > most+most/4+1000
}

// isDue reports whether an outcome is due.
func (l *lateLabels) isDue() bool {
	_, outcome := l.due()
	return outcome != 0
}

// state returns the short part of what a checkpoint holds.
func (l *lateLabels) state() *model.LateState {
	//mutation:replaced-saved
	s := &model.LateState{Clock: l.clock.Clone(), SettledIDs: l.waiting.Limits.Settled, Replaced: l.replaced}
	//mutation:duplicate-saved
	if l.duplicate != nil {
		copied := *l.duplicate
		s.Duplicate = &copied
	}
	return s
}

// Snapshot implements Settler.
func (l *lateLabels) Snapshot() func() []checkpoint.Section { return l.waiting.Snapshot().Sections }

// pass notes that a label record was gone over.
func (l *lateLabels) pass(partition int32, r *topics.Record) {
	l.clock.Pass(partition, r.Timestamp, time.Now().UnixMilli())
}
