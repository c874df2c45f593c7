package cluster

import (
	"context"
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/broker"
	"rosenblatt/stream/kafka/verdict"
)

// Topic is what a broker told of a topic.
type Topic struct {
	Name    string
	ID      [16]byte
	Leaders []int32 // of each partition; negative without one, or away
	Missing bool
	From    string // the address of the broker that told
}

// Describe requests the metadata of topics, in the order of the names, of a broker that knows all their partitions.
func (c *Cluster) Describe(ctx context.Context, names ...string) (cluster string, topics []Topic, err error) {
	return c.DescribeFrom(ctx, Besides(c.widths.lagging(names)...), names...)
}

// DescribeFrom is Describe by a broker of this route.
func (c *Cluster) DescribeFrom(
	ctx context.Context, to Route, names ...string,
) (cluster string, topics []Topic, err error) {
	x := &Exchange{Message: broker.MetadataRequest(names...)}
	r, err := c.Request(ctx, to, x)
	if err != nil {
		return "", nil, err
	}
	res := r.(*kmsg.MetadataResponse)
	if err := c.NoteMetadata(res, x.asked.To); err != nil {
		return "", nil, err
	}
	if res.ClusterID != nil {
		cluster = *res.ClusterID
	}
	topics = make([]Topic, len(names))
	for i, name := range names {
		if topics[i], err = PickTopic(res, name); err != nil {
			return "", nil, err
		}
		topics[i].From = x.asked.To
	}
	return cluster, topics, nil
}

// NoteMetadata updates what is known with a broker's response, but for topics of which others know more partitions. In
// that case it returns the error.
func (c *Cluster) NoteMetadata(res *kmsg.MetadataResponse, from string) (lags error) {
	var known []Topic
	for i := range res.Topics {
		t := &res.Topics[i]
		if t.Topic == nil {
			continue
		}
		m, err := newTopicMeta(t)
		if err != nil || m.Missing {
			continue
		}
		m.From = from
		if err := c.widths.note(m); err != nil {
			lags = err
			continue
		}
		known = append(known, m)
	}
	c.cache.note(res, known)
	return lags
}

// DescribeOne describes one topic, which must exist.
func (c *Cluster) DescribeOne(ctx context.Context, name string) (Topic, error) {
	_, topics, err := c.Describe(ctx, name)
	if err != nil {
		return Topic{}, err
	}
	if topics[0].Missing {
		return Topic{}, &verdict.MissingTopic{Name: name}
	}
	return topics[0], nil
}

// PickTopic returns what a response says of a topic.
func PickTopic(res *kmsg.MetadataResponse, name string) (Topic, error) {
	i := slices.IndexFunc(res.Topics, func(t kmsg.MetadataResponseTopic) bool {
		return t.Topic != nil && *t.Topic == name
	})
	if i < 0 {
		return Topic{Name: name}, fmt.Errorf("no metadata of topic %s in the response", name)
	}
	return newTopicMeta(&res.Topics[i])
}

func newTopicMeta(t *kmsg.MetadataResponseTopic) (Topic, error) {
	m := Topic{Name: *t.Topic}
	if t.ErrorCode == kerr.UnknownTopicOrPartition.Code {
		m.Missing = true
		return m, nil
	}
	m.ID, m.Leaders = t.TopicID, make([]int32, len(t.Partitions))
	for _, p := range t.Partitions {
		if p.Partition < 0 || int(p.Partition) >= len(m.Leaders) {
			return m, fmt.Errorf("topic %s has %d partitions and one numbered %d", m.Name, len(m.Leaders), p.Partition)
		}
		m.Leaders[p.Partition] = p.Leader
	}
	return m, verdict.Coded(t.ErrorCode, "metadata of topic %s", m.Name)
}

// led returns a retriable error when a partition has no leader.
func (m Topic) led() error {
	for p, l := range m.Leaders {
		if l < 0 && l != away {
			return NoLeader{Topic: m.Name, Partition: int32(p)}
		}
	}
	return nil
}
