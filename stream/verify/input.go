package verify

import (
	"fmt"
	"math"

	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/readahead"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/walk"
)

type input struct {
	walk.Records
	record   *topics.Record     // the next one, once more has returned true
	begin    int64              // Unknown before the first prediction is known
	pos      int64              // every record below it is accounted for
	start    int64              // of the log
	stable   int64              // of the log: there are no committed records from it on
	end      int64              // of the log
	epoch    int64              // of the prediction or the floor that passes records now
	dead     deadSet            // of dead-lettered records ahead
	lastDead int64              // above the last one's offset
	sent     int64              // of what was rejected below, the dead letters were in the topic before it was read
	unkept   int64              // dead letters of records below may be gone
	missing  map[int64]*Finding // records below pos that lack a prediction so far
}

// maxMissing bounds the map of missing predictions; beyond it, a late one counts as a duplicate.
const maxMissing = 1 << 16

func (a *auditor) openInputs() {
	for p, b := range a.top.Input.Partitions {
		begin := at(a.From.Positions, p, b.Start)
		in := &input{begin: begin, pos: max(begin, b.Start), start: b.Start, stable: b.Stable, end: b.End,
			dead: deadSet{}, missing: map[int64]*Finding{}}
		in.Records = walk.Records{Number: int32(p), Open: func() *readahead.Cursor {
			return a.read(topics.Input, in.Number, in.pos, in.stable)
		}}
		a.inputs = append(a.inputs, in)
	}
}

// readInputs begins to read the partitions of which there are predictions, all at once.
func (a *auditor) readInputs() {
	for _, o := range a.outputs {
		p, read := int(o.Partition), o.Topic == topics.Output && o.First != math.MaxInt64
		if read && p < len(a.inputs) && a.inputs[p].begin != Unknown {
			a.inputs[p].Begin()
		}
	}
}

// more makes the next record available; false at the end of the log. An open transaction ends it.
func (a *auditor) more(in *input) (ok bool, err error) {
	in.record, err = in.Below(a.ctx, in.stable)
	return in.record != nil, err
}

func (a *auditor) predict(in *input) (*model.Outcome, *event.Error) {
	return a.From.Processor.Predict(in.Example(), in.Features())
}

// take passes the next record, and the offsets before it that hold none.
func (a *auditor) take(in *input) {
	a.gap(in, in.record.Offset)
	in.pos++
	in.Take()
}

// gap passes offsets without a record: markers, records of aborted transactions, what compaction deleted, and what
// cannot be read and was skipped.
func (a *auditor) gap(in *input, to int64) {
	a.result.Gaps += to - in.pos
	for ; len(a.From.Skipped) > 0 && in.pos < to; in.pos++ {
		if topics.Skips(a.From.Skipped, in.Number, in.pos) {
			a.result.Gaps--
			a.result.Skipped++
		}
	}
	in.pos = to
}

// everyRecord is for a pass where no seq is missing.
const everyRecord = math.MaxInt64

// pass accounts for the records below an offset. Of those that lack a prediction it passes at most so many; stuck: it
// stopped before one more.
func (a *auditor) pass(in *input, to int64, most int64) (stuck bool, err error) {
	hole := most != everyRecord
	for in.pos < to {
		ok, err := a.more(in)
		if err != nil || !ok || in.record.Offset >= to {
			return false, err
		}
		if hole && a.undecided(in) {
			return false, nil
		}
		if o := a.account(in); o != nil {
			if most == 0 {
				return true, nil
			}
			a.missing(in, o, hole)
			most--
		}
		a.take(in)
	}
	return false, nil
}

// undecided reports whether the next record has a dead letter that the model may explain once it has learned all that
// comes before the next prediction of the partition.
func (a *auditor) undecided(in *input) bool {
	if in.dead.at(in.record.Offset) != byModel || in.Example().Skip {
		return false
	}
	_, rejected := a.predict(in)
	return rejected == nil
}

// account counts the next record as what became of it. It returns what the model predicts for a record that lacks its
// prediction.
func (a *auditor) account(in *input) *model.Outcome {
	offset := in.record.Offset
	why := in.dead.at(offset)
	switch {
	case why == asGiven, why != notDead && in.Example().Skip:
		a.deadLettered(in)
		return nil
	case why == notDead && topics.Skips(a.From.Skipped, in.Number, offset):
		a.result.Skipped++
		return nil
	case in.Example().Skip:
		a.result.Nulls++
		return nil
	}
	switch o, rejected := a.predict(in); {
	case rejected == nil && why != byModel:
		return o
	case rejected == nil:
		a.disputed(in, o)
	case why != notDead:
		a.deadLettered(in)
	case offset < in.unkept:
		a.result.Unkept++
	default:
		a.found(1, Finding{Kind: NoDeadLetter, Input: a.inputPlace(in.Number, offset),
			What: fmt.Sprintf("neither predicted nor dead-lettered; the model rejects it: %s (%s)",
				rejected.Reason, rejected.Message())})
	}
	return nil
}

// missing is a finding about the next record, which lacks its prediction. If a seq is missing for it, it was learned;
// with a dead letter and without a hole it was not.
func (a *auditor) missing(in *input, o *model.Outcome, hole bool) {
	r := in.record
	if in.dead.at(r.Offset) != notDead {
		a.disputed(in, o)
		if hole {
			a.learn(r, o)
		}
		return
	}
	passed := "a later record is"
	if a.concluding {
		passed = "the checkpoint's position is above it"
	}
	f := a.found(1, Finding{Kind: NoPrediction, Input: a.inputPlace(in.Number, r.Offset),
		What: fmt.Sprintf("neither predicted nor dead-lettered, and %s;"+
			" the score would have been %v", passed, o.Score)})
	if len(in.missing) < maxMissing {
		in.missing[r.Offset] = f
	}
	a.learn(r, o)
}
