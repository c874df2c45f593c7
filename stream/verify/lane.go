package verify

import (
	"fmt"

	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// lane is a partition of the input as a stream of records.
type lane struct {
	feed      *feed // nil before the first record is wanted
	partition int32
	begin     int64 // where the audit begins; Unknown before the first answer is known
	pos       int64 // below it the fate of every record is known
	start     int64 // of the log
	end       int64 // of the log
	letters   offsets
	unkept    int64              // dead letters of records below may be gone
	missing   map[int64]*Finding // records below pos that lack an answer so far
}

// maxMissing bounds a lane's map of missing answers. Behind that, a late one counts as a duplicate.
const maxMissing = 1 << 16

func (a *auditor) openLanes() {
	for p, b := range a.top.Input.Partitions {
		begin := at(a.From.Positions, p, b.Start)
		a.lanes = append(a.lanes, &lane{partition: int32(p), begin: begin, pos: begin, start: b.Start, end: b.End,
			letters: offsets{}, missing: map[int64]*Finding{}})
	}
}

// more sees to it that the lane's next record is at hand; false at the end of the log.
func (a *auditor) more(l *lane) (bool, error) {
	if l.feed == nil {
		l.feed = a.read(topics.Input, l.partition, max(l.pos, l.start), l.end)
	}
	return l.feed.more()
}

// example is what the record at hand decodes to.
func (l *lane) example() *event.Example { return &l.feed.now.Examples[l.feed.i] }

// predict answers the record at hand.
func (a *auditor) predict(l *lane) (*model.Outcome, *event.Error) {
	return a.From.Processor.Predict(l.example(), l.feed.now.Features(l.feed.i))
}

// take passes the record at hand.
func (l *lane) take() {
	l.pos = l.feed.record().Offset + 1
	l.feed.i++
}

// pass accounts for the records below an offset. Of those that lack an answer it passes at most so many; stuck tells
// that it stopped before one more. They are learned: when they were answered they were.
func (a *auditor) pass(l *lane, to int64, most int64) (stuck bool, err error) {
	for {
		ok, err := a.more(l)
		if err != nil || !ok || l.feed.record().Offset >= to {
			return false, err
		}
		r := l.feed.record()
		switch {
		case l.letters.take(r.Offset):
			a.result.DeadLetters++
		case topics.Skips(a.From.Skipped, l.partition, r.Offset):
			a.result.Skipped++
		case l.example().Skip:
			a.result.Nulls++
		default:
			o, rejected := a.predict(l)
			switch {
			case rejected != nil && r.Offset < l.unkept:
				a.result.Unkept++
			case rejected != nil:
				a.found(1, Finding{Kind: NoDeadLetter, Input: a.inputPlace(l.partition, r.Offset),
					What: fmt.Sprintf("neither answered nor dead-lettered; the model rejects it: %s (%s)",
						rejected.Reason, rejected.Message())})
			case most == 0:
				return true, nil
			default:
				most--
				a.unanswered(l, r, o)
			}
		}
		l.take()
	}
}

func (a *auditor) unanswered(l *lane, r *topics.Record, o *model.Outcome) {
	f := a.found(1, Finding{Kind: NoPrediction, Input: a.inputPlace(l.partition, r.Offset),
		What: fmt.Sprintf("neither answered nor dead-lettered, and there is an answer behind it; the score would have been %v", o.Score)})
	if len(l.missing) < maxMissing {
		l.missing[r.Offset] = f
	}
	a.From.Processor.Learn(r, o)
}
