package web

import (
	"fmt"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
)

// The metrics of drifts; absent where they are not detected.
var (
	driftsTotal = counter("drifts_total",
		"Drifts detected: the newer examples have more mistakes, or dearer ones. Other settings of --drift begin anew.")
	driftChanges = counter("drift_changes_total",
		"Detected changes of how many mistakes there are, drifts and others. Other settings of --drift begin anew.")
	driftWindow = gauge("drift_window_examples", "Examples since the latest of these changes.")
	driftMean   = gauge("drift_window_mean_ratio",
		"Mean of what is looked at over these examples: mistakes, or their cost over that of the dearer one.")
)

const (
	shownDrifts = 10        // on the page, the latest
	driftIsNews = time.Hour // a notice says so for that long
)

// driftMetrics sends what is known of drifts.
func driftMetrics(g gather, st *board.Status) {
	d := st.Drift
	if d == nil {
		return
	}
	g.send(driftsTotal, float64(d.Drifts))
	g.send(driftChanges, float64(d.Changes))
	g.send(driftWindow, float64(d.Window))
	if d.Window > 0 {
		g.send(driftMean, d.Mean)
	}
}

// driftWatch finds when a drift was seen first.
type driftWatch struct {
	begun bool
	count int64     // of drifts, in the last status
	at    time.Time // of the latest that began in this process; zero: none
}

// add takes a status. What a recovery has found again is no news.
func (w *driftWatch) add(st *board.Status, now time.Time) {
	//mutation:recovered-drifts-are-no-news
	if st.State != board.Live && st.State != board.Following {
		w.begun = false
		return
	}
	count := driftCount(st)
	if w.begun && count > w.count {
		w.at = now
	}
	w.begun, w.count = true, count
}

func driftCount(st *board.Status) int64 {
	if st.Drift == nil {
		return 0
	}
	return st.Drift.Drifts
}

// drifted says that the model drifts, empty if it has not of late.
func (v *view) drifted() string {
	if v.Drift == nil || len(v.Drift.List) == 0 || v.seen.driftedAt.IsZero() ||
		v.now.Sub(v.seen.driftedAt) > driftIsNews {
		return ""
	}
	x := v.Drift.List[len(v.Drift.List)-1]
	text := fmt.Sprintf("a drift %v ago: of the newest %d examples %s were predicted wrongly, of those before %s",
		v.since(v.seen.driftedAt), x.Newer, percentOf(x.After), percentOf(x.Before))
	if v.Decision != nil && v.Drift.OfCost() {
		text = fmt.Sprintf("a drift %v ago: mistakes cost %.4g of the dearer one in each of the newest %d examples, "+
			"before %.4g", v.since(v.seen.driftedAt), x.After, x.Newer, x.Before)
	}
	if x.Reset {
		text += "; the learner has begun anew"
	}
	return text
}

func percentOf(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }

// driftOf is what the page shows of drifts: the latest.
func driftOf(d *model.DriftReport) *model.DriftReport {
	if d == nil || len(d.List) <= shownDrifts {
		return d
	}
	shown := *d
	shown.List = d.List[len(d.List)-shownDrifts:]
	return &shown
}
