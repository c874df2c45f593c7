package survey

import (
	"strings"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
)

// Most is how many events a survey takes.
const Most = 1000

// Survey examines events up to Most. One goroutine uses it.
type Survey struct {
	LabelsLater bool // than the events, in records of their own: before Add
	// Guessed are the columns of numbers that no setting names: it is asked whether they are codes. Of those that one
	// names it is not.
	Guessed []string

	options event.Options
	format  event.Format
	decoder *event.Decoder
	walker  *event.Decoder // of a format without fields, with those that are ignored and without crosses
	fields  fields

	firstWords *field // the labels of a format without fields; nil: none yet

	events, labelled, skipped int
	featured                  int          // events with a feature
	based                     int          // events of vw with a base
	positive                  int          // of the labelled ones
	spelled                   event.Family // labels so far
	rejected                  []Rejection
	arena                     []learner.Feature
}

// Rejection counts the events that are rejected for one reason.
type Rejection struct {
	Reason event.Reason
	Count  int
	First  string // the error of the first one
	Advice string // by the first one
}

// Text is the error of the first one, and what to do about it.
func (r *Rejection) Text() string { return WithAdvice(r.First, r.Advice) }

// WithAdvice returns an error and what to do about it, once where the error says it, too.
func WithAdvice(text, advice string) string {
	//mutation:advice-once
	if strings.Contains(text, advice) {
		return text
	}
	return text + separator(text) + advice
}

func separator(text string) string {
	if strings.HasSuffix(text, "?") {
		return " "
	}
	return "; "
}

// New returns an empty survey. The error is that of event.Options.Validate.
func New(o event.Options) (*Survey, error) {
	d, err := event.New(o)
	if err != nil {
		return nil, err
	}
	f, _ := event.FindFormat(o.Format)
	all := o
	all.Ignore, all.Cross = nil, nil
	walker, err := event.New(all)
	if err != nil {
		return nil, err
	}
	return &Survey{options: o, format: f, decoder: d, walker: walker}, nil
}

// Scale has the report say what the scaling of a model makes of numbers.
func (s *Survey) Scale(as learner.Spec) (err error) {
	s.fields.scaling, err = newScaling(as)
	return err
}

// Full reports whether Add has no effect any more.
func (s *Survey) Full() bool { return s.events >= Most }

// Events is how many events there were so far.
func (s *Survey) Events() int { return s.events }

// Add examines one event.
func (s *Survey) Add(r *event.Record) {
	if s.Full() {
		return
	}
	s.events++
	var e event.Example
	s.arena = s.decoder.Decode(r, s.arena[:0], &e)
	s.join(&e)
	switch {
	case e.Skip:
		s.skipped++
		return
	case e.Rejected != nil:
		s.reject(e.Rejected, r.Value)
	case e.Family != event.Unlabelled:
		s.labelled++
		if e.Label > 0 {
			s.positive++
		}
	}
	if len(s.arena) > 0 {
		s.featured++
	}
	if s.format.LabelField == "" && (e.Family != event.Unlabelled || e.Rejected != nil && e.Rejected.Reason ==
		event.BadLabel) {
		s.addFirstWord(s.decoder.Text(r.Value))
	}
	if s.options.Format == event.VW && e.Rejected == nil && hasBase(r.Value) {
		s.based++
	}
	if e.Rejected == nil || e.Rejected.Reason >= event.DuplicateField {
		s.addFields(r)
	}
	if x := s.fields.scaling; x != nil {
		if e.Rejected == nil && (s.LabelsLater || e.Family != event.Unlabelled) {
			x.learn()
		}
		x.x = x.x[:0]
	}
}

// join rejects a label of another kind than those before, as a model does.
func (s *Survey) join(e *event.Example) {
	if e.Label == 0 {
		return
	}
	spelled, err := s.spelled.Join(e.Family)
	//mutation:label-of-another-kind
	if err != nil {
		e.Rejected = err
	}
	s.spelled = spelled
}

// Refuse counts a record of which no event could be made.
func (s *Survey) Refuse(why *event.Error) {
	if !s.Full() {
		s.events++
		advice := "the file has to be mended there"
		if why.Reason == event.Encoding {
			advice = "" // the error names the encodings that fit
		}
		s.rejected = CountRejection(s.rejected, why, advice)
	}
}

func (s *Survey) reject(why *event.Error, value []byte) {
	s.rejected = CountRejection(s.rejected, why, Advice(&s.options, why.Reason, value))
}

// CountRejection adds a rejection to those so far. The first of each reason keeps its text and advice.
func CountRejection(all []Rejection, why *event.Error, advice string) []Rejection {
	for i := range all {
		if all[i].Reason == why.Reason {
			all[i].Count++
			return all
		}
	}
	return append(all, Rejection{why.Reason, 1, why.Message(), advice})
}

// addFields adds the fields of an event that is well formed.
func (s *Survey) addFields(r *event.Record) {
	switch {
	case s.options.Envelope != "" && s.options.HasObjects():
		if form, ok := s.decoder.JSONForm(nil, r); ok {
			s.addJSON(form)
		}
	case s.options.Format == event.JSON:
		s.addJSON(s.decoder.Text(r.Value))
	case s.options.HasSchema():
		if form, ok := s.decoder.JSONForm(nil, r); ok {
			s.addJSON(form)
		}
	case s.format.Cells != nil:
		s.addCells(s.decoder.Text(r.Value))
	default:
		//mutation:survey-encoding
		s.walker.Walk(r, func(name []byte, f learner.Feature) {
			//mutation:words-of-vw
			if f.Kind == learner.Indicator {
				s.word(string(name))
				return
			}
			s.number(string(name), f.Value)
		})
	}
}
