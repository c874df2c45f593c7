package replay

import (
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
}

// add adds a point if one is due.
func (c *curve) add(p *model.Processor) {
	if c.stride == 0 || p.Score.Examples() != c.next {
		return
	}
	if len(c.points) == maxPoints {
		for i := range maxPoints / 2 {
			c.points[i] = c.points[2*i+1]
		}
		c.points = c.points[:maxPoints/2]
		c.stride *= 2
	}
	if c.next%c.stride == 0 {
		c.points = append(c.points, p.Report())
	}
	c.next += c.stride - c.next%c.stride
}

func (c *curve) end(p *model.Processor) {
	n, examples := len(c.points), p.Score.Examples()
	if c.stride > 0 && examples > 0 && (n == 0 || c.points[n-1].Examples != examples) {
		c.points = append(c.points, p.Report())
	}
}
