package kafka

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
func (d *topicIDs) note(m topicMeta) [16]byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.first == nil {
		d.first, d.checked = map[string][16]byte{}, map[string]time.Time{}
	}
	if d.first[m.name] == ([16]byte{}) { // topics from before Kafka 2.8 get an id later
		d.first[m.name] = m.id
	}
	d.checked[m.name] = time.Now()
	return d.first[m.name]
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

// topicID returns the topic's first id, and looks it up when unknown.
func (c *Cluster) topicID(ctx context.Context, name string) ([16]byte, error) {
	if id, ok := c.ids.get(name); ok {
		return id, nil
	}
	return c.identify(ctx, name)
}

// identify looks up the topic's id. It is a stop when it differs from the first.
func (c *Cluster) identify(ctx context.Context, name string) ([16]byte, error) {
	m, err := c.describeOne(ctx, name)
	if err != nil {
		return [16]byte{}, err
	}
	return m.id, c.sameTopic(m)
}

// sameTopic is a stop when the topic's id differs from the first.
func (c *Cluster) sameTopic(m topicMeta) error {
	first := c.ids.note(m)
	//mutation:running-topic-id
	if first == m.id || m.id == ([16]byte{}) {
		return nil
	}
	return stops.Recreated(m.name, hexID(first), hexID(m.id))
}

const safeSoFar = "every prediction published so far, and the checkpoint of it"

// hexID prints an id; a topic without one has none.
func hexID(id [16]byte) string {
	if id == ([16]byte{}) {
		return ""
	}
	return hex.EncodeToString(id[:])
}
