package web

import (
	"math"
	"slices"
	"strconv"
	"sync"
	"time"

	"rosenblatt/stream"
)

// point is the figures at one look, for curves.
type point struct {
	at                                      time.Time
	last, fading, noChange, majority, speed float64 // the accuracies are 0 to 1, the baselines' over the last 1,000; answers per second
	lag                                     int64
}

// MarshalJSON writes [ms since 1970, last, fading, no-change, majority, answers per second, lag]: a page begins with a
// thousand of them.
func (p point) MarshalJSON() ([]byte, error) {
	b := strconv.AppendInt([]byte{'['}, p.at.UnixMilli(), 10)
	for _, x := range [...]float64{p.last, p.fading, p.noChange, p.majority} {
		b = strconv.AppendFloat(append(b, ','), math.Round(x*1e5)/1e5, 'g', -1, 64)
	}
	b = strconv.AppendFloat(append(b, ','), math.Round(p.speed*10)/10, 'f', -1, 64)
	b = strconv.AppendInt(append(b, ','), p.lag, 10)
	return append(b, ']'), nil
}

// tier is a stretch of the past at one density.
type tier struct {
	every  time.Duration
	keep   int
	points []point // oldest first
}

// history is the past of the figures, so that a page opened later sees what came before. It is bounded: 1,092 points.
type history struct {
	mu    sync.Mutex
	tiers []tier
}

// newTiers are five minutes by the second, three hours by half minutes, three days by ten minutes.
func newTiers() []tier {
	return []tier{{every: time.Second, keep: 300}, {every: 30 * time.Second, keep: 360}, {every: 10 * time.Minute, keep: 432}}
}

// add takes the point into each tier whose newest one is old enough. Looks come by tickers, which are late at times: a tenth
// less is enough.
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

// historyBody is the past as a page gets it.
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

// pointOf is the point of a look; ok is false while there is nothing to tell.
func pointOf(v *view) (p point, ok bool) {
	if v.State == stream.Recovering || v.Score.Examples == 0 {
		return p, false
	}
	p = point{at: v.now, last: v.Score.Last.Accuracy, fading: v.Score.Fading.Accuracy, speed: v.seen.perSecond, lag: v.Lag()}
	for i := range v.Score.Baselines {
		switch b := &v.Score.Baselines[i]; b.Name {
		case "no-change":
			p.noChange = b.Last.Accuracy
		case "majority":
			p.majority = b.Last.Accuracy
		}
	}
	return p, true
}
