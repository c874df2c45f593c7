package verify

import (
	"cmp"

	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// recomputeOutcome makes an outcome again, compares it with the published one, and learns it.
func (a *auditor) recomputeOutcome(e *journal.Entry, x *ending) error {
	k, err := a.event(&x.example, e)
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
	want, learned := a.outcome(e.Kind, x, k)
	if id, named := a.idOf(e); deleted != "" && !e.Kind.ByLabel() && named && id == x.example.ID {
		want.Key, want.ID = e.Record.Key, e.Outcome.ID // the daemon had the event in memory, or read it in time
	}
	//mutation:verify-outcome
	a.compareOutcome(e, want)
	if learned != nil {
		a.From.Processor.Learn(&k.Record, learned)
	}
	if want.Kind == journal.DuplicateID {
		return nil
	}
	known := labels.Label(0)
	if x.at != nil {
		known = labels.LabelOf(x.label)
	}
	return a.end(x.example.Seq, x.example.ID, cmp.Or(want.Kind.Outcome(), labels.Labelled), known)
}

// outcome makes an outcome, and what is learned from it, nil for nothing. Without the event k is nil.
func (a *auditor) outcome(kind journal.Kind, x *ending, k *labels.Kept) (*journal.Outcome, *model.Outcome) {
	w, p, options := &x.example, a.From.Processor, &a.From.Config.Decode
	o := &journal.Outcome{Kind: kind, Of: w.Seq, Score: w.Score, Untrained: w.Untrained,
		Partition: w.Partition, Offset: w.Offset, Time: w.Time}
	o.Prediction = p.AppendPrediction(nil, options, &model.Outcome{Prediction: int(w.Prediction), Family: p.Family})
	if k != nil {
		o.Key = k.Record.Key
		if k.Example.ID != nil {
			o.ID = event.AppendID(nil, &k.Example)
		}
	}
	var label *event.Example
	switch {
	case x.at != nil:
		label = x.label
		a.addLabel(o, x, k != nil)
	case kind == journal.Assumed || kind == journal.Expired:
		if o.Kind = journal.Expired; k != nil {
			label = a.late.assumed
		}
	}
	if label == nil {
		return o, nil
	}
	now, rejected := a.predictLabel(k, label)
	switch {
	case rejected != nil && x.at != nil:
		o.Kind = journal.Foreign // it belongs into a dead letter
		return o, nil
	case rejected != nil:
		return o, nil
	case x.at == nil:
		o.Kind = journal.Assumed
	}
	scoreNow := now.Score
	was := p.Published(w)
	p.SetPrediction(&was)
	if o.Label = p.AppendLabel(nil, options, label, now); k == nil {
		return o, nil
	}
	o.Scored, o.ScoreNow, o.Mistake, o.Updated = true, scoreNow, now.Mistake, now.Updated
	return o, now
}

// addLabel adds what an outcome has of its label record. Without the event it is gone.
func (a *auditor) addLabel(o *journal.Outcome, x *ending, there bool) {
	r := x.record
	o.Kind, o.LabelPartition, o.LabelOffset = journal.Labelled, x.at.partition, r.Offset
	o.Delay = r.Timestamp - o.Time
	switch {
	case there:
		return
	case a.late.byKey:
		o.Key = r.Key
	default:
		o.ID = event.AppendID(nil, x.label)
	}
	o.Kind = journal.Gone
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
