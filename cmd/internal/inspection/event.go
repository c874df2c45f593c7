package inspection

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"rosenblatt/checkpoint"
	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/schema"
)

// Event is what the model in a checkpoint predicts for one event, and why.
type Event struct {
	Prediction    json.RawMessage      `json:"prediction"` // as in predictions
	Score         float64              `json:"score"`
	Probability   *float64             `json:"probability,omitempty"` // of the prediction, where the learner has one
	Distance      *float64             `json:"distance,omitempty"`    // |score|/‖w‖, where there is a w
	Bias          float64              `json:"bias"`
	Contributions []model.Contribution `json:"contributions"` // the largest
}

// NewEvent predicts an input value, which may have a line end behind it. Where events have a schema or an envelope, the
// value may be their JSON form. What is known of schemas is nil for what is beside the file. An error says why it would
// be rejected.
func NewEvent(file *checkpoint.File, known schema.Store, value []byte, top int) (*Event, error) {
	header, proc, err := model.ReadWith(file, known)
	if err != nil {
		return nil, err
	}
	d, value, err := decoderOf(header.Config.Decode, value)
	if err != nil {
		return nil, err
	}
	var e event.Example
	record := &event.Record{Value: value}
	x := d.Decode(record, nil, &e)
	if e.Skip {
		return nil, fmt.Errorf("the event would be skipped: %s", header.Config.Decode.Skipped())
	}
	e.Label, e.Class = 0, nil // it is not to be learned
	o, rejected := proc.Predict(&e, x)
	if rejected != nil {
		return nil, refusal(record, rejected)
	}
	o.Family = proc.Family
	out := &Event{Prediction: proc.AppendPrediction(nil, &header.Config.Decode, o), Score: o.Score,
		Bias: proc.Bias(o.Prediction), Contributions: []model.Contribution{}}
	if o.Probable {
		out.Probability = new(o.Probability)
	}
	if distance, has := o.Distance(proc.Norm(o.Prediction)); has {
		out.Distance = &distance
	}
	out.Contributions = append(out.Contributions, proc.Contributions(d, record, o.Prediction, top)...)
	return out, nil
}

// refusal says why an event would be rejected. Nobody is asked for schemas: one that the model does not know may be one
// of the registry's.
func refusal(record *event.Record, rejected error) error {
	var f schema.Frame
	why, ok := errors.AsType[*event.Error](rejected)
	//mutation:schema-of-the-model
	if ok && why.Reason == event.UnknownSchema && f.Read(record, false) == "" {
		return fmt.Errorf("the model does not know schema %v: it has read no event of it; /predict of a daemon asks "+
			"the registry", f.ID)
	}
	return fmt.Errorf("the event would be rejected: %w", rejected)
}

// decoderOf returns what decodes a value: as in the topic, or the JSON form. It cuts the line end of a text off.
func decoderOf(how event.Options, value []byte) (d *event.Decoder, text []byte, err error) {
	isText := !how.HasSchema() || json.Valid(value)
	if isText {
		value = bytes.TrimRight(value, "\r\n")
	}
	if how.Envelope == event.CloudEvents || how.Envelope != "" && !(how.HasSchema() && isText) {
		d, err = event.New(how)
		if err != nil {
			return nil, nil, err
		}
		var e event.Example
		d.Decode(&event.Record{Value: value}, nil, &e)
		if e.Rejected == nil || e.Rejected.Reason != event.Envelope {
			return d, value, nil
		}
	}
	//mutation:inspect-bytes
	if isText {
		how = how.Form()
	}
	d, err = event.New(how)
	return d, value, err
}

// Print writes the event for people.
func (e *Event) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "prediction\t%s\nscore\t%.6g\n", e.Prediction, e.Score)
	if e.Probability != nil {
		fmt.Fprintf(t, "probability\t%.6g\n", *e.Probability)
	}
	if e.Distance != nil {
		fmt.Fprintf(t, "distance\t%.6g, |w·x + b|/‖w‖\n", *e.Distance)
	}
	fmt.Fprintf(t, "\nfeature\tvalue\tweight\tcontribution\n")
	for _, c := range e.Contributions {
		//mutation:inspect-printable
		fmt.Fprintf(t, "%s\t%.6g\t%.6g\t%.6g\n", cli.Printable(c.Name), c.Value, c.Weight, c.Contribution)
	}
	fmt.Fprintf(t, "bias\t\t\t%.6g\n", e.Bias)
	return t.Flush()
}
