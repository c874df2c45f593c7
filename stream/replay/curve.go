package replay

import (
	"slices"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/model"
)

const (
	maxPoints   = 256 // of a curve; then every second one is removed
	firstStride = 10  // labelled examples between the points of a short curve
)

// curve samples a score at even distances.
type curve struct {
	stride int64 // labelled examples between points; 0 for no curve
	next   int64 // of them, at the next point
	points []metrics.Report
	cuts   []Threshold // of each point; none before the first threshold
}

// Threshold is from which score on positive was predicted after so many labelled examples.
type Threshold struct {
	Examples int64   `json:"examples"`
	Score    float64 `json:"score"`
}

// sample adds a point, and the cut where the sign of the score does not decide.
func (c *curve) sample(p *model.Processor) {
	c.points = append(c.points, p.Report())
	if d := p.Decision(); d != nil && d.HasThreshold {
		c.cuts = append(c.cuts, Threshold{p.Score.Examples(), d.Threshold})
	}
}

// halve removes every second point, and the cuts of those.
func (c *curve) halve() {
	kept := map[int64]bool{}
	for i := range maxPoints / 2 {
		c.points[i] = c.points[2*i+1]
		kept[c.points[i].Examples] = true
	}
	c.points = c.points[:maxPoints/2]
	c.cuts = slices.DeleteFunc(c.cuts, func(x Threshold) bool { return !kept[x.Examples] })
}

// add adds a point if one is due.
func (c *curve) add(p *model.Processor) {
	if c.stride == 0 || p.Score.Examples() != c.next {
		return
	}
	if len(c.points) == maxPoints {
		c.halve()
		c.stride *= 2
	}
	if c.next%c.stride == 0 {
		c.sample(p)
	}
	c.next += c.stride - c.next%c.stride
}

func (c *curve) end(p *model.Processor) {
	n, examples := len(c.points), p.Score.Examples()
	if c.stride > 0 && examples > 0 && (n == 0 || c.points[n-1].Examples != examples) {
		c.sample(p)
	}
}
