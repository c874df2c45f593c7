package model

import (
	"rosenblatt/learner/decision"
	"rosenblatt/learner/metrics"
)

// LearnerReport is what one of several learners of a model has reached by itself.
type LearnerReport struct {
	Name      string
	Learner   string // with its parameters
	Scale     string
	Champion  bool   // its predictions are published
	Since     int64  // it has learned what follows this seq
	Suspended string // why it has stopped for good; empty while it learns
	Score     metrics.Report
	Decision  *Decision
	Slices    []metrics.SliceRow
	Drift     *DriftReport
	Against   *Against // of a challenger
}

// Against compares the champion with a challenger: a Difference above 0 says that the challenger is better.
type Against struct {
	Costs bool // Difference is in what mistakes cost by the champion's rule, else in mistakes
	metrics.Comparison
}

// Reports are those of all learners, the champion first, then in the order of the configuration; nil without
// challengers.
func (p *Processor) Reports(c *Config) (all []LearnerReport) {
	if len(p.challengers) == 0 {
		return nil
	}
	cost, costs := p.costs()
	_ = p.each(func(name string, of *Processor) error { // it returns nil
		fixed := c.Of(name)
		r := LearnerReport{Name: name, Learner: fixed.LearnerName(), Scale: fixed.Learner.ScaleText(),
			Champion: of == p, Since: of.since, Suspended: of.suspended, Score: of.score.Report(),
			Decision: of.Decision(), Drift: of.drifts.report()}
		if counts := of.sliced.counts; counts != nil {
			r.Slices = counts.Rows()
		}
		if r.Champion {
			all = append([]LearnerReport{r}, all...)
			return nil
		}
		r.Against = &Against{costs, p.contest.compare(p.number, of.number, cost)}
		all = append(all, r)
		return nil
	})
	return all
}

// costs are what mistakes cost by the champion's rule, or 1 each.
func (p *Processor) costs() (c metrics.Cost, has bool) {
	if by := p.task.decisions(); by != nil && by.cut.Rule().Kind == decision.Cost {
		return metrics.Cost{FalsePositive: by.cut.Rule().FP, FalseNegative: by.cut.Rule().FN}, true
	}
	return metrics.Cost{FalsePositive: 1, FalseNegative: 1}, false
}

// Suspended are the learners that have stopped for good, and why.
func (p *Processor) Suspended() (all map[string]string) {
	for _, c := range p.challengers {
		if c.suspended == "" {
			continue
		}
		if all == nil {
			all = map[string]string{}
		}
		all[p.learners[c.number]] = c.suspended
	}
	return all
}
