package metrics

import "math"

// Row reports one predictor. The figures at its top are over all examples.
type Row struct {
	Name     string `json:"name,omitempty"` // of a baseline; the caller sets the learner's
	Examples int64  `json:"examples"`       // labelled ones
	Mistakes int64  `json:"mistakes"`
	Figures
	Last      Figures `json:"last"`      // over the last Window examples
	Last10000 Figures `json:"last10000"` // over the last LongWindow examples
	Fading    Figures `json:"fading"`    // with weights falling by Fade
}

// Report is what a score has measured.
type Report struct {
	Row
	Predictions int64   `json:"answered"`  // examples with and without a label
	Updates     int64   `json:"updates"`   // as given to Add: examples, or steps of learners
	R           float64 `json:"R"`         // largest ‖(x, 1)‖ given to AddNorm
	Baselines   []Row   `json:"baselines"` // "no-change" and "majority"

	// LeftOut is how many labelled examples are in no figure and not among Examples: those given to LeaveOut.
	LeftOut int64 `json:"leftOut,omitempty"`
}

// Scope is a set of examples that figures are of, by its name.
type Scope struct {
	Name string // all, last, last10000 or fading
	Of   func(r *Row) *Figures
}

// Scopes are all of them, in the order of tables.
var Scopes = []Scope{
	{"all", func(r *Row) *Figures { return &r.Figures }},
	{"last", func(r *Row) *Figures { return &r.Last }},
	{"last10000", func(r *Row) *Figures { return &r.Last10000 }},
	{"fading", func(r *Row) *Figures { return &r.Fading }},
}

// Report computes all figures. It sorts the ring by score, so it is not meant to be called for every example.
func (s *Binary) Report() Report {
	r := s.report(s.row)
	s.bins.rank(&r.Figures)
	s.rank(Window, &r.Last)
	s.rank(LongWindow, &r.Last10000)
	s.setProbabilities(&r.Row, s.labelAt)
	r.LeftOut = int64(s.left.Labels[0] + s.left.Labels[1])
	s.setLosses(&r.Row)
	return r
}

// setLosses sets the perceptron's loss, where there are examples.
func (s *Binary) setLosses(r *Row) {
	if s.filled == 0 {
		return
	}
	last, long := 0.0, 0.0
	for i := range s.filled {
		at := s.place(i)
		loss := s.outcomes[at].loss(s.scores[at])
		long = min(long+loss, math.MaxFloat64)
		if i >= s.filled-Window {
			last = min(last+loss, math.MaxFloat64)
		}
	}
	r.Loss, r.Last.Loss, r.Last10000.Loss = Known(s.loss.Sum), Known(last), Known(long)
	r.Fading.Loss = Known(s.loss.Fading)
}

func (s *Binary) row(name string, p int) Row {
	return Row{
		Name:      name,
		Examples:  int64(s.all[p].total()),
		Mistakes:  int64(s.all[p].mistakes()),
		Figures:   figuresOf(&s.all, p),
		Last:      figuresOf(&s.last, p),
		Last10000: figuresOf(&s.long, p),
		Fading:    figuresOf(&s.fading, p),
	}
}
