package board

import (
	"slices"

	"github.com/rs/zerolog"

	"rosenblatt/stream/model"
	"rosenblatt/stream/survey"
	"rosenblatt/stream/topics"
)

// firstEvents has the first events of this process surveyed, and logs what is most likely a mistake. The owner of the
// state owns it.
type firstEvents struct {
	survey *survey.Survey // nil before and after
	done   bool
	warned map[string]bool // by field; the label is ""
}

// After so many events, besides the end of a survey, there is a report.
var reportedEvents = [...]int{10, 100}

// begin begins a survey, unless there was one.
func (f *firstEvents) begin(c *model.Config, labelsLater bool) error {
	if f.done || f.survey != nil {
		return nil
	}
	s, err := survey.New(c.Decode)
	if err != nil {
		return err
	}
	s.LabelsLater = labelsLater
	if err := s.Scale(c.Learner); err != nil {
		return err
	}
	f.survey, f.warned = s, map[string]bool{}
	return nil
}

// add surveys records, and returns a new report if it is time for one.
func (f *firstEvents) add(log *zerolog.Logger, records []topics.Record) (report *survey.Report) {
	for i := range records {
		if f.survey == nil {
			return report
		}
		f.survey.Add(&records[i])
		n := f.survey.Events()
		if n == reportedEvents[0] || n == reportedEvents[1] || f.survey.Full() {
			report = f.survey.Report()
			if !f.survey.Full() { // a label may be rare
				aboutLabel := func(w survey.Warning) bool { return w.Field == "" }
				report.Warnings = slices.DeleteFunc(report.Warnings, aboutLabel)
			}
			f.warn(log, report)
		}
		if f.survey.Full() {
			f.survey, f.done = nil, true
		}
	}
	return report
}

// warn logs warnings about fields of which none was logged, from a hundred events on.
func (f *firstEvents) warn(log *zerolog.Logger, r *survey.Report) {
	if r.Events < reportedEvents[1] {
		return
	}
	for _, w := range r.Warnings {
		if !f.warned[w.Field] {
			f.warned[w.Field] = true
			e := log.Warn().Int("events", r.Events)
			if w.Field != "" {
				e = e.Str("field", clip(w.Field))
			}
			e.Msg("the first events: " + clip(w.Text))
		}
	}
}
