package kafka

import (
	"context"

	"golang.org/x/sync/errgroup"

	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/topics"
)

// Planned returns the task's topics as Ensure will leave them where it has some to create or to widen; nil where it has
// none. It changes nothing. What does not exist yet is empty. Errors are those of Ensure about what the task reads.
func (c *Client) Planned(ctx context.Context) (t *topics.Topology, err error) {
	err = c.cluster.Prepare(ctx, "topics", func(ctx context.Context) (err error) {
		t, err = c.planned(ctx)
		return err
	})
	return t, err
}

func (c *Client) planned(ctx context.Context) (*topics.Topology, error) {
	id, metas, err := c.describeNew(ctx, true)
	if err != nil {
		return nil, err
	}
	read := len(c.names.Read())
	if err := areThere(metas[:read]); err != nil {
		return nil, err
	}
	width, lacking := len(metas[0].Leaders), false
	widths := make([]int, len(metas))
	for i, m := range metas {
		widths[i] = len(m.Leaders)
		if i >= read {
			widths[i] = c.widthOf(m, i == read, width)
		}
		lacking = lacking || len(m.Leaders) < widths[i]
	}
	if c.opt.Split {
		err = c.alike(metas[:read])
	}
	if err != nil || !lacking {
		return nil, err
	}
	t := &topics.Topology{Cluster: id}
	if err := c.there(ctx, t, metas); err != nil {
		return nil, err
	}
	for i, topic := range c.names.All() {
		c.plan(t.Of(topic), metas[i], widths[i])
	}
	return t, nil
}

// widthOf is how many partitions a topic that the task writes will have.
func (c *Client) widthOf(m cluster.Topic, isOutput bool, width int) int {
	switch {
	case m.Missing:
		n, _ := c.newTopic(m.Name, width)
		return n
	case isOutput || c.opt.Split:
		return max(len(m.Leaders), width)
	}
	return len(m.Leaders)
}

// there describes the topics that exist.
func (c *Client) there(ctx context.Context, t *topics.Topology, metas []cluster.Topic) error {
	var existing []cluster.Topic
	var states []*topics.TopicState
	for i, topic := range c.names.All() {
		if m := metas[i]; !m.Missing {
			s := t.Of(topic)
			m = c.portion.View(m)[0]
			s.Name, s.ID, s.Partitions = m.Name, cluster.HexID(m.ID), make([]topics.Bounds, len(m.Leaders))
			existing, states = append(existing, m), append(states, s)
		}
	}
	var both errgroup.Group
	both.Go(func() error { return c.bounds(ctx, existing, states) })
	both.Go(func() error { return c.settings(ctx, states) })
	return both.Wait()
}

// plan adds what a topic lacks.
func (c *Client) plan(s *topics.TopicState, m cluster.Topic, width int) {
	if m.Missing {
		_, config := c.newTopic(m.Name, width)
		s.Name, s.Planned, s.RetentionMS, s.RetentionBytes = m.Name, true, -1, -1
		s.Compacted = config["cleanup.policy"] == "compact"
		s.Deleted = !s.Compacted
	}
	if c.portion != cluster.Every {
		width = min(width, int(c.portion)+1)
	}
	for p := len(s.Partitions); p < width; p++ {
		s.Partitions = append(s.Partitions, topics.Bounds{OtherTask: !c.portion.Has(p)})
	}
}
