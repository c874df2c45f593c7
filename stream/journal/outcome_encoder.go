package journal

import (
	"strconv"

	"rosenblatt/stream/event"
	"rosenblatt/stream/internal/number"
)

// OutcomeEncoder encodes outcomes as the daemon publishes them.
type OutcomeEncoder struct {
	tail       []byte // `,"model":"name@epoch"}`
	label, seq digits
}

// NewOutcomeEncoder makes an encoder of the outcomes of model@epoch.
func NewOutcomeEncoder(model string, epoch int64) *OutcomeEncoder {
	return &OutcomeEncoder{tail: modelTail(model, epoch)}
}

// modelTail is the last field of an entry's value, and the end of it.
func modelTail(model string, epoch int64) []byte {
	return append(event.AppendQuoted([]byte(`,"model":`), []byte(ModelAt(model, epoch))), '}')
}

// Append appends an outcome as JSON under a seq.
func (x *OutcomeEncoder) Append(b []byte, o *Outcome, seq int64) []byte {
	b = append(b, '{')
	if o.ID != nil {
		b = append(append(append(b, `"id":`...), o.ID...), ',')
	}
	b = append(append(append(b, `"outcome":"`...), o.Kind.String()...), '"')
	if o.Label != nil {
		b = append(append(b, `,"label":`...), o.Label...)
	}
	b = append(append(b, `,"prediction":`...), o.Prediction...)
	b = number.Append(append(b, `,"score":`...), o.Score)
	if o.Untrained {
		b = append(b, untrainedField...)
	}
	if o.Scored {
		b = strconv.AppendBool(append(b, `,"mistake":`...), o.Mistake)
	}
	b = strconv.AppendBool(append(b, `,"updated":`...), o.Updated)
	if o.Scored {
		b = number.Append(append(b, `,"scoreNow":`...), o.ScoreNow)
	}
	if o.Kind.ByLabel() {
		b = number.AppendInt(append(b, `,"delay":`...), o.Delay)
	}
	b = number.AppendInt(append(b, `,"partition":`...), int64(o.Partition))
	b = number.AppendInt(append(b, `,"offset":`...), o.Offset)
	b = number.AppendInt(append(b, `,"time":`...), o.Time)
	b = number.AppendInt(append(b, `,"of":`...), o.Of)
	if o.Kind.ByLabel() {
		b = number.AppendInt(append(b, `,"labelPartition":`...), int64(o.LabelPartition))
		b = x.label.append(append(b, `,"labelOffset":`...), o.LabelOffset)
	}
	b = x.seq.append(append(b, `,"seq":`...), seq)
	return append(b, x.tail...)
}
