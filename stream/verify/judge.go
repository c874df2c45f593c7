package verify

import (
	"fmt"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/model"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// judge audits an entry, and then what label records are read because of it.
func (a *auditor) judge(e *journal.Entry) error {
	epoch := a.result.Epochs[1]
	if a.late != nil {
		a.late.published = max(a.late.published, e.Record.Timestamp)
		a.late.epoch = max(a.late.epoch, e.Epoch)
	}
	if err := a.await(e); err != nil {
		return err
	}
	if e.Order == journal.Hole {
		if err := a.hole(e); err != nil {
			return err
		}
	}
	a.promote(e)
	judge := a.judgePrediction
	if e.Outcome != nil {
		judge = a.judgeOutcome
	}
	switch err := judge(e); {
	case err != nil:
		return err
	case a.result.Epochs[1] != epoch:
		return a.advanceAll()
	}
	return a.advanceRefused()
}

// promote makes the learner the champion that an entry's flight names, before its first entry.
func (a *auditor) promote(e *journal.Entry) {
	//mutation:verify-promotes
	if e.Champion == "" || e.Seq <= a.result.Seq {
		return
	}
	if err := a.From.Processor.Promote(e.Champion, e.Seq, e.Record.Timestamp); err != nil {
		a.found(1, a.about(e, Differs, "its flight makes another learner the champion: "+err.Error()))
	}
}

func (a *auditor) judgePrediction(e *journal.Entry) error {
	if int(e.Partition) >= len(a.inputs) || e.Offset >= a.inputs[e.Partition].end {
		a.advanceTo(e)
		a.found(1, a.about(e, NoInput, "a prediction for a record that does not exist"))
		return nil
	}
	in := a.inputs[e.Partition]
	if in.begin == Unknown {
		in.begin, in.pos = e.Offset, e.Offset
	}
	switch {
	case e.Offset >= in.begin && e.Offset < in.start:
		return a.absent(e, in)
	case e.Offset < in.pos:
		a.again(e, in)
		return nil
	}
	a.advanceInOrder(e)
	return a.recompute(e, in)
}

// advanceInOrder is advanceTo, with a finding about an entry that is not in its place.
func (a *auditor) advanceInOrder(e *journal.Entry) {
	switch {
	case e.Order == journal.OutOfPlace:
		a.found(1, a.about(e, Order, e.Why.Error()))
	case e.Order != journal.Next && e.Order != journal.Hole:
		a.back(e, fmt.Sprintf("seq %d is after seq %d", e.Seq, a.result.Seq))
	}
	a.advanceTo(e)
}

func (a *auditor) advanceTo(e *journal.Entry) {
	a.result.Seq, a.highest = e.Seq, max(a.highest, e.Seq)
	if a.result.Epochs[0] == 0 {
		a.result.Epochs[0] = e.Epoch
	}
}

// again is a finding about a prediction for a record that was passed.
func (a *auditor) again(e *journal.Entry, in *input) {
	if e.Seq > a.result.Seq {
		a.advanceTo(e)
	}
	if miss := in.missing[e.Offset]; miss != nil {
		delete(in.missing, e.Offset)
		a.settle(miss, 1, true)
		a.foundSeq(e.Seq)
		what := fmt.Sprintf("the prediction is after that of input partition %d offset %d", in.Number, in.pos-1)
		if e.Seq < a.result.Seq {
			what = fmt.Sprintf("seq %d is after seq %d", e.Seq, a.result.Seq)
		}
		a.found(1, a.about(e, Order, what))
		return
	}
	what := "the record was predicted or dead-lettered before"
	if e.Offset < in.begin {
		what = fmt.Sprintf("the record is before the audit's start (offset %d), where all was predicted or"+
			" dead-lettered", in.begin)
	}
	a.found(1, a.about(e, Duplicate, what))
}

func (a *auditor) recompute(e *journal.Entry, in *input) error {
	in.epoch = e.Epoch
	if _, err := a.pass(in, e.Offset, everyRecord); err != nil {
		return err
	}
	ok, err := a.more(in)
	if err != nil {
		return err
	}
	if !ok || in.record.Offset != e.Offset {
		return a.absent(e, in)
	}
	defer a.take(in)
	if in.dead.remove(e.Offset) {
		a.withDeadLetter(a.about(e, Duplicate, "the record is predicted and dead-lettered"), sought{epoch: anyEpoch})
	}
	a.result.Predictions++
	if a.lacksSchema(&a.From.Config.Decode, in.record, in.Example(), in.Again) {
		return nil
	}
	switch o, rejected := a.predict(in); {
	case in.Example().Skip:
		a.found(1, a.about(e, Differs, "the record is null and passed by, as --tombstones says"))
	case rejected != nil:
		what := fmt.Sprintf("the model rejects the record: %s (%s)", rejected.Reason, rejected.Message())
		a.found(1, a.about(e, Differs, what))
	default:
		a.compare(e, in, o)
		a.learn(in.record, o)
		return a.predictedLate(e, in, o)
	}
	return nil
}

// learn learns a published prediction, and its label if it has one.
func (a *auditor) learn(r *topics.Record, o *model.Outcome) {
	if a.late != nil {
		o.Waiting = a.late.Waiting.Sums()
	}
	//mutation:verify-publishes
	a.From.Processor.Publish(o)
	if a.late != nil {
		a.late.WaitBeside(o)
	}
	a.From.Processor.Learn(r, o)
}

func (a *auditor) about(e *journal.Entry, kind Kind, what string) Finding {
	f := Finding{Kind: kind, Seq: e.Seq, What: what,
		Output: a.outputPlace(e), Input: a.inputPlace(e.Partition, e.Offset)}
	if o := e.Outcome; o != nil && e.Kind.ByLabel() {
		f.Label = &Place{a.top.Labels.Name, o.LabelPartition, o.LabelOffset}
	}
	return f
}

// absent is a finding, or the stop, for a predicted record that its partition does not hold.
func (a *auditor) absent(e *journal.Entry, in *input) error {
	if why := a.deleted(in.Number, e.Offset); why != "" {
		return a.inputGone(e, in.Number, e.Offset, why)
	}
	a.found(1, a.about(e, NoInput, "a prediction for a record that does not exist"))
	return nil
}

// deleted says why the input no longer holds a record that it held; empty where it should hold it.
func (a *auditor) deleted(partition int32, offset int64) string {
	switch in := a.inputs[partition]; {
	case offset < in.start:
		return fmt.Sprintf("that partition begins at offset %d: the record is no longer kept", in.start)
	case a.top.Input.Compacted:
		return "that topic is compacted: Kafka has deleted the record"
	}
	return ""
}

// inputGone is the stop for an entry whose event has been deleted.
func (a *auditor) inputGone(e *journal.Entry, partition int32, offset int64, why string) error {
	return stop(stops.InputGone,
		fmt.Sprintf("seq %d is for %s partition %d offset %d, and %s", e.Seq, a.top.Input.Name, partition, offset, why),
		"give --from-checkpoint FILE, of a checkpoint of a later seq")
}
