package stream

import (
	"strconv"

	"rosenblatt/stream/event"
	"rosenblatt/stream/internal/number"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// answerer spells answers.
type answerer struct {
	options event.Options
	proc    *model.Processor // it spells classes
	tail    []byte           // `,"model":"name@epoch"}`

	offset, time, seq digits
}

// digits is a number as it was last written. Offsets and seqs mostly follow one another, and events of one moment have one
// timestamp: then all but the last digit stay, which is worth a twentieth of all there is to do for an event.
type digits struct {
	value int64
	front []byte // all but the last digit
	last  byte   // 0 before the first number; it changes alone, so that front need not be read just after it was written
}

// append appends n in decimal.
func (d *digits) append(dst []byte, n int64) []byte {
	switch {
	case n == d.value && d.last != 0:
	case n == d.value+1 && d.last-'0' < 9 && n > 0:
		d.last++
	default:
		d.front = strconv.AppendInt(d.front[:0], n, 10)
		end := len(d.front) - 1
		d.front, d.last = d.front[:end], d.front[end]
	}
	d.value = n
	return append(append(dst, d.front...), d.last)
}

func newAnswerer(o event.Options, proc *model.Processor, model string, epoch int64) *answerer {
	tail := event.AppendQuoted([]byte(`,"model":`), []byte(journal.ModelAt(model, epoch)))
	return &answerer{options: o, proc: proc, tail: append(tail, '}')}
}

// encode appends the prediction for an example as JSON (cmd/rosenblatt/README.md, "Predictions").
func (a *answerer) encode(b []byte, partition int32, r *topics.Record, e *event.Example, o *model.Outcome, seq int64) []byte {
	b = append(b, '{')
	if e.ID != nil {
		b = append(b, `"id":`...)
		b = event.AppendID(b, e)
		b = append(b, ',')
	}
	b = append(b, `"prediction":`...)
	b = a.proc.AppendPrediction(b, &a.options, o)
	b = append(b, `,"score":`...)
	b = number.Append(b, o.Score)
	if o.Probable {
		b = append(b, `,"probability":`...)
		b = number.Append(b, o.Probability)
	}
	if a.proc.Scores {
		b = a.appendScores(append(b, `,"scores":{`...), o)
	}
	if o.Label != 0 {
		b = append(b, `,"label":`...)
		if e.Class != nil {
			b = event.AppendClassText(b, e.Class)
		} else {
			b = a.options.AppendLabel(b, o.Label, o.Family)
		}
		b = append(b, `,"mistake":`...)
		b = strconv.AppendBool(b, o.Mistake)
	}
	b = append(b, `,"updated":`...)
	b = strconv.AppendBool(b, o.Updated)
	b = append(b, `,"partition":`...)
	b = strconv.AppendInt(b, int64(partition), 10)
	b = append(b, `,"offset":`...)
	b = a.offset.append(b, r.Offset)
	b = append(b, `,"time":`...)
	b = a.time.append(b, r.Timestamp)
	b = append(b, `,"seq":`...)
	b = a.seq.append(b, seq)
	return append(b, a.tail...)
}

// appendScores appends the members of an object, the classes by their texts, in the order of their discovery, and its end.
func (a *answerer) appendScores(b []byte, o *model.Outcome) []byte {
	for i, score := range o.Scores {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(event.AppendClassKey(b, a.proc.Multi.Classes()[i]), ':')
		b = number.Append(b, score)
	}
	return append(b, '}')
}
