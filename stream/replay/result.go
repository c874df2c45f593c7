package replay

import (
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
)

// Result is what a run came to.
type Result struct {
	Records  int64 // in all passes, rejected and skipped ones too
	Skipped  int64 // null values that were passed by
	Passes   int
	Rejected map[event.Reason]int64 // by all learners
	Rejects  []*Rejected            // the first of them, and of those that only some learners reject
	Learners []Scored               // in the order given
}

// Scored is what one learner came to.
type Scored struct {
	Name        string // as given
	Answered    int64  // examples
	Report      metrics.Report
	Curve       []metrics.Report       // at even distances, nil unless asked for
	Calibration []Bin                  // nil for a learner without probabilities
	Rejected    map[event.Reason]int64 // those that all reject among them
	Processor   *model.Processor
}

// Baselines are those of the learner that scored most examples: all learners see the same labels.
func (r *Result) Baselines() []metrics.Row {
	var best *Scored
	for i := range r.Learners {
		if s := &r.Learners[i]; best == nil || s.Report.Examples > best.Report.Examples {
			best = s
		}
	}
	if best == nil {
		return nil
	}
	return best.Report.Baselines
}

func (p *player) scored() Scored {
	return Scored{
		Name: p.learner.Name, Answered: p.answered, Report: p.proc.Report(), Curve: p.curve.points,
		Calibration: p.bins.list(), Rejected: p.rejects.count, Processor: p.proc,
	}
}
