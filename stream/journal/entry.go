package journal

import (
	"bytes"
	"fmt"
	"strconv"

	"rosenblatt/stream/topics"
)

// Kind says what a record of the output topic is.
type Kind uint8

// The kinds of records.
const (
	Foreign Kind = iota // not an entry of the model
	Predicted
)

// Entry is a record of the output topic and what it says.
type Entry struct {
	Kind   Kind
	Order  Order // set by Reader, as are Record and Offset of a Missing one: nil and -1
	Output int32 // its partition
	Record *topics.Record

	Partition int32   // of the input record, as is Offset
	Offset    int64   //
	Seq       int64   //
	Epoch     int64   // of the writer
	Score     float64 // unless only the end of the value was parsed
	Why       error   // it is foreign, or mislaid

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

// Parse reads a record of the output topic as an entry of a model; an empty name allows any.
func Parse(output int32, r *topics.Record, model string) Entry {
	p, err := ParsePrediction(r.Value)
	if err == nil && model != "" && !IsModel(p.Model, model) {
		err = fmt.Errorf("a prediction of %s", p.Model)
	}
	var layout []byte
	if err == nil {
		layout, err = layoutIn(r.Headers)
	}
	if err != nil {
		return Entry{Output: output, Record: r, Why: err}
	}
	return Entry{Kind: Predicted, Output: output, Record: r, layout: layout,
		Partition: p.Partition, Offset: p.Offset, Seq: p.Seq, Epoch: EpochOf(p.Model), Score: p.Score}
}

// ParseEnd is a faster Parse for callers that compare the value with a computed one: it reads only the end of a value
// that ends as this program writes it, and no score.
func ParseEnd(output int32, r *topics.Record, model string) Entry {
	if e, ok := parseEnd(r.Value, model); ok {
		var err error
		if e.layout, err = layoutIn(r.Headers); err == nil {
			e.Output, e.Record = output, r
			return e
		}
	}
	return Parse(output, r, model)
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
