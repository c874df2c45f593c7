package kafka

import (
	"context"

	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/topics"
)

// Written is described at topics.Log. It is one ListOffsets to each broker that leads some of the partitions.
func (c *Client) Written(ctx context.Context) (e topics.Ends, err error) {
	written := c.names.Written()
	all, err := c.endsOf(ctx, written, cluster.Uncommitted)
	for i := range all {
		*e.Of(written[i]) = all[i]
	}
	return e, err
}

// endsOf lists the ends of all partitions of topics.
func (c *Client) endsOf(ctx context.Context, of []topics.Topic, isolation int8) (ends [][]int64, err error) {
	err = c.cluster.Prepare(ctx, "ends", func(ctx context.Context) error {
		metas, err := c.known(ctx, of)
		if err == nil {
			ends, err = c.cluster.ListOffsets(ctx, cluster.LogEnd, isolation, metas...)
		}
		return err
	})
	return ends, err
}

// known is what the task has of topics, without a Metadata request where the leaders are known.
func (c *Client) known(ctx context.Context, of []topics.Topic) (metas []cluster.Topic, err error) {
	known, err := c.cluster.Metadata(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range c.names.List(of) {
		if len(known.Leaders[name]) == 0 {
			return nil, cluster.NoLeader{Topic: name, Partition: 0}
		}
		metas = append(metas, cluster.Topic{Name: name, Leaders: known.Leaders[name]})
	}
	return c.portion.View(metas...), nil
}

// Reachable is described at topics.Log. It is one ListOffsets to each broker that leads some of the partitions.
func (c *Client) Reachable(ctx context.Context) error {
	metas, err := c.known(ctx, c.names.Read())
	if err != nil {
		return err
	}
	_, err = c.cluster.ListOffsets(ctx, cluster.LogEnd, cluster.Committed, metas...)
	return err
}

// LeadersOf is described at topics.Log. It is one ListOffsets to each broker that leads some of the partitions, once: a
// checkpoint does not wait for brokers.
func (c *Client) LeadersOf(ctx context.Context, ends topics.Ends) (e topics.EndEpochs, err error) {
	written := c.names.Written()
	metas, err := c.known(ctx, written)
	if err != nil {
		return e, err
	}
	all, err := c.cluster.ListPlaces(ctx, cluster.LogEnd, cluster.Uncommitted, metas...)
	for i := range all {
		at := *ends.Of(written[i])
		for p := range all[i] {
			//mutation:end-was-reached
			if p < len(at) && all[i][p].Offset >= at[p] {
				all[i][p].Offset = at[p] // and so it was under this epoch
			}
		}
		*e.Of(written[i]) = topics.Leaders(at, all[i])
	}
	return e, err
}

// OffsetsAt returns for each partition of a topic the offset of the first record whose timestamp is at or after ms
// (milliseconds since 1970), -1 where there is none: --start TIME.
func (c *Client) OffsetsAt(ctx context.Context, topic topics.Topic, ms int64) (offsets []int64, err error) {
	err = c.cluster.Prepare(ctx, "offsets by time", func(ctx context.Context) error {
		of, err := c.cluster.DescribeOne(ctx, c.names.Of(topic))
		if err != nil {
			return err
		}
		all, err := c.cluster.ListOffsets(ctx, ms, cluster.Committed, c.portion.View(of)...)
		if err == nil {
			offsets = all[0]
		}
		return err
	})
	return offsets, err
}
