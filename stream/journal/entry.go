package journal

import (
	"fmt"
	"math"
	"strconv"

	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// Entry is a record of the journal and what it says.
type Entry struct {
	Kind   Kind
	Order  Order // set by Reader, as are Record and Offset of a Missing one: nil and -1
	Topic  topics.Topic
	Output int32 // its partition; see Reader.Next for a Missing one
	Record *topics.Record

	Partition int32     // of the input record, as is Offset
	Offset    int64     //
	Seq       int64     //
	Epoch     int64     // of the writer
	Score     float64   //
	Threshold Threshold // of a prediction
	Outcome   *Outcome  // all of it; nil of a prediction
	Why       error     // it is foreign, or out of place

	// Champion is the learner that becomes the champion before this entry, the first of its flight; empty: none does. A
	// Reader sets it.
	Champion string

	layout   []byte  // the header of a batch's first record, nil without one
	champion string  // likewise, empty without one
	flight   *flight // of a layout in a batch's first record; set by Reader
}

// Threshold is from which score on positive was predicted, where there is such a score.
type Threshold struct {
	Has bool
	At  float64
}

func thresholdOf(at *float64) (t Threshold) {
	if at != nil {
		t = Threshold{true, *at}
	}
	return t
}

// Is reports whether an outcome has this threshold, to the bit.
func (t Threshold) Is(o *model.Outcome) bool {
	return t.Has == o.HasThreshold && math.Float64bits(t.At) == math.Float64bits(o.Threshold)
}

// String writes it.
func (t Threshold) String() string {
	if !t.Has {
		return "none"
	}
	return strconv.FormatFloat(t.At, 'g', -1, 64)
}

// Flight returns the layout of the entry's flight, nil if that has one batch. A Reader sets it.
func (e *Entry) Flight() *Layout {
	if e.flight == nil {
		return nil
	}
	return &e.flight.Layout
}

func (e *Entry) place() topics.PartitionOf {
	return topics.PartitionOf{Topic: e.Topic, Partition: e.Output}
}

// runPartition is the partition that the run of a layout has.
func (e *Entry) runPartition() int32 {
	if e.Outcome != nil {
		return e.Outcome.Run().Partition
	}
	return e.Partition
}

// Parse reads a record of a topic of the journal as an entry of a model; an empty name allows any.
func Parse(topic topics.Topic, partition int32, r *topics.Record, model string) Entry {
	e, err := parse(topic, r.Value, model)
	if err == nil {
		e.layout, e.champion, err = leadIn(r.Headers)
	}
	if err != nil {
		e = Entry{Why: err}
	}
	e.Topic, e.Output, e.Record = topic, partition, r
	return e
}

// parse reads a value of a model's.
func parse(topic topics.Topic, value []byte, model string) (e Entry, err error) {
	if topic == topics.Output {
		if e, ok := parseWritten(value, model); ok {
			return e, nil
		}
	}
	e, name, err := parseAny(topic, value)
	if err == nil && model != "" && !IsModel(name, model) {
		err = fmt.Errorf("%v of %s", e.Kind, name)
	}
	return e, err
}

// parseAny reads a value however it is spelled, and says which model's it is.
func parseAny(topic topics.Topic, value []byte) (e Entry, model string, err error) {
	if topic == topics.Outcomes {
		o, err := ParseOutcome(value)
		if err != nil {
			return e, "", err
		}
		return Entry{Kind: o.Kind, Partition: o.Partition, Offset: o.Offset, Seq: o.Seq, Epoch: EpochOf(o.Model),
			Score: o.Score, Outcome: o}, o.Model, nil
	}
	p, err := ParsePrediction(value)
	return Entry{Kind: Predicted, Partition: p.Partition, Offset: p.Offset, Seq: p.Seq, Epoch: EpochOf(p.Model),
		Score: p.Score, Threshold: thresholdOf(p.Threshold)}, p.Model, err
}
