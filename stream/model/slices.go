package model

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/event"
	"rosenblatt/stream/topics"
)

// sliced counts decisions by the values of some fields. Without readers, as in a copy, nothing is added.
type sliced struct {
	counts  *metrics.Slices
	readers []sliceReader // by field
}

// sliceReader reads a field of json within the features or, where it is not there, at the top of the event.
type sliceReader []*event.FieldReader

func (s sliceReader) read(r *topics.Record) (text []byte) {
	for _, reader := range s {
		if text, _ = reader.Read(r); len(text) > 0 { // the decoder has rejected what is no event
			break
		}
	}
	return text
}

// CheckSlices reports what is wrong with the fields that decisions are to be counted by.
func CheckSlices(c *Config, fields []string) error {
	_, err := sliceReaders(c, fields)
	return err
}

func sliceReaders(c *Config, fields []string) (readers []sliceReader, err error) {
	switch {
	case len(fields) > metrics.MostSliced:
		return nil, fmt.Errorf("%d fields: want at most %d", len(fields), metrics.MostSliced)
	case c.multiclass() && len(fields) > 0:
		return nil, fmt.Errorf("decisions of several classes are not counted by fields: leave it out")
	}
	for i, field := range fields {
		switch {
		case slices.Contains(fields[:i], field):
			return nil, fmt.Errorf("%q is named twice", field)
		case field == "" || field == c.Decode.LabelField:
			return nil, fmt.Errorf("%q is the label, or no name: want a field that is known with the event", field)
		}
		paths := []string{field}
		if within := c.Decode.FeaturesField; within != "" && c.Decode.Format == event.JSON {
			paths = []string{within + "." + field, field}
		}
		var s sliceReader
		for _, path := range paths {
			r, err := event.NewFieldReader(c.Decode, path)
			if err != nil {
				return nil, err
			}
			s = append(s, r)
		}
		readers = append(readers, s)
	}
	return readers, nil
}

// SliceBy has decisions counted by the values of fields from now on. What is counted by other ones is forgotten, which
// is reported: then codes of earlier predictions mean nothing any more.
func (p *Processor) SliceBy(c *Config, fields []string) (forgotten bool, err error) {
	readers, err := sliceReaders(c, fields)
	if err != nil {
		return false, fmt.Errorf("by: %w", err)
	}
	was := p.sliced.counts
	p.sliced.readers = readers
	//mutation:slices-of-other-fields
	if was != nil && slices.Equal(was.Fields(), fields) {
		p.shareSlices(false)
		return false, nil
	}
	if p.sliced.counts = nil; len(fields) > 0 {
		p.sliced.counts = metrics.NewSlices(fields)
	}
	p.shareSlices(true)
	return was != nil, nil
}

// Slice notes the values of the fields by which decisions are counted. It is called for each prediction, in the order
// of the journal, before Learn.
func (p *Processor) Slice(r *topics.Record, o *Outcome) {
	if r == nil {
		return
	}
	for i, reader := range p.sliced.readers {
		text := reader.read(r)
		o.Slices[i] = p.shown().sliced.counts.Code(i, text, len(text) == 0, isFraction(text))
	}
}

// isFraction reports whether a text is a number and no whole one: there may be too many of those.
func isFraction(text []byte) bool {
	if len(text) == 0 || text[0] != '-' && text[0] != '+' && text[0] != '.' && (text[0] < '0' || text[0] > '9') {
		return false
	}
	x, err := strconv.ParseFloat(string(text), 64)
	return err == nil && x != math.Trunc(x)
}

// count adds a decision. Predictions that are in no figure are in none by field either.
func (s *sliced) count(o *Outcome) {
	if s.counts != nil && o.Labelled && !o.Untrained {
		s.counts.Add(o.Slices, labelOf(o.Prediction), labelOf(o.Label))
	}
}

// copyTo copies the counts.
func (s *sliced) copyTo(to *sliced) {
	if s.counts == nil {
		to.counts = nil
		return
	}
	if to.counts == nil {
		to.counts = &metrics.Slices{}
	}
	s.counts.CopyTo(to.counts)
}

// SliceRows are the decisions by field and value, nil without fields.
func (p *Processor) SliceRows() []metrics.SliceRow {
	counts := p.shown().sliced.counts
	if counts == nil {
		return nil
	}
	return counts.Rows()
}
