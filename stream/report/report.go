package report

import (
	"cmp"
	"slices"
	"time"

	"rosenblatt/learner"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/profile"
	"rosenblatt/stream/replay"
)

// About describes the run of a report.
type About struct {
	Source  string        // the files or the topic, as given
	Title   string        // of the page: their names without folders; empty: Source
	Command string        // the command line
	Took    time.Duration // of the run
	Labels  [2]string     // how the negative and the positive label are spelled, of two labels
	// SortByLast sorts learners by figures over the last metrics.Window examples, else over all.
	SortByLast bool
	Cost       *metrics.Cost // of the mistakes of two labels; nil: not asked for
}

// Report is the result of a replay, made by New.
type Report struct {
	About
	Examples  int64 // predicted in all passes, with and without a label
	Untrained int64 // of them, those in no figure (model.Outcome), of the learner that has most
	Records   int64 // read in all passes
	Skipped   int64 // null values and header rows skipped
	Passes    int
	Baselines []metrics.Row
	Learners  []Learner // best first
	Macro     bool      // the figures of several classes, macro averages
	Rejected  map[event.Reason]int64
	Rejects   []*replay.Rejected // the first of them
	Late      bool               // examples count when their outcomes are known, not when they are predicted
	Joined    *replay.Joined     // nil without label records
	Fields    *profile.Report    // what the fields of events hold; nil: not asked for
	Sharing   string             // how many slots several features share; empty for few
}

// Learner is the result of one learner.
type Learner struct {
	metrics.Report                        // its Name is as given
	Rejected       map[event.Reason]int64 // by this learner, including those that all reject
	Curve          []metrics.Report
	Thresholds     []replay.Threshold    // of a rule that is not the sign of the score
	Calibration    []replay.Bin          // nil for a learner without probabilities
	Cuts           []metrics.Cut         // of two labels, where both occurred: some, for curves
	Cheapest       Cheapest              // of all cuts
	Slices         []metrics.SliceRow    // with --by
	Drift          *model.DriftReport    // nil: drifts are not detected
	Bias           float64               // of two labels
	Top            []learner.NamedWeight // likewise
	Collisions     int
	NoLearn        bool

	Scheme  string                   // of several classes: learner.Direct, OVA or OVO; "" of two labels
	Matrix  []metrics.ConfusionCount // likewise
	Classes []Class                  // by name
}

// topWeights is how many weights of a learner are shown.
const topWeights = 20

// New makes a report of a result.
func New(r *replay.Result, about About) *Report {
	out := &Report{About: about, Records: r.Records, Skipped: r.Skipped, Passes: r.Passes, Baselines: r.Baselines()}
	out.Rejected, out.Rejects, out.Late, out.Joined = r.Rejected, r.Rejects, r.Late, r.Labels
	for i := range r.Learners {
		s := &r.Learners[i]
		l := Learner{Report: s.Report, Rejected: s.Rejected, Curve: s.Curve, Calibration: s.Calibration,
			Thresholds: s.Thresholds,
			NoLearn:    s.Processor.NoLearn, Drift: s.Processor.DriftReport()}
		l.Name, l.Collisions = s.Name, s.Processor.Collisions()
		l.Scheme, l.Matrix = s.Processor.Scheme(), s.Processor.Confusion()
		if classes := s.Processor.Classes(); classes != nil {
			out.Macro, l.Classes = true, classesOf(s.Processor, l.Matrix)
		} else {
			l.Bias, l.Top = s.Processor.Bias(model.Positive), s.Processor.Top(model.Positive, topWeights)
			l.SetCuts(s.Processor.Cuts(), out.costOrOne())
			l.Slices = s.Processor.SliceRows()
		}
		out.Learners, out.Sharing = append(out.Learners, l), cmp.Or(out.Sharing, s.Processor.Sharing())
		out.Examples, out.Untrained = max(out.Examples, s.Predictions), max(out.Untrained, s.Untrained)
	}
	slices.SortStableFunc(out.Learners, out.compare())
	return out
}

// compare returns what is negative if learner a is the better one: by what its mistakes cost if that is asked for,
// else by average precision where a label is rare, else by accuracy.
func (r *Report) compare() func(a, b Learner) int {
	scope := metrics.Scopes[0]
	if r.SortByLast {
		scope = metrics.Scopes[1]
	}
	of := func(f *metrics.Figures) float64 { return f.Accuracy.Value() }
	//mutation:rare-order
	if _, _, rare := r.rare(); rare {
		if r.SortByLast {
			scope = metrics.Scopes[2] // few of the last 1,000 have the rare label
		}
		of = func(f *metrics.Figures) float64 { return f.AveragePrecision.Value() }
	}
	if r.Cost != nil {
		of = func(f *metrics.Figures) float64 { return -r.Cost.Of(&f.Confusion).Value() }
	}
	return func(a, b Learner) int { return cmp.Compare(of(scope.Of(&b.Row)), of(scope.Of(&a.Row))) }
}

// Own counts the records that this learner rejects and not all do.
func (l *Learner) Own(all map[event.Reason]int64) (n int64) {
	for reason, count := range l.Rejected {
		n += count - all[reason]
	}
	return n
}
