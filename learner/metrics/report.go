package metrics

import "math"

// Row reports one predictor. The figures at its top are over all examples.
type Row struct {
	Name     string `json:"name,omitempty"` // of a baseline; the caller sets the learner's
	Examples int64  `json:"examples"`       // labelled ones
	Mistakes int64  `json:"mistakes"`
	Figures
	Last   Figures `json:"last"`   // over the last Window examples
	Fading Figures `json:"fading"` // with weights falling by Fade
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

// Report computes all figures. It sorts the window for the AUC, so it is not meant to be called for every example.
func (s *Binary) Report() Report {
	r := s.report(s.row)
	r.RocAUC, r.Last.RocAUC = s.bins.auc(), s.auc()
	r.LeftOut = int64(s.left.Labels[0] + s.left.Labels[1])
	r.Loss, r.Fading.Loss = s.loss.Sum, s.loss.Fading
	for i := range s.filled {
		at := s.place(i)
		r.Last.Loss = min(r.Last.Loss+s.outcomes[at].loss(s.scores[at]), math.MaxFloat64)
	}
	return r
}

func (s *Binary) row(name string, p int) Row {
	return Row{
		Name:     name,
		Examples: int64(s.all[p].total()),
		Mistakes: int64(s.all[p].mistakes()),
		Figures:  figuresOf(&s.all, p),
		Last:     figuresOf(&s.last, p),
		Fading:   figuresOf(&s.fading, p),
	}
}
