package board

import (
	"math"

	"github.com/rs/zerolog"

	"rosenblatt/stream/model"
)

// drifts logs the drifts of a model. The owner of the state owns it.
type drifts struct {
	rule   string // by which they were counted; empty: not yet
	logged int64  // of them, and those that were there when this process began
}

// report returns what is known of drifts, and logs those that are new.
func (d *drifts) report(log *zerolog.Logger, p *model.Processor) *model.DriftReport {
	r := p.DriftReport()
	if r == nil {
		return nil
	}
	if d.rule != r.Rule {
		d.rule, d.logged = r.Rule, r.Drifts
	}
	for i := range r.List {
		//mutation:drifts-logged-once
		if after := int64(len(r.List) - i); r.Drifts-after >= d.logged {
			logDrift(log, &r.List[i])
		}
	}
	d.logged = r.Drifts
	return r
}

func logDrift(log *zerolog.Logger, x *model.Drifted) {
	what := "a drift: the model makes more mistakes than before"
	if x.Reset {
		what += ", and the learner has begun anew"
	}
	log.Warn().Int64("example", x.Example).Float64("before", rounded(x.Before)).Float64("after", rounded(x.After)).
		Int64("newest", x.Newer).Msg(what)
}

// rounded is a share as people read it.
func rounded(x float64) float64 { return math.Round(1e4*x) / 1e4 }
