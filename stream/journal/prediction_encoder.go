package journal

import (
	"strconv"

	"rosenblatt/stream/event"
	"rosenblatt/stream/internal/number"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// PredictionEncoder encodes predictions as the daemon publishes them. One goroutine uses it.
type PredictionEncoder struct {
	options event.Options
	proc    *model.Processor // for the names of classes
	tail    []byte           // `,"model":"name@epoch"}`

	offset, time, seq digits
}

// NewPredictionEncoder makes an encoder of p's predictions as model@epoch.
func NewPredictionEncoder(o event.Options, p *model.Processor, model string, epoch int64) *PredictionEncoder {
	return &PredictionEncoder{options: o, proc: p, tail: modelTail(model, epoch)}
}

// Append appends the prediction for record r as JSON (cmd/rosenblatt/docs/predictions.md, "Predictions"): e is decoded
// from r, o is what the model predicts. It is called between Predict and Learn.
func (p *PredictionEncoder) Append(
	b []byte, partition int32, r *topics.Record, e *event.Example, o *model.Outcome, seq int64,
) []byte {
	b = append(b, '{')
	if e.ID != nil {
		b = append(b, `"id":`...)
		b = event.AppendID(b, e)
		b = append(b, ',')
	}
	b = append(b, `"prediction":`...)
	b = p.proc.AppendPrediction(b, &p.options, o)
	b = append(b, `,"score":`...)
	b = number.Append(b, o.Score)
	if o.Probable {
		b = appendProbabilities(b, o)
	}
	if p.proc.Scores {
		b = p.appendScores(append(b, `,"scores":{`...), o)
	}
	if o.Untrained {
		b = append(b, untrainedField...)
	}
	if o.Labelled {
		b = append(b, `,"label":`...)
		b = p.proc.AppendLabel(b, &p.options, e, o)
		b = append(b, `,"mistake":`...)
		b = strconv.AppendBool(b, o.Mistake)
	}
	b = append(b, `,"updated":`...)
	b = strconv.AppendBool(b, o.Updated)
	b = append(b, `,"partition":`...)
	b = number.AppendInt(b, int64(partition))
	b = append(b, `,"offset":`...)
	b = p.offset.append(b, r.Offset)
	b = append(b, `,"time":`...)
	b = p.time.append(b, r.Timestamp)
	b = append(b, `,"seq":`...)
	b = p.seq.append(b, seq)
	return append(b, p.tail...)
}

// appendProbabilities appends what is known of probabilities, and from which score on positive is predicted.
func appendProbabilities(b []byte, o *model.Outcome) []byte {
	b = o.AppendProbability(append(b, probabilityField...))
	if !o.Ruled {
		return b
	}
	b = o.AppendPositive(append(b, positiveField...))
	if o.HasThreshold {
		b = number.Append(append(b, thresholdField...), o.Threshold)
	}
	return b
}

// Fields of a prediction between score and partition, in this order.
const (
	probabilityField = `,"probability":`
	positiveField    = `,"positive":`
	thresholdField   = `,"threshold":`
)

// untrainedField is in predictions and outcomes of which model.Outcome says so.
const untrainedField = `,"untrained":true`

// appendScores appends the members of an object, a class each in the order of discovery, and its end.
func (p *PredictionEncoder) appendScores(b []byte, o *model.Outcome) []byte {
	classes := p.proc.Classes()
	for i, score := range o.Scores {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(event.AppendClassKey(b, classes[i]), ':')
		b = number.Append(b, score)
	}
	return append(b, '}')
}
