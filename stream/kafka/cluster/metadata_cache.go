package cluster

import (
	"context"
	"maps"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// refreshPause is the least time between two refreshes because of errors.
const refreshPause = 100 * time.Millisecond

// Directory says where brokers and leaders are. It is immutable.
type Directory struct {
	brokers    map[int32]string // addresses
	controller int32
	Leaders    map[string][]int32 // of each partition of a topic; negative without one
}

// metadataCache holds the newest metadata. Responses to Metadata update it. While other requests fail, it is
// refreshed concurrently, so that their next attempts go to the new leaders.
type metadataCache struct {
	mu        sync.Mutex
	newest    *Directory
	turn      chan struct{} // full during the first request
	refreshed time.Time     // time of the last refresh
	refreshes sync.WaitGroup
}

// note updates the cache with the brokers of a response, and with these of its topics.
func (m *metadataCache) note(res *kmsg.MetadataResponse, topics []Topic) {
	next := &Directory{brokers: map[int32]string{}, controller: res.ControllerID, Leaders: map[string][]int32{}}
	for _, b := range res.Brokers {
		next.brokers[b.NodeID] = net.JoinHostPort(b.Host, strconv.Itoa(int(b.Port)))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.newest != nil {
		maps.Copy(next.Leaders, m.newest.Leaders)
	}
	for _, t := range topics {
		next.Leaders[t.Name] = t.Leaders
	}
	m.newest = next
}

func (m *metadataCache) get() *Directory {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.newest
}

// Metadata returns the newest metadata, requested if there is none yet.
func (c *Cluster) Metadata(ctx context.Context) (*Directory, error) {
	m := &c.cache
	if now := m.get(); now != nil {
		return now, nil
	}
	select {
	case m.turn <- struct{}{}:
		defer func() { <-m.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if now := m.get(); now != nil {
		return now, nil
	}
	if _, _, err := c.Describe(ctx, c.topics...); err != nil {
		return nil, err
	}
	return m.get(), nil
}

// Refresh forgets the coordinators and requests the metadata in the background because a request has failed, unless it
// was requested just now.
func (c *Cluster) Refresh() {
	c.coordinators.Clear()
	m := &c.cache
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.newest == nil || time.Since(m.refreshed) < refreshPause || c.ended.Err() != nil {
		return
	}
	m.refreshed = time.Now()
	m.refreshes.Go(func() {
		_, _, _ = c.Describe(c.ended, c.topics...) // if it fails, the next failure starts another
	})
}
