package kafka

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"rosenblatt/stream/kafka/broker"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

type topicMeta struct {
	name    string
	id      [16]byte
	leaders []int32 // of each partition; negative without one, or away
	missing bool
	from    string // the address of the broker that told
}

// describe requests the metadata of topics, in the order of the names, of a broker that knows all their partitions.
func (c *Cluster) describe(ctx context.Context, names ...string) (cluster string, topics []topicMeta, err error) {
	return c.describeFrom(ctx, besides(c.widths.lagging(names)...), names...)
}

func (c *Cluster) describeFrom(
	ctx context.Context, to route, names ...string,
) (cluster string, topics []topicMeta, err error) {
	x := &exchange{req: broker.MetadataRequest(names...)}
	r, err := c.roundTrip(ctx, to, x)
	if err != nil {
		return "", nil, err
	}
	res := r.(*kmsg.MetadataResponse)
	if err := c.noteMetadata(res, x.from); err != nil {
		return "", nil, err
	}
	if res.ClusterID != nil {
		cluster = *res.ClusterID
	}
	topics = make([]topicMeta, len(names))
	for i, name := range names {
		if topics[i], err = pickTopic(res, name); err != nil {
			return "", nil, err
		}
		topics[i].from = x.from
	}
	return cluster, topics, nil
}

// noteMetadata updates what is known with a broker's response, but for topics of which others know more partitions. In
// that case it returns the error.
func (c *Cluster) noteMetadata(res *kmsg.MetadataResponse, from string) (lags error) {
	var known []topicMeta
	for i := range res.Topics {
		t := &res.Topics[i]
		if t.Topic == nil {
			continue
		}
		m, err := newTopicMeta(t)
		if err != nil || m.missing {
			continue
		}
		m.from = from
		if err := c.widths.note(m); err != nil {
			lags = err
			continue
		}
		known = append(known, m)
	}
	c.cache.note(res, known)
	return lags
}

// describeOne describes one topic, which must exist.
func (c *Cluster) describeOne(ctx context.Context, name string) (topicMeta, error) {
	_, topics, err := c.describe(ctx, name)
	if err != nil {
		return topicMeta{}, err
	}
	if topics[0].missing {
		return topicMeta{}, &MissingTopic{name}
	}
	return topics[0], nil
}

func pickTopic(res *kmsg.MetadataResponse, name string) (topicMeta, error) {
	i := slices.IndexFunc(res.Topics, func(t kmsg.MetadataResponseTopic) bool {
		return t.Topic != nil && *t.Topic == name
	})
	if i < 0 {
		return topicMeta{name: name}, fmt.Errorf("no metadata of topic %s in the response", name)
	}
	return newTopicMeta(&res.Topics[i])
}

func newTopicMeta(t *kmsg.MetadataResponseTopic) (topicMeta, error) {
	m := topicMeta{name: *t.Topic}
	if t.ErrorCode == kerr.UnknownTopicOrPartition.Code {
		m.missing = true
		return m, nil
	}
	m.id, m.leaders = t.TopicID, make([]int32, len(t.Partitions))
	for _, p := range t.Partitions {
		if p.Partition < 0 || int(p.Partition) >= len(m.leaders) {
			return m, fmt.Errorf("topic %s has %d partitions and one numbered %d", m.name, len(m.leaders), p.Partition)
		}
		m.leaders[p.Partition] = p.Leader
	}
	return m, coded(t.ErrorCode, "metadata of topic %s", m.name)
}

// led returns a retriable error when a partition has no leader.
func (m topicMeta) led() error {
	for p, l := range m.leaders {
		if l < 0 && l != away {
			return noLeader{m.name, int32(p)}
		}
	}
	return nil
}

// MissingTopic is a topic that does not exist. It is not retriable: the caller decides whether to wait for it.
type MissingTopic struct{ Name string }

func (m *MissingTopic) Error() string { return fmt.Sprintf("topic %s does not exist", m.Name) }

func isMissing(err error) bool {
	var m *MissingTopic
	return errors.As(err, &m)
}
