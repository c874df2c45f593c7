package kafka

import (
	"context"

	"golang.org/x/sync/errgroup"

	"rosenblatt/stream/topics"
)

// Planned returns the task's topics as Ensure will leave them where it has some to create or to widen; nil where it has
// none. It changes nothing. What does not exist yet is empty. Errors are those of Ensure about what the task reads.
func (c *Client) Planned(ctx context.Context) (t *topics.Topology, err error) {
	err = c.prepare(ctx, "topics", func(ctx context.Context) (err error) {
		t, err = c.planned(ctx)
		return err
	})
	return t, err
}

func (c *Client) planned(ctx context.Context) (*topics.Topology, error) {
	cluster, metas, err := c.describeNew(ctx, true)
	if err != nil {
		return nil, err
	}
	read := len(c.opt.read())
	if err := areThere(metas[:read]); err != nil {
		return nil, err
	}
	width, lacking := len(metas[0].leaders), false
	widths := make([]int, len(metas))
	for i, m := range metas {
		widths[i] = len(m.leaders)
		if i >= read {
			widths[i] = c.widthOf(m, i == read, width)
		}
		lacking = lacking || len(m.leaders) < widths[i]
	}
	if c.opt.Split {
		err = c.alike(metas[:read])
	}
	if err != nil || !lacking {
		return nil, err
	}
	t := &topics.Topology{Cluster: cluster}
	if err := c.there(ctx, t, metas); err != nil {
		return nil, err
	}
	for i, topic := range c.opt.all() {
		c.plan(t.Of(topic), metas[i], widths[i])
	}
	return t, nil
}

// widthOf is how many partitions a topic that the task writes will have.
func (c *Client) widthOf(m topicMeta, isOutput bool, width int) int {
	switch {
	case m.missing:
		n, _ := c.newTopic(m.name, width)
		return n
	case isOutput || c.opt.Split:
		return max(len(m.leaders), width)
	}
	return len(m.leaders)
}

// there describes the topics that exist.
func (c *Client) there(ctx context.Context, t *topics.Topology, metas []topicMeta) error {
	var existing []topicMeta
	var states []*topics.TopicState
	for i, topic := range c.opt.all() {
		if m := metas[i]; !m.missing {
			s := t.Of(topic)
			m = c.view(m)[0]
			s.Name, s.ID, s.Partitions = m.name, hexID(m.id), make([]topics.Bounds, len(m.leaders))
			existing, states = append(existing, m), append(states, s)
		}
	}
	var both errgroup.Group
	both.Go(func() error { return c.bounds(ctx, existing, states) })
	both.Go(func() error { return c.settings(ctx, states) })
	return both.Wait()
}

// plan adds what a topic lacks.
func (c *Client) plan(s *topics.TopicState, m topicMeta, width int) {
	if m.missing {
		_, config := c.newTopic(m.name, width)
		s.Name, s.Planned, s.RetentionMS, s.RetentionBytes = m.name, true, -1, -1
		s.Compacted = config["cleanup.policy"] == "compact"
		s.Deleted = !s.Compacted
	}
	if c.partition != every {
		width = min(width, int(c.partition)+1)
	}
	for p := len(s.Partitions); p < width; p++ {
		s.Partitions = append(s.Partitions, topics.Bounds{Away: !c.has(p)})
	}
}
