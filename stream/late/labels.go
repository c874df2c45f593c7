package late

import (
	"cmp"
	"fmt"
	"sync/atomic"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/recall"
	"rosenblatt/stream/topics"
)

// Labels is Pending as the labels topic ends its waiting. The owner of the state owns it.
type Labels struct {
	fixed   *model.LateLabels // nil: labels were taken away, and what waits is evicted
	options *event.Options    // of the events
	Waiting *labels.Waiting
	Clock   labels.Clock
	Counts  *model.LabelCounts // part of the state's
	assumed event.Example      // the label of fixed.Assume

	Cache   labels.Cache             // the newest waiting examples
	kept    map[int64]*topics.Record // by seq: others, and what was read back; nil: no more in the input
	wants   map[int64]want           // by seq: what has to be read back
	urgent  bool                     // an outcome waits for one of them
	found   foundExample
	decoder *event.Decoder // of what is kept without features
	IDs     labels.Identifier

	memory     int64         // of cache and kept, at most
	shared     *atomic.Int64 // so many tasks share it evenly; nil: it is this one's
	keptBytes  int64
	reserved   int64 // of memory, for what is being read back
	ReadBack   int64 // examples
	recallSize int64 // bytes of one, on average

	eventKinds, LabelKinds labels.IDKinds // of events that were to wait, and of label records
	inSeconds              bool           // timestamps of events seem to be

	Duplicate *labels.Example // the last prediction, if its id was known: its outcome is next
	replaced  int64           // predictions up to this seq belong to a deleted input topic; their outcome is evicted
	Ever      model.LateLimits
	ending    ending
	scratch   lateScratch
}

// foundExample is what is kept of the example that was asked for last; without one, seq is 0.
type foundExample struct {
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
	text    []byte
	example event.Example
	outcome model.Outcome
}

// New makes what a configuration says, with nothing waiting.
func New(c *model.Config, l labels.Limits, counts *model.LabelCounts) (*Labels, error) {
	x := &Labels{recallSize: recallSize, fixed: c.Late, options: &c.Decode, Waiting: labels.New(l), Counts: counts,
		Cache: labels.Cache{Reuse: true}, kept: map[int64]*topics.Record{}, wants: map[int64]want{}}
	var err error
	if x.decoder, err = event.New(c.Decode); err != nil {
		return nil, err
	}
	counts.ByLabel.Fades = true
	x.IDs.ByKey = x.fixed != nil && x.fixed.ByKey()
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

// Apart says that ids of events and labels are of two kinds, and what to do; empty if that is not so.
func (l *Labels) Apart() string {
	if text := labels.Apart(&l.eventKinds, &l.LabelKinds); text != "" && !l.IDs.ByKey {
		return text + ": " + labels.TwoIDs
	}
	return ""
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
	l.eventKinds.Add(p.Example)
	e := labels.Example{ID: id, Seq: p.Seq, Partition: p.Partition, Offset: p.Record.Offset, Time: p.Record.Timestamp,
		Since: min(p.Record.Timestamp, p.At), Score: p.Outcome.Score,
		Prediction: int16(p.Outcome.Prediction), Untrained: p.Outcome.Untrained,
		Baselines: [2]int16{int16(p.Outcome.Baselines[0]), int16(p.Outcome.Baselines[1])}}
	if l.Waiting.Add(e) {
		copied := e
		l.Duplicate = &copied
		l.keep(p.Seq, recall.Keep(p.Record))
		return false
	}
	l.found.seq = 0 // its memory may be used again
	share := l.share()
	l.Cache.Limit = max(share-l.keptBytes-l.reserved, share/4)
	l.Cache.Put(p.Seq, p.Example, p.Features, p.Record)
	return true
}

// MemoryInUse is how many bytes are kept of events.
func (l *Labels) MemoryInUse() int64 { return l.keptBytes + l.Cache.Bytes() }

// share is the part of the memory that is this task's now.
func (l *Labels) share() int64 {
	//mutation:memory-shared
	if l.shared == nil {
		return l.memory
	}
	return max(1, l.memory/l.shared.Load())
}

// Features returns what is kept of an event, nil if the input no longer holds it. What is not known has to be read
// back. It is valid until the next call, and the next prediction.
func (l *Labels) Features(e *labels.Example) (k *labels.Kept, known bool) {
	f := &l.found
	switch {
	case f.seq == e.Seq:
		return &f.kept, true
	case e.Seq <= l.replaced:
		return nil, true
	}
	if r, known := l.kept[e.Seq]; known {
		if r == nil {
			return nil, true
		}
		f.kept = labels.Kept{Record: *r, Features: f.kept.Features[:0]}
	} else if !l.Cache.Get(e.Seq, &f.kept) {
		return nil, false
	}
	// Features that were dropped are in the record. An event that has none may be kept without its record.
	//mutation:featureless-kept
	dropped := len(f.kept.Features) == 0 && f.kept.Record.Value != nil
	if f.seq = 0; dropped && !l.decode() {
		return nil, true
	}
	f.seq = e.Seq
	return &f.kept, true
}

// known reports whether features has something to return.
func (l *Labels) known(e *labels.Example) bool {
	_, kept := l.kept[e.Seq]
	return kept || e.Seq <= l.replaced || l.Cache.Has(e.Seq)
}

// decode decodes what was found again. It returns false if the configuration that was accepted since rejects it.
func (l *Labels) decode() bool {
	k := &l.found.kept
	k.Features = l.decoder.Decode(&k.Record, k.Features[:0], &k.Example)
	return k.Example.Rejected == nil && !k.Example.Skip
}

func (l *Labels) keep(seq int64, r *topics.Record) {
	if l.kept[seq] = r; r != nil {
		l.keptBytes += recall.Size(r)
	}
}

// drop forgets what is kept of an event.
func (l *Labels) drop(seq int64) {
	if l.found.seq == seq {
		l.found.seq = 0
	}
	delete(l.wants, seq)
	r, other := l.kept[seq]
	if !other {
		l.Cache.Remove(seq)
		return
	}
	if r != nil {
		l.keptBytes -= recall.Size(r)
	}
	delete(l.kept, seq)
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

// State returns the short part of what a checkpoint holds; nil where nothing waits for labels, nor ever will.
func (l *Labels) State() *model.LateState {
	if l == nil || l.over() {
		return nil
	}
	//mutation:replaced-saved
	s := &model.LateState{Clock: l.Clock.Clone(), SettledIDs: l.Waiting.Limits.Settled, Replaced: l.replaced,
		Ever: l.Ever}
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
