package kafka

import (
	"context"
	"time"

	"rosenblatt/stream/topics"
)

// lookAge is how old a look at the topics may be that another task of the process has made.
const lookAge = 500 * time.Millisecond

// look is the last one at all partitions of the topics, for all tasks: each needs one a second.
type look struct {
	client *Client       // of all tasks
	turn   chan struct{} // full while somebody looks
	at     time.Time
	top    *topics.Topology
}

// lookAtAll returns a look at all partitions that is not older than lookAge.
func (c *Client) lookAtAll(ctx context.Context) (*topics.Topology, error) {
	l := c.look
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if time.Since(l.at) < lookAge {
		return l.top, nil
	}
	at := time.Now()
	top, err := l.client.topology(ctx, l.top)
	if err == nil {
		l.at, l.top = at, top
	}
	return top, err
}

// watchOne is Watch for a task of one partition. A topic that is not the known one is looked up anew.
func (c *Client) watchOne(ctx context.Context, known *topics.Topology) (*topics.Topology, error) {
	all, err := c.lookAtAll(ctx)
	if err != nil {
		return nil, err
	}
	own, p := *known, int(c.portion)
	for _, t := range c.names.All() {
		s, now := own.Of(t), all.Of(t)
		if s.ID != now.ID || len(s.Partitions) != min(p+1, len(now.Partitions)) {
			return c.topology(ctx, nil)
		}
		if p < len(s.Partitions) {
			s.Partitions = widened(s.Partitions, p+1)
			b := &now.Partitions[p]
			s.Partitions[p].Stable, s.Partitions[p].End, s.Partitions[p].Untold = b.Stable, b.End, b.Untold
		}
	}
	return &own, nil
}
