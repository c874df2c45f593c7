package verify

import (
	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/recall"
)

// late audits outcomes and the label records that they are of.
type late struct {
	waiting    *labels.Waiting
	cache      labels.Cache // of the events of waiting examples; others are read again
	partitions []*labelPartition
	watched    map[labels.ID][]*labelPartition // by the id of their next records
	labels     *event.Decoder                  // of label records
	events     *event.Decoder                  // of events that are read again
	assumed    *event.Example                  // the label that silence means, or nil
	next       *labels.Example                 // the newest prediction, if it waits or is a duplicate
	unended    map[int64]*Finding              // by seq: examples whose waiting ended without an outcome so far
	published  int64                           // the highest timestamp of the journal so far, ms
	epoch      int64                           // the highest of the journal so far, with the entry that is judged
	own        ownLabels
	recalled   []recalled   // by partition of the outcomes
	spare      *labels.Kept // of spareSeq, which the cache keeps no longer
	spareSeq   int64
	byKey      bool   // ids are the records' keys
	key        []byte // scratch
}

// openLabels begins the audit of outcomes, if the model has later labels.
func (a *auditor) openLabels() (err error) {
	c := a.From.Config.Late
	if c == nil && a.top.Outcomes.Name == "" {
		return nil
	}
	memory := a.Labels.Memory
	l := &late{waiting: a.From.Waiting, cache: labels.Cache{Limit: memory * 3 / 4},
		watched: map[labels.ID][]*labelPartition{}, unended: map[int64]*Finding{}}
	for n := int64(len(a.top.Outcomes.Partitions)); int64(len(l.recalled)) < n; {
		l.recalled = append(l.recalled, recalled{room: max(memory/4/n, recall.Least), size: 1 << 10})
	}
	if l.next = a.From.Duplicate; l.waiting == nil {
		l.waiting = labels.New(a.Labels.Limits)
	}
	if l.events, err = event.New(a.From.Config.Decode); err != nil {
		return err
	}
	if c != nil { // else labels were taken away, and what waits is evicted
		if err := l.read(c); err != nil {
			return err
		}
	}
	for p, b := range a.top.Labels.Partitions {
		l.partitions = append(l.partitions, a.openLabelPartition(p, b))
	}
	a.late, a.result.Labels = l, &LabelResult{Outcomes: map[string]int64{}}
	return nil
}

// read says how label records are read.
func (l *late) read(c *model.LateLabels) (err error) {
	l.byKey = c.ByKey()
	if l.labels, err = event.NewLabels(c.Decode, l.byKey); err != nil || c.Assume == "" {
		return err
	}
	assumed, err := l.labels.ReadLabel(c.Assume)
	l.assumed = &assumed
	return err
}

// predictedLate notes a prediction that may get an outcome.
func (a *auditor) predictedLate(e *journal.Entry, in *input, o *model.Outcome) error {
	l, x := a.late, in.example()
	if l == nil || a.From.Config.Late == nil {
		return nil
	}
	id, named := a.id(x, in.record)
	switch {
	case !named:
	case o.Labelled:
		l.settleOwn(id, labels.LabelOf(x))
		return a.changed(id)
	default:
		l.next = &labels.Example{ID: id, Seq: e.Seq, Partition: e.Partition, Offset: e.Offset, Score: o.Score,
			Prediction: int16(o.Prediction), Untrained: o.Untrained, Time: in.record.Timestamp,
			Since: min(in.record.Timestamp, e.Record.Timestamp)}
		l.cache.Put(e.Seq, x, in.cursor.Features(), in.record)
	}
	return nil
}

// await lets the newest prediction wait, unless the next entry, nil at the end, is its duplicate. How many settled ids
// a daemon remembers may change: of a settled id only the journal says whether it was forgotten.
func (a *auditor) await(e *journal.Entry) error {
	l := a.late
	if l == nil || l.next == nil {
		return nil
	}
	x := l.next
	if e != nil && e.Kind == journal.DuplicateID && e.Outcome.Of == x.Seq {
		return nil
	}
	l.next = nil
	switch verdict, _ := l.waiting.Find(x.ID, 0); {
	case verdict == labels.Waits && e == nil: // the outcome is on its way
		return nil
	//mutation:verify-duplicate
	case verdict == labels.Waits:
		f := a.found(1, Finding{Kind: NoOutcome, Seq: x.Seq, Input: a.inputPlace(x.Partition, x.Offset),
			What: "its id waits already, and it is not a duplicate"})
		a.unend(x.Seq, f)
		return nil
	case verdict != labels.NoExample && e == nil:
		return nil
	case verdict != labels.NoExample:
		l.waiting.Forget(x.ID)
		l.own.forget(x.ID)
		if err := a.changed(x.ID); err != nil {
			return err
		}
	}
	l.waiting.Add(*x)
	return a.changed(x.ID)
}

// unend notes an example whose waiting has ended in no way that is published so far.
func (a *auditor) unend(seq int64, f *Finding) {
	if len(a.late.unended) < maxMissing {
		a.late.unended[seq] = f
	}
}

// end ends the waiting of an example. Before, a label of it may have been refused: the model learns what it refuses.
func (a *auditor) end(seq int64, id labels.ID, o labels.Outcome, l labels.Label) error {
	if err := a.changed(id); err != nil {
		return err
	}
	if _, x := a.late.waiting.Find(id, 0); x != nil && x.Seq == seq {
		a.late.waiting.End(x, o, l)
	}
	return a.changed(id)
}
