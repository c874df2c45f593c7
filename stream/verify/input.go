package verify

import (
	"fmt"

	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

type input struct {
	feed      *feed // nil before the first record is needed
	partition int32
	begin     int64              // Unknown before the first prediction is known
	pos       int64              // every record below it is accounted for
	start     int64              // of the log
	end       int64              // of the log
	dead      offsets            // of dead-lettered records ahead
	unkept    int64              // dead letters of records below may be gone
	missing   map[int64]*Finding // records below pos that lack a prediction so far
}

// maxMissing bounds the map of missing predictions; beyond it, a late one counts as a duplicate.
const maxMissing = 1 << 16

func (a *auditor) openInputs() {
	for p, b := range a.top.Input.Partitions {
		begin := at(a.From.Positions, p, b.Start)
		a.inputs = append(a.inputs, &input{partition: int32(p), begin: begin, pos: begin, start: b.Start, end: b.End,
			dead: offsets{}, missing: map[int64]*Finding{}})
	}
}

// more makes the next record available; false at the end of the log.
func (a *auditor) more(in *input) (bool, error) {
	if in.feed == nil {
		in.feed = a.read(topics.Input, in.partition, max(in.pos, in.start), in.end)
	}
	return in.feed.more()
}

func (in *input) example() *event.Example { return &in.feed.now.Examples[in.feed.i] }

func (a *auditor) predict(in *input) (*model.Outcome, *event.Error) {
	return a.From.Processor.Predict(in.example(), in.feed.now.Features(in.feed.i))
}

func (in *input) take() {
	in.pos = in.feed.record().Offset + 1
	in.feed.i++
}

// pass accounts for the records below an offset. Of those that lack a prediction it learns and passes at most so many;
// stuck: it stopped before one more.
func (a *auditor) pass(in *input, to int64, most int64) (stuck bool, err error) {
	for {
		ok, err := a.more(in)
		if err != nil || !ok || in.feed.record().Offset >= to {
			return false, err
		}
		r := in.feed.record()
		switch {
		case in.dead.take(r.Offset):
			a.result.DeadLetters++
		case topics.Skips(a.From.Skipped, in.partition, r.Offset):
			a.result.Skipped++
		case in.example().Skip:
			a.result.Nulls++
		default:
			o, rejected := a.predict(in)
			switch {
			case rejected != nil && r.Offset < in.unkept:
				a.result.Unkept++
			case rejected != nil:
				a.found(1, Finding{Kind: NoDeadLetter, Input: a.inputPlace(in.partition, r.Offset),
					What: fmt.Sprintf("neither predicted nor dead-lettered; the model rejects it: %s (%s)",
						rejected.Reason, rejected.Message())})
			case most == 0:
				return true, nil
			default:
				most--
				a.missing(in, r, o)
			}
		}
		in.take()
	}
}

func (a *auditor) missing(in *input, r *topics.Record, o *model.Outcome) {
	f := a.found(1, Finding{Kind: NoPrediction, Input: a.inputPlace(in.partition, r.Offset),
		What: fmt.Sprintf("neither predicted nor dead-lettered, and a later record is;"+
			" the score would have been %v", o.Score)})
	if len(in.missing) < maxMissing {
		in.missing[r.Offset] = f
	}
	a.From.Processor.Learn(r, o)
}
