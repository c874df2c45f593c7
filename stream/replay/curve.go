package replay

import (
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/model"
)

// maxPoints is how many points a curve has at most. When it is full every second one goes.
const maxPoints = 256

// firstStride is how many labelled examples lie between the points of a short curve.
const firstStride = 10

// curve samples a score at even distances, on few points however long the stream is.
type curve struct {
	stride int64 // labelled examples between points; 0 for no curve
	next   int64 // the number of labelled examples at the next point
	points []metrics.Report
}

func newCurve(wanted bool) curve {
	if !wanted {
		return curve{}
	}
	return curve{stride: firstStride, next: firstStride}
}

// note takes a point if one is due.
func (c *curve) note(p *model.Processor) {
	if p.Score.Examples() != c.next {
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

// end takes the last point, where the stream ends.
func (c *curve) end(p *model.Processor) {
	if n := len(c.points); p.Score.Examples() > 0 && (n == 0 || c.points[n-1].Examples != p.Score.Examples()) {
		c.points = append(c.points, p.Report())
	}
}
