package journal

import (
	"bytes"
	"fmt"
	"strconv"

	"rosenblatt/stream/topics"
)

// Entry is a record of the journal and what it says.
type Entry struct {
	Kind   Kind
	Order  Order // set by Reader, as are Record and Offset of a Missing one: nil and -1
	Topic  topics.Topic
	Output int32 // its partition; see Reader.Next for a Missing one
	Record *topics.Record

	Partition int32    // of the input record, as is Offset
	Offset    int64    //
	Seq       int64    //
	Epoch     int64    // of the writer
	Score     float64  // unless only the end of the value was parsed
	Outcome   *Outcome // all of it; nil of a prediction
	Why       error    // it is foreign, or mislaid

	layout []byte  // the header of a batch's first record, nil without one
	flight *flight // of a layout in a batch's first record; set by Reader
}

// Flight returns the layout of the entry's flight, nil if that has one batch. A Reader sets it.
func (e *Entry) Flight() *Layout {
	if e.flight == nil {
		return nil
	}
	return &e.flight.Layout
}

func (e *Entry) place() place { return place{e.Topic, e.Output} }

// runPartition is the partition that the run of a layout has.
func (e *Entry) runPartition() int32 {
	if e.Outcome != nil {
		return e.Outcome.Run().Partition
	}
	return e.Partition
}

// Parse reads a record of a topic of the journal as an entry of a model; an empty name allows any.
func Parse(topic topics.Topic, partition int32, r *topics.Record, model string) Entry {
	e, name, err := parse(topic, r.Value)
	if err == nil && model != "" && !IsModel(name, model) {
		err = fmt.Errorf("%v of %s", e.Kind, name)
	}
	if err == nil {
		e.layout, err = layoutIn(r.Headers)
	}
	if err != nil {
		e = Entry{Why: err}
	}
	e.Topic, e.Output, e.Record = topic, partition, r
	return e
}

// parse reads a value, and says which model's it is.
func parse(topic topics.Topic, value []byte) (e Entry, model string, err error) {
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
		Score: p.Score}, p.Model, err
}

// ParseEnd is a faster Parse of predictions for callers that compare the value with a computed one: it reads only the
// end of a value that ends as this program writes it, and no score.
func ParseEnd(output int32, r *topics.Record, model string) Entry {
	if e, ok := parseEnd(r.Value, model); ok {
		var err error
		if e.layout, err = layoutIn(r.Headers); err == nil {
			e.Topic, e.Output, e.Record = topics.Output, output, r
			return e
		}
	}
	return Parse(topics.Output, output, r, model)
}

var partitionField = []byte(`,"partition":`)

// parseEnd reads `,"partition":0,"offset":41,"time":1795257554199,"seq":42,"model":"fraud@3"}` at the end of a value.
func parseEnd(value []byte, model string) (e Entry, ok bool) {
	at := bytes.LastIndex(value, partitionField)
	if at < 0 {
		return e, false
	}
	s := scanner{value[at:], true}
	e.Kind = Predicted
	e.Partition = int32(s.number(`,"partition":`, 31))
	e.Offset = s.number(`,"offset":`, 63)
	s.number(`,"time":`, 63)
	e.Seq = s.number(`,"seq":`, 63)
	s.text(`,"model":"`)
	s.text(model)
	e.Epoch = s.number(`@`, 63)
	s.text(`"}`)
	return e, s.ok && len(s.rest) == 0 && e.Seq > 0
}

// scanner consumes a text; ok is false from the first mismatch on.
type scanner struct {
	rest []byte
	ok   bool
}

// text consumes this text.
func (s *scanner) text(want string) {
	if s.ok = s.ok && len(s.rest) >= len(want) && string(s.rest[:len(want)]) == want; s.ok {
		s.rest = s.rest[len(want):]
	}
}

// number consumes a text and the unsigned number after it.
func (s *scanner) number(before string, bits int) int64 {
	s.text(before)
	n := 0
	for n < len(s.rest) && s.rest[n] >= '0' && s.rest[n] <= '9' {
		n++
	}
	if !s.ok {
		return 0
	}
	v, err := strconv.ParseUint(string(s.rest[:n]), 10, bits)
	s.ok, s.rest = err == nil, s.rest[n:]
	return int64(v)
}
