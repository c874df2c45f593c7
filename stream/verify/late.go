package verify

import (
	"slices"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/late"
	"rosenblatt/stream/model"
)

// outcomeAudit audits outcomes and the label records that they are of.
type outcomeAudit struct {
	late.Events
	late.Maker
	ids        labels.Identifier
	labels     *event.Decoder // of label records
	partitions []*labelPartition
	watched    map[labels.ID][]*labelPartition // by the id of their next records
	next       *labels.Example                 // the newest prediction, if it waits or is a duplicate
	beside     *labels.KeptBeside              // what other learners predicted for it; nil without any
	unended    map[int64]*Finding              // by seq: examples whose waiting ended without an outcome so far
	published  int64                           // the highest timestamp of the journal so far, ms
	epoch      int64                           // the highest of the journal so far, with the entry that is judged
	own        ownLabels
}

// openLabels begins the audit of outcomes, if the model has later labels.
func (a *auditor) openLabels() (err error) {
	c := a.From.Config.Late
	if c == nil && a.top.Outcomes.Name == "" {
		return nil
	}
	l := &outcomeAudit{next: a.From.Duplicate, watched: map[labels.ID][]*labelPartition{},
		unended: map[int64]*Finding{}}
	waiting := a.From.Waiting
	if waiting == nil {
		waiting = labels.NewBeside(a.Labels.Limits, len(a.From.Config.Challengers))
	}
	if l.Events, err = late.NewEvents(a.From.Config.Decode, waiting); err != nil {
		return err
	}
	l.SetMemory(a.Labels.Memory, nil)
	l.InputReplaced(a.From.Replaced)
	if l.Maker, err = late.NewMaker(&a.From.Config); err != nil {
		return err
	}
	if c != nil { // else labels were taken away, and what waits is evicted
		l.ids.ByKey = c.ByKey()
		if l.labels, err = event.NewLabels(c.Decode, c.ByKey()); err != nil {
			return err
		}
	}
	for p, b := range a.top.Labels.Partitions {
		l.partitions = append(l.partitions, a.openLabelPartition(l, p, b))
	}
	a.late, a.result.Labels = l, &LabelResult{Outcomes: map[string]int64{}}
	return nil
}

// predictedLate notes a prediction that may get an outcome.
func (a *auditor) predictedLate(e *journal.Entry, in *input, o *model.Outcome) error {
	l, x := a.late, in.Example()
	if l == nil || a.From.Config.Late == nil {
		return nil
	}
	id := l.ids.ID(x, in.record)
	switch {
	case id == labels.ID{}:
	case o.Labelled:
		l.settleOwn(id, labels.LabelOf(x))
		return a.changed(id)
	default:
		l.next = &labels.Example{ID: id, Seq: e.Seq, Partition: e.Partition, Offset: e.Offset, Score: o.Score,
			Published: o.Kept(), Time: in.record.Timestamp,
			Since: min(in.record.Timestamp, e.Record.Timestamp)}
		if l.beside = nil; o.KeptBeside() != nil {
			kept := *o.KeptBeside()
			kept.Each = slices.Clone(kept.Each)
			l.beside = &kept
		}
		l.Put(&late.Predicted{Seq: e.Seq, Record: in.record, Example: x, Features: in.Features()})
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
	switch verdict, _ := l.Waiting.Find(x.ID, 0); {
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
		l.Waiting.Forget(x.ID)
		l.own.forget(x.ID)
		if err := a.changed(x.ID); err != nil {
			return err
		}
	}
	//mutation:verify-beside
	l.Waiting.AddWith(*x, metrics.SliceCodes{}, l.beside)
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
	if _, x := a.late.Waiting.Find(id, 0); x != nil && x.Seq == seq {
		a.late.Waiting.End(x, o, l)
		a.late.Drop(seq)
	}
	return a.changed(id)
}
