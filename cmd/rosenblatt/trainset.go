package main

import (
	"errors"
	"fmt"
	"io"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/events"
	"rosenblatt/learner"
	"rosenblatt/learner/batch"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/replay"
	"rosenblatt/stream/topics"
)

// trainSet is a file in memory. Slots that occur are numbered densely: those are the dimensions of the examples.
type trainSet struct {
	source    string // the file as named in errors
	fixed     model.Config
	proc      *model.Processor // knows names, scaling and the spelling of labels
	examples  []batch.Example
	lines     []int // of the file, on which the examples begin
	slots     []uint32
	prints    []uint16 // of the first name met at each
	dimension map[uint32]int32
	start     []float64 // weights at the start, nil for zeros
	bias      float64   // at the start

	classes  []int               // of several classes: the number of each example's
	features [][]learner.Feature // likewise: as decoded

	read       int64
	unlabelled int64
	weighted   int64 // examples with a weight other than 1
	rejected   map[string]int64
}

// shownRejects is how many rejected events are named; the others are counted.
const shownRejects = 10

// read reads the whole file.
func (c *trainCommand) read(p *cli.Program, plan *trainPlan) (*trainSet, error) {
	source, err := c.open(p, plan)
	if err != nil {
		return nil, err
	}
	defer func() { _ = source.Close() }() // it was only read
	fixed, err := c.fixed(plan, source)
	if err != nil {
		return nil, err
	}
	set := &trainSet{source: c.name(), fixed: fixed, dimension: map[uint32]int32{}, rejected: map[string]int64{}}
	if set.proc, err = model.NewProcessor(fixed); err != nil {
		return nil, err
	}
	decoder, err := event.New(fixed.Decode)
	if err != nil {
		return nil, err
	}
	features, err := set.readAll(decoder, source, p.Stderr, c.Strict)
	if err != nil {
		return nil, err
	}
	if bad := set.rejected[event.BadLabel.String()]; bad > int64(len(features)) && c.Positive == "" && len(c.LabelNames) == 0 {
		return nil, set.manyLabels()
	}
	if len(features) == 0 {
		return nil, fmt.Errorf("%s: no labelled example to train on: %d events, %d rejected, %d without a label or of weight 0",
			set.source, set.read, cli.Total(set.rejected), set.unlabelled)
	}
	set.place(features)
	if set.classes != nil {
		set.features = features
	}
	return set, set.begin(decoder, plan.weights)
}

// readAll takes every event, and gives the features of the examples as they stand in the file. Rejected events are named on notes; when
// strict the first of them is the error.
func (s *trainSet) readAll(d *event.Decoder, source *events.Source, notes io.Writer, strict bool) (features [][]learner.Feature, err error) {
	for {
		value, err := source.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		x, refused := s.take(d, value, source.Line())
		switch {
		case refused != nil && strict:
			return nil, refused
		case refused != nil:
			s.reject(notes, refused)
		case x != nil:
			features = append(features, x)
		}
	}
	if more := cli.Total(s.rejected) - shownRejects; more > 0 {
		fmt.Fprintf(notes, "rosenblatt: and %d more were rejected\n", more)
	}
	return features, nil
}

// take decodes an event and lets the model meet it: names, prints and the statistics that scale. With weight 0 nothing is learned.
// It returns the features of an example, or none of an event that is to be left out, and why if it was rejected.
func (s *trainSet) take(d *event.Decoder, value []byte, line int) ([]learner.Feature, *replay.Rejected) {
	var e event.Example
	x := d.Decode(nil, value, nil, &e)
	s.read++
	weight := e.Weight
	e.Weight = 0
	outcome, rejected := s.proc.Predict(&e, x)
	switch {
	case rejected != nil:
		return nil, replay.NewRejected(fmt.Sprintf("%s:%d", s.source, line), value, rejected)
	case !outcome.Labelled || weight == 0:
		s.unlabelled++
		return nil, nil
	case weight != 1:
		s.weighted++
	}
	s.proc.Learn(&topics.Record{Value: value}, outcome)
	s.examples = append(s.examples, batch.Example{Label: e.Label})
	if s.proc.Classes() != nil {
		s.classes = append(s.classes, outcome.Label)
	}
	s.lines = append(s.lines, line)
	return x, nil
}

func (s *trainSet) reject(notes io.Writer, r *replay.Rejected) {
	if cli.Total(s.rejected) < shownRejects {
		fmt.Fprintf(notes, "rosenblatt: %v\n", r)
	}
	s.rejected[r.Reason.String()]++
}

// place numbers the slots and scales the values as the model will when it sees them again, so that the scores of training are the
// model's.
func (s *trainSet) place(features [][]learner.Feature) {
	for i, x := range features {
		terms := make([]batch.Term, len(x))
		for j, f := range x {
			terms[j] = batch.Term{Index: s.number(f.Slot, f.Print), Value: f.Value}
		}
		if s.fixed.Learner.Scale != learner.ScaleNone {
			for j, part := range s.proc.Explain(0, x) {
				terms[j].Value = part.Value
			}
		}
		s.examples[i].X = terms
	}
}

// number is the dimension of a slot.
func (s *trainSet) number(slot uint32, print uint16) int32 {
	d, known := s.dimension[slot]
	if !known {
		d = int32(len(s.slots))
		s.dimension[slot] = d
		s.slots, s.prints = append(s.slots, slot), append(s.prints, print)
	}
	return d
}

// begin takes the weights at the start. A weight without an example is a dimension too.
func (s *trainSet) begin(d *event.Decoder, w *model.Weights) error {
	if w == nil {
		return nil
	}
	s.bias = w.Bias
	if len(w.Names) == 0 {
		return nil
	}
	if err := s.proc.SetWeights(w); err != nil {
		return cli.Faults{fmt.Errorf("weights: %w", err)}
	}
	for _, name := range w.Names {
		s.number(d.Hash([]byte(name)))
	}
	s.start = make([]float64, len(s.slots))
	for _, name := range w.Names {
		slot, _ := d.Hash([]byte(name))
		s.start[s.dimension[slot]] = w.Value[name]
	}
	return nil
}

func (s *trainSet) train(plan *trainPlan) (*batch.Result, error) {
	o := plan.options
	o.StartWeights, o.StartBias = s.start, s.bias
	r, err := batch.Train(s.examples, len(s.slots), o)
	if err != nil {
		return nil, unprefixed(err)
	}
	return r, nil
}
