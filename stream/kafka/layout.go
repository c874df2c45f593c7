package kafka

import (
	"context"
	"maps"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// layoutPause is the least time between two requests for the layout because of errors.
const layoutPause = 100 * time.Millisecond

// A layout is where brokers and leaders are. It does not change.
type layout struct {
	brokers    map[int32]string // addresses
	controller int32
	leaders    map[string][]int32 // of each partition of a topic; negative without one
}

// layouts hold the newest layout. Every response with metadata updates it. While requests fail it is looked up again,
// beside them: what they try again goes to the new leader.
type layouts struct {
	mu      sync.Mutex
	newest  *layout
	turn    chan struct{} // full while the first look-up is under way
	doubted time.Time     // time of the last look-up because of errors
	looks   sync.WaitGroup
}

// note updates the layout with a response.
func (l *layouts) note(res *kmsg.MetadataResponse) {
	next := &layout{brokers: map[int32]string{}, controller: res.ControllerID, leaders: map[string][]int32{}}
	for _, b := range res.Brokers {
		next.brokers[b.NodeID] = net.JoinHostPort(b.Host, strconv.Itoa(int(b.Port)))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.newest != nil {
		maps.Copy(next.leaders, l.newest.leaders)
	}
	for i := range res.Topics {
		if t := &res.Topics[i]; t.Topic != nil {
			if m, err := newTopicMeta(t); err == nil && !m.missing {
				next.leaders[m.name] = m.leaders
			}
		}
	}
	l.newest = next
}

func (l *layouts) get() *layout {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.newest
}

// layout returns the newest layout, after a look-up if there is none yet.
func (c *Cluster) layout(ctx context.Context) (*layout, error) {
	l := &c.layouts
	if now := l.get(); now != nil {
		return now, nil
	}
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if now := l.get(); now != nil {
		return now, nil
	}
	if _, _, err := c.describe(ctx, c.topics...); err != nil {
		return nil, err
	}
	return l.get(), nil
}

// doubt starts a look-up of the layout because a request has failed, unless there was one just now.
func (c *Cluster) doubt() {
	l := &c.layouts
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.newest == nil || time.Since(l.doubted) < layoutPause || c.ended.Err() != nil {
		return
	}
	l.doubted = time.Now()
	l.looks.Go(func() { _, _, _ = c.describe(c.ended, c.topics...) }) // if it fails, the next failure starts another
}
