package cluster

import (
	"context"
	"encoding/hex"
	"sync"
	"time"

	"rosenblatt/stream/stops"
)

// topicIDs are the topic ids as first seen. A topic that is deleted and created again has another one.
type topicIDs struct {
	mu      sync.Mutex
	first   map[string][16]byte
	checked map[string]time.Time
}

// note stores the first id of a topic and returns it.
func (d *topicIDs) note(m Topic) [16]byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.first == nil {
		d.first, d.checked = map[string][16]byte{}, map[string]time.Time{}
	}
	if d.first[m.Name] == ([16]byte{}) { // topics from before Kafka 2.8 get an id later
		d.first[m.Name] = m.ID
	}
	d.checked[m.Name] = time.Now()
	return d.first[m.Name]
}

func (d *topicIDs) get(name string) (id [16]byte, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	id, ok = d.first[name]
	return id, ok
}

// due tells whether a topic's id was last checked longer ago than an interval.
func (d *topicIDs) due(name string, every time.Duration) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return time.Since(d.checked[name]) >= every
}

// NoteID stores the first id of a topic.
func (c *Cluster) NoteID(m Topic) { c.ids.note(m) }

// IDDue reports whether a topic's id was last looked up longer ago than an interval.
func (c *Cluster) IDDue(topic string, every time.Duration) bool { return c.ids.due(topic, every) }

// TopicID returns the topic's first id, and looks it up when unknown.
func (c *Cluster) TopicID(ctx context.Context, name string) ([16]byte, error) {
	if id, ok := c.ids.get(name); ok {
		return id, nil
	}
	return c.Identify(ctx, name)
}

// Identify looks up the topic's id. It is a stop when it differs from the first.
func (c *Cluster) Identify(ctx context.Context, name string) ([16]byte, error) {
	m, err := c.DescribeOne(ctx, name)
	if err != nil {
		return [16]byte{}, err
	}
	return m.ID, c.SameTopic(m)
}

// SameTopic is a stop when the topic's id differs from the first.
func (c *Cluster) SameTopic(m Topic) error {
	first := c.ids.note(m)
	//mutation:running-topic-id
	if first == m.ID || m.ID == ([16]byte{}) {
		return nil
	}
	return stops.Recreated(m.Name, HexID(first), HexID(m.ID))
}

// HexID prints an id; a topic without one has none.
func HexID(id [16]byte) string {
	if id == ([16]byte{}) {
		return ""
	}
	return hex.EncodeToString(id[:])
}
