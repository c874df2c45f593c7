package web

import (
	"math"
	"slices"
	"strconv"
	"sync"
	"time"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/board"
)

type point struct {
	at                               time.Time
	last, fading, noChange, majority float64 // accuracies, 0 to 1; those of the baselines over the last 1,000
	speed                            float64 // predictions per second, of a follower those that it learns
	lag                              *int64  // nil: unknown
	examples                         int64   // labelled ones, over the life of the model; not sent to the page

	precision, recall, averagePrecision metrics.Optional // over the last 10,000
	positives                           float64          // among these; not sent to the page

	drifts int64 // so far
}

// MarshalJSON writes [ms since 1970, last, fading, no-change, majority, predictions per second, lag, precision, recall,
// average precision, drifts so far]. The four before the last may be null.
func (p point) MarshalJSON() ([]byte, error) {
	b := strconv.AppendInt([]byte{'['}, p.at.UnixMilli(), 10)
	for _, x := range [...]float64{p.last, p.fading, p.noChange, p.majority} {
		b = strconv.AppendFloat(append(b, ','), math.Round(x*1e5)/1e5, 'g', -1, 64)
	}
	b = strconv.AppendFloat(append(b, ','), math.Round(p.speed*10)/10, 'f', -1, 64)
	if b = append(b, ','); p.lag == nil {
		b = append(b, "null"...)
	} else {
		b = strconv.AppendInt(b, *p.lag, 10)
	}
	for _, o := range [...]metrics.Optional{p.precision, p.recall, p.averagePrecision} {
		if x, known := o.Get(); known {
			b = strconv.AppendFloat(append(b, ','), math.Round(x*1e5)/1e5, 'g', -1, 64)
		} else {
			b = append(b, ",null"...)
		}
	}
	return append(strconv.AppendInt(append(b, ','), p.drifts, 10), ']'), nil
}

// tier holds points at one interval, oldest first.
type tier struct {
	every  time.Duration
	keep   int
	points []point
}

// history keeps up to 1,092 points.
type history struct {
	mu    sync.Mutex
	tiers []tier
}

// newTiers returns five minutes by the second, three hours by half minutes, three days by ten minutes.
func newTiers() []tier {
	return []tier{{every: time.Second, keep: 300}, {every: 30 * time.Second, keep: 360},
		{every: 10 * time.Minute, keep: 432}}
}

// add adds p to tiers whose newest point is old enough. Tickers are sometimes late: nine tenths of the interval are
// enough.
func (h *history) add(p point) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.tiers == nil {
		h.tiers = newTiers()
	}
	for i := range h.tiers {
		t := &h.tiers[i]
		if n := len(t.points); n > 0 && p.at.Sub(t.points[n-1].at) < t.every-t.every/10 {
			continue
		}
		if len(t.points) == t.keep {
			t.points = append(t.points[:0], t.points[1:]...)
		}
		t.points = append(t.points, p)
	}
}

// before returns the newest point that is at least as old as a time and has at most so many examples, but at least so
// many; if none is as old, the oldest one. False: there is none.
func (h *history) before(at time.Time, least, most int64) (p point, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, t := range h.tiers {
		for _, c := range t.points {
			switch {
			case c.examples < least || c.examples > most:
			case !ok, !c.at.After(at) && (p.at.After(at) || c.at.After(p.at)), c.at.After(at) && c.at.Before(p.at):
				p, ok = c, true
			}
		}
	}
	return p, ok
}

type historyBody struct {
	Every  int64   `json:"every_ms"`
	Keep   int     `json:"keep"`
	Points []point `json:"points"`
}

func (h *history) body() []historyBody {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := []historyBody{}
	for _, t := range h.tiers {
		out = append(out, historyBody{t.every.Milliseconds(), t.keep, slices.Clone(t.points)})
	}
	return out
}

// pointOf returns false if there are no figures yet.
func pointOf(v *view) (p point, ok bool) {
	if v.State == board.Recovering || v.State == board.Stopped || v.Score.Examples == 0 {
		return p, false
	}
	p = point{at: v.now, last: v.Score.Last.Accuracy.Value(), fading: v.Score.Fading.Accuracy.Value(),
		speed: v.seen.perSecond + v.seen.learned, lag: v.known(v.Lag()), examples: v.Score.Examples}
	long := &v.Score.Last10000
	p.precision, p.recall, p.averagePrecision = long.Precision, long.Recall, long.AveragePrecision
	p.drifts = driftCount(v.Status)
	p.positives = long.Confusion.TruePositive + long.Confusion.FalseNegative
	for i := range v.Score.Baselines {
		switch b := &v.Score.Baselines[i]; b.Name {
		case "no-change":
			p.noChange = b.Last.Accuracy.Value()
		case "majority":
			p.majority = b.Last.Accuracy.Value()
		}
	}
	return p, true
}
