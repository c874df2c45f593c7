package kafka

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/stops"
)

// topicMeta is a topic as Metadata describes it.
type topicMeta struct {
	name    string
	id      [16]byte
	leaders []int32 // of each partition; negative without one
	missing bool
}

// describe asks for topics; the answer is in the order of the names.
func (c *Client) describe(ctx context.Context, names ...string) (cluster string, topics []topicMeta, err error) {
	req := kmsg.NewPtrMetadataRequest()
	for _, name := range names {
		t := kmsg.NewMetadataRequestTopic()
		t.Topic = kmsg.StringPtr(name)
		req.Topics = append(req.Topics, t)
	}
	res, err := ask[*kmsg.MetadataResponse](ctx, c, anyBroker{}, req)
	if err != nil {
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
	}
	return cluster, topics, nil
}

func pickTopic(res *kmsg.MetadataResponse, name string) (topicMeta, error) {
	for i := range res.Topics {
		t := &res.Topics[i]
		if t.Topic == nil || *t.Topic != name {
			continue
		}
		if t.ErrorCode == codeUnknownTopic {
			return topicMeta{name: name, missing: true}, nil
		}
		if err := coded(t.ErrorCode, "metadata of topic %s", name); err != nil {
			return topicMeta{}, err
		}
		m := topicMeta{name: name, id: t.TopicID, leaders: make([]int32, len(t.Partitions))}
		for _, p := range t.Partitions {
			if p.Partition < 0 || int(p.Partition) >= len(m.leaders) {
				return topicMeta{}, fmt.Errorf("topic %s has %d partitions and one numbered %d", name, len(m.leaders), p.Partition)
			}
			m.leaders[p.Partition] = p.Leader
		}
		return m, nil
	}
	return topicMeta{}, fmt.Errorf("no metadata of topic %s in the answer", name)
}

// led is an error that passes when a partition is without a leader.
func (m topicMeta) led() error {
	for p, l := range m.leaders {
		if l < 0 {
			return noLeader{leader{m.name, int32(p)}}
		}
	}
	return nil
}

// missingTopic is a topic that does not exist. It is not among what passes: whoever asks knows whether to wait.
type missingTopic struct{ topic string }

func (e *missingTopic) Error() string { return fmt.Sprintf("topic %s does not exist", e.topic) }

// identities are the topic ids as they were first seen. A topic that is deleted and created again has another one, and its
// offsets mean something else.
type identities struct {
	mu      sync.Mutex
	first   map[string][16]byte
	checked map[string]time.Time
}

// note remembers the id of a topic seen for the first time, and returns the one that was seen first.
func (d *identities) note(m topicMeta) [16]byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.first == nil {
		d.first, d.checked = map[string][16]byte{}, map[string]time.Time{}
	}
	if _, ok := d.first[m.name]; !ok {
		d.first[m.name] = m.id
	}
	d.checked[m.name] = time.Now()
	return d.first[m.name]
}

func (d *identities) get(name string) (id [16]byte, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	id, ok = d.first[name]
	return id, ok
}

// due tells whether the last look at a topic's id was so long ago.
func (d *identities) due(name string, every time.Duration) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return time.Since(d.checked[name]) >= every
}

// identify returns the topic's id as first seen, or *stream.Stop when it is another one now.
func (c *Client) identify(ctx context.Context, name string) ([16]byte, error) {
	_, topics, err := c.describe(ctx, name)
	if err != nil {
		return [16]byte{}, err
	}
	m := topics[0]
	if m.missing {
		return [16]byte{}, &missingTopic{name}
	}
	return m.id, c.sameTopic(m)
}

// sameTopic is a stop when the topic has another id than at first.
func (c *Client) sameTopic(m topicMeta) error {
	first := c.ids.note(m)
	if first == m.id {
		return nil
	}
	return &stops.Error{
		Name: stops.TopicChanged,
		What: fmt.Sprintf("topic %s had the id %s and has %s now: it was deleted and created again", m.name, hexID(first), hexID(m.id)),
		Safe: "everything answered so far, and the checkpoint of it",
		Do:   "restore the topic, or start with --accept topic-changed to begin anew at the new topic's start",
	}
}

func hexID(id [16]byte) string { return hex.EncodeToString(id[:]) }

// isMissing tells whether err says that a topic does not exist.
func isMissing(err error) bool {
	var m *missingTopic
	return errors.As(err, &m)
}
