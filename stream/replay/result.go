package replay

import (
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
)

// Result is the result of a run.
type Result struct {
	Records  int64 // in all passes, rejected and skipped ones too
	Skipped  int64 // null values
	Passes   int
	Rejected map[event.Reason]int64 // by all learners
	Rejects  []*Rejected            // the first of them, and of those that only some learners reject
	Learners []Scored               // in the order given
	Late     bool                   // examples were scored when their outcomes were known, later than predicted
	Labels   *Joined                // nil without Config.Labels
	Strays   event.Strays           // words in columns of numbers, in one pass
}

// Scored is the result of one learner.
type Scored struct {
	Name        string // as given
	Predictions int64
	Untrained   int64 // of them, those that are in no figure (model.Outcome)
	Report      metrics.Report
	Curve       []metrics.Report       // at even distances, nil unless asked for
	Thresholds  []Threshold            // at points of the curve, where --decide has a rule
	Calibration []Bin                  // nil for a learner without probabilities
	Rejected    map[event.Reason]int64 // including those that all reject
	Processor   *model.Processor
}

// Baselines are those of the learner that scored most: all see the same labels.
func (r *Result) Baselines() []metrics.Row {
	var best Scored
	for i, s := range r.Learners {
		if i == 0 || s.Report.Examples > best.Report.Examples {
			best = s
		}
	}
	return best.Report.Baselines
}

func (p *evaluator) scored() Scored {
	return Scored{
		Name: p.learner.Name, Predictions: p.predictions, Untrained: p.untrained,
		Report: p.proc.Report(), Curve: p.curve.points, Thresholds: p.curve.cuts,
		Calibration: p.bins.list(), Rejected: p.rejects.count, Processor: p.proc,
	}
}
