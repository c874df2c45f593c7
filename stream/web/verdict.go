package web

import (
	"fmt"
	"math"
	"time"

	"github.com/dustin/go-humanize"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/board"
)

// verdictBody says in words how good the last predictions are, and whether they get better.
type verdictBody struct {
	Level string `json:"level"` // against the better baseline: better, same or worse; empty: not known yet
	Title string `json:"title"`
	Text  string `json:"text"`
}

const (
	enoughExamples = 100       // labelled ones, to say something
	trendAfter     = time.Hour // the age of the accuracy that is compared with
	separates      = 0.7       // the AUC from which scores are said to separate the labels

	// A difference counts from so many standard errors on. Both accuracies of a trend are of other examples, and on a
	// page that is open all day one in twenty would be seen often.
	errorsOfBaseline, errorsOfTrend = 2, 3
)

func (s *Server) verdict(v *view) verdictBody {
	//mutation:page-counts-rejects
	if b, found := rejectedVerdict(v); found {
		return b
	}
	n := min(v.Score.Examples, metrics.Window)
	accuracy := v.Score.Last.Accuracy.Value()
	text := fmt.Sprintf("%.1f %% of the last %s predictions with a label were correct", 100*accuracy,
		humanize.Comma(n))
	switch {
	//mutation:untrained-verdict
	case n == 0 && v.Score.LeftOut > 0:
		return verdictBody{Title: "Too early to tell", Text: fmt.Sprintf("All %s labels so far are of predictions that"+
			" were made before anything was learned: those are in no figure.", humanize.Comma(v.Score.LeftOut))}
	case n == 0 && v.Late != nil:
		return verdictBody{Title: "No label seen yet", Text: fmt.Sprintf("%s predictions wait for their labels, "+
			"which will show how good they are.", humanize.Comma(int64(v.Late.Waiting)))}
	case n == 0:
		return verdictBody{Title: "No label seen yet", Text: "The labels will show how good the predictions are."}
	case n < enoughExamples || len(v.Score.Baselines) == 0:
		return verdictBody{Title: "Too early to tell", Text: text + "."}
	}
	if b, found := v.alertsVerdict(); found {
		return b
	}
	//mutation:page-speaks-of-accuracy
	if b, rare := s.rareVerdict(v); rare {
		return b
	}
	best := betterBaseline(v.Score.Baselines)
	against := compare(accuracy, best.Last.Accuracy.Value(), n, n, errorsOfBaseline)
	b := verdictBody{Level: [...]string{"worse", "same", "better"}[against+1]}
	b.Title = [...]string{"Worse than the baseline " + best.Name, "No better than the baseline " + best.Name,
		"Better than both baselines"}[against+1]
	b.Text = fmt.Sprintf("%s, against %.1f %% of %s, the better baseline%s.", text, 100*best.Last.Accuracy.Value(),
		best.Name, perhaps(against, accuracy, best.Last.Accuracy.Value()))
	title, then := s.trend(v, accuracy, n)
	b.Title, b.Text = b.Title+title, b.Text+then
	if auc, known := v.Score.Last.RocAUC.Get(); known && against <= 0 && auc >= separates {
		b.Text += fmt.Sprintf(" Yet their scores separate the labels (AUC %.3f): where one label is rare, the"+
			" learner's positive-weight or negative-weight moves the boundary.", auc)
	}
	return b
}

// enoughRecords is from how many of the newest records on it is said that most are rejected.
const enoughRecords = 10

// rejectedVerdict says that most of the newest events or labels are rejected: figures are of the others alone.
func rejectedVerdict(v *view) (b verdictBody, found bool) {
	say := func(what string, r *board.Rejecting) bool {
		if r.Of < enoughRecords || 2*r.Bad <= r.Of {
			return false
		}
		b = verdictBody{"worse", "Most " + what + " are rejected", oneLine(fmt.Sprintf(
			"%d of the last %d %s were rejected, the newest as %s. To do: %s.", r.Bad, r.Of, what, r.Last, r.Advice))}
		return true
	}
	found = say("events", &v.Rejects) || v.Late != nil && say("labels", &v.Late.Rejects)
	return b, found
}

const tooEarlyToCompare = " It is too early to compare with an earlier time."

// trend compares with the accuracy of an hour ago: it ends the title, and says more.
func (s *Server) trend(v *view, accuracy float64, n int64) (title, text string) {
	then, ok := s.past.before(v.now.Add(-trendAfter), metrics.Window, v.Score.Examples-metrics.Window)
	if !ok {
		return "", tooEarlyToCompare
	}
	trend := compare(accuracy, then.last, n, metrics.Window, errorsOfTrend)
	return compared(v, then, trend, fmt.Sprintf("%.1f %%%s", 100*then.last, perhaps(trend, accuracy, then.last)))
}

// compared says that the figure is worse than that of an earlier time (-1), as good (0) or better (1).
func compared(v *view, then point, trend int, was string) (title, text string) {
	ago := humanize.RelTime(then.at, v.now, "ago", "")
	return [...]string{", worse than ", ", as good as ", ", better than "}[trend+1] + ago,
		fmt.Sprintf(" %s it was %s.", ago, was)
}

func betterBaseline(baselines []metrics.Row) *metrics.Row {
	best := &baselines[0]
	for i := range baselines {
		if baselines[i].Last.Accuracy.Value() > best.Last.Accuracy.Value() {
			best = &baselines[i]
		}
	}
	return best
}

// compare returns 1 if the share a of n is larger than the share b of m, -1 if it is smaller, and 0 if the difference
// is within so many standard errors.
func compare(a, b float64, n, m int64, standardErrors float64) int {
	chance := standardErrors * math.Sqrt(a*(1-a)/float64(n)+b*(1-b)/float64(m))
	switch {
	case a-b > chance:
		return 1
	case b-a > chance:
		return -1
	}
	return 0
}

// perhaps explains why two different shares are called equal.
func perhaps(compared int, a, b float64) string {
	if compared != 0 || math.Abs(a-b) < 0.001 {
		return ""
	}
	return ", a difference that may be chance"
}
