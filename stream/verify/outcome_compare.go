package verify

import (
	"cmp"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/late"
	"rosenblatt/stream/topics"
)

// recomputeOutcome makes an outcome again, compares it with the published one, and learns it.
func (a *auditor) recomputeOutcome(e *journal.Entry, x *ending) error {
	k, err := a.event(&x.example)
	if err != nil {
		return err
	}
	deleted := ""
	if k == nil {
		//mutation:verify-event-deleted
		deleted = a.deleted(x.example.Partition, x.example.Offset)
	}
	if deleted != "" && (e.Kind == journal.Labelled || e.Kind == journal.Assumed) {
		return a.inputGone(e, x.example.Partition, x.example.Offset, deleted)
	}
	want := a.outcome(e.Kind, x, k)
	if id, named := a.idOf(e); deleted != "" && !e.Kind.ByLabel() && named && id == x.example.ID {
		want.Key, want.ID = e.Record.Key, e.Outcome.ID // the daemon had the event in memory, or read it in time
	}
	//mutation:verify-outcome
	a.compareOutcome(e, want)
	if learned := a.late.Learned(); learned != nil {
		learned.Waiting = a.late.Waiting.Others(&x.example)
		a.late.EndBeside(&x.example, learned)
		a.From.Processor.Learn(&k.Record, learned)
	}
	if want.Kind == journal.DuplicateID {
		a.late.Drop(x.example.Seq)
		a.late.Duplicate = nil
		return nil
	}
	known := labels.Label(0)
	if x.at != nil {
		known = labels.LabelOf(x.label)
	}
	return a.end(x.example.Seq, x.example.ID, cmp.Or(want.Kind.Outcome(), labels.Labelled), known)
}

// outcome makes an outcome. Without the event k is nil.
func (a *auditor) outcome(kind journal.Kind, x *ending, k *labels.Kept) *journal.Outcome {
	m, p := &a.late.Maker, a.From.Processor
	switch {
	case x.at != nil:
		label := &late.LabelRecord{Partition: x.at.Partition, Record: x.record, Example: x.label}
		if o, rejected := m.MakeLabelled(&x.example, k, label, p); rejected == nil {
			return o
		}
		kind = journal.Foreign // it belongs into a dead letter
	case kind == journal.Assumed || kind == journal.Expired:
		if k != nil && m.Assumes() {
			if o, rejected := m.MakeAssumed(&x.example, k, p); rejected == nil {
				return o
			}
		}
		kind = journal.Expired
	}
	return m.MakeUnlabelled(kind, &x.example, k, p)
}

// compareOutcome is a finding if a published outcome is not the computed one.
func (a *auditor) compareOutcome(e *journal.Entry, want *journal.Outcome) {
	r := topics.Record{Key: want.Key, Value: journal.NewOutcomeEncoder(a.Model, e.Epoch).Append(nil, want, e.Seq)}
	partition := want.Home(len(a.top.Outcomes.Partitions))
	for n := range a.top.Outcomes.Partitions { // the topic may have had fewer
		if want.Home(n+1) == e.Output {
			partition = e.Output
		}
	}
	a.compareRecord(e, &r, partition)
}
