package training

import (
	"errors"
	"fmt"
	"io"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/cmd/internal/source"
	"rosenblatt/learner"
	"rosenblatt/learner/batch"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/replay"
	"rosenblatt/stream/survey"
)

// set is a file in memory. Dimensions of its examples are the slots that occur, numbered densely.
type set struct {
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

	classes  []int               // the number of each example's class
	features [][]learner.Feature // of several classes: as decoded
	mistakes int                 // of the trained model, on all examples
	out      []bool              // which examples are held out

	first    *survey.Survey
	strays   event.Strays
	counts   Counts
	weighted int64 // examples with a weight other than 1
}

// ShownRejects is how many rejected events are named.
const ShownRejects = 10

func (p *plan) read() (*set, error) {
	file, err := source.Open(p.File, p.Events.InFile(p.formatGiven, p.NoHeader, p.note), p.program.Stdin)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	for _, note := range file.Notes() {
		fmt.Fprintf(p.program.Stderr, "rosenblatt: %s: %s\n", p.fileName(), note)
	}
	fixed, err := p.config(file)
	if err != nil {
		return nil, err
	}
	s := &set{source: p.fileName(), fixed: fixed, dimension: map[uint32]int32{}}
	s.counts.Rejected = map[string]int64{}
	if s.proc, err = model.NewProcessor(fixed); err != nil {
		return nil, err
	}
	decoder, err := event.New(fixed.Decode)
	if err != nil {
		return nil, err
	}
	if s.first, err = survey.New(fixed.Decode); err != nil {
		return nil, err
	}
	if err := s.first.Scale(fixed.Learner); err != nil {
		return nil, err
	}
	s.first.Guessed = daemon.Guessed(fixed.Decode.Numeric, p.Numeric)
	features, err := s.readAll(decoder, file, p.program.Stderr, p.Strict)
	if err != nil {
		return nil, err
	}
	first := p.tellFirst(s)
	bad := s.counts.Rejected[event.BadLabel.String()]
	if bad > int64(len(features)) && p.Positive == "" && len(p.LabelNames) == 0 {
		return nil, s.manyLabels(first)
	}
	if len(features) == 0 {
		return nil, fmt.Errorf("%s: no labelled example to train on: %d events, %d rejected, %d without a label or "+
			"of weight 0%s",
			s.source, s.counts.Read, cli.Total(s.counts.Rejected), s.counts.Unlabelled,
			cli.When(first.Verdict != "", ": "+first.Verdict))
	}
	s.holdOut(p.options.HeldOut, p.options.Seed)
	if err := s.rescale(features); err != nil {
		return nil, err
	}
	s.place(features)
	if p.scheme != "" {
		s.features = features
	}
	return s, s.begin(decoder, p.weights, &p.start)
}

// tellFirst prints what the first events hold that is most likely a mistake.
func (p *plan) tellFirst(s *set) *survey.Report {
	daemon.NoteStrays(p.program.Stderr, s.strays, p.Numeric, s.source)
	first := s.first.Report()
	for _, w := range first.Warnings {
		fmt.Fprintf(p.program.Stderr, "rosenblatt: %v\n", w)
	}
	for _, r := range first.Reasons {
		if r.Advice == "" {
			continue // the error says it
		}
		fmt.Fprintf(p.program.Stderr, "rosenblatt: of those that are %s: %s\n", r.Reason, r.Advice)
	}
	return first
}

// note prints what was found while the file was read.
func (p *plan) note(text string) { fmt.Fprintf(p.program.Stderr, "rosenblatt: %s\n", text) }

// manyLabels explains that two-label training does not know most labels.
func (s *set) manyLabels(first *survey.Report) error {
	bad := s.counts.Rejected[event.BadLabel.String()]
	advice := "for one label against all others give --positive LABEL; for two names --label-names " +
		"NEGATIVE,POSITIVE; for several classes --task multiclass"
	if first.Labels != "" {
		advice = first.Labels
	}
	return fmt.Errorf("%s: %d of %d labels are none of -1, 0, 1, true and false: %s", s.source, bad,
		bad+int64(len(s.examples)), advice)
}

// readAll returns features in the order of the file. Rejected events are named on notes; if strict, the first is the
// error.
func (s *set) readAll(
	d *event.Decoder, from *source.File, notes io.Writer, strict bool,
) (features [][]learner.Feature, err error) {
	for {
		value, err := from.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		x, refused := s.one(d, from, value)
		switch {
		case refused != nil && strict:
			return nil, refused
		case refused != nil:
			s.reject(notes, refused)
		case x != nil:
			features = append(features, x)
		}
	}
	if more := cli.Total(s.counts.Rejected) - ShownRejects; more > 0 {
		fmt.Fprintf(notes, "rosenblatt: and %d more were rejected\n", more)
	}
	return features, nil
}

// one surveys and takes an event of the file.
func (s *set) one(d *event.Decoder, from *source.File, value []byte) ([]learner.Feature, *replay.Rejected) {
	if why := from.Fault(); why != nil {
		s.first.Refuse(why)
		s.counts.Read++
		return nil, replay.NewRejected(fmt.Sprintf("%s:%d", s.source, from.Line()), value, why)
	}
	r := &event.Record{Value: value}
	s.first.Add(r)
	return s.take(d, r, from.Line())
}

// take has the model learn an event with weight 0: names, prints and scaling statistics, but no weights. It returns no
// features of an event that is left out, and why if it was rejected.
func (s *set) take(d *event.Decoder, r *event.Record, line int) ([]learner.Feature, *replay.Rejected) {
	var e event.Example
	x := d.Decode(r, nil, &e)
	if e.Rejected == nil {
		s.strays.AddEvent(d, func() string { return fmt.Sprintf("line %d", line) })
	}
	s.counts.Read++
	weight := e.Weight
	e.Weight = 0
	outcome, rejected := s.proc.Predict(&e, x)
	switch {
	case rejected != nil:
		return nil, replay.NewRejected(fmt.Sprintf("%s:%d", s.source, line), r.Value, rejected)
	case !outcome.Labelled || weight == 0:
		s.counts.Unlabelled++
		return nil, nil
	case weight != 1:
		s.weighted++
	}
	s.proc.Learn(r, outcome)
	s.examples = append(s.examples, batch.Example{Label: e.Label})
	s.classes = append(s.classes, outcome.Label)
	s.lines = append(s.lines, line)
	if x == nil {
		x = []learner.Feature{} // an example without features is one, too
	}
	return x, nil
}

func (s *set) reject(notes io.Writer, r *replay.Rejected) {
	if cli.Total(s.counts.Rejected) < ShownRejects {
		fmt.Fprintf(notes, "rosenblatt: %v\n", r)
	}
	s.counts.Rejected[r.Reason.String()]++
}
