package cluster

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/broker"
)

const (
	// mostClosings is how often a broker may close the connection at one request before it counts as one that cannot
	// read it.
	mostClosings = 8
	// closesFor is how long nothing else comes of such requests. A network that cuts connections lets one of so many
	// through in that time: of three it does not, as the simulation shows.
	closesFor = 3 * time.Second
	// closesWithin is how soon it does so: what comes later may be the work of something in between, which ends
	// connections that are idle while a broker waits for records or replicas.
	closesWithin = time.Second
)

// closings tell brokers that cannot read a request, and close the connection at it, from those that end or restart.
// They are counted one after the other: a closing ends all idle connections, so each is on a connection that was made
// since the one before, behind ApiVersions and the login. A response to such a request from any broker ends the count
// for good, and a connection to this one that fails begins it anew.
type closings struct {
	known  [256]atomic.Bool // by the lowest byte of the key: there was a response to such a request
	mu     sync.Mutex
	counts map[closing]*closed
}

type closing struct {
	address string
	key     int16
}

type closed struct {
	times       int
	first, last time.Time
}

// end says that there was a response to a request of a kind.
func (c *closings) end(key int16) {
	if k := &c.known[uint8(key)]; !k.Load() {
		k.Store(true)
	}
}

// count counts a closing at a request that began at a time, and tells whether there were enough.
func (c *closings) count(address string, key int16, began time.Time) bool {
	//mutation:responded-before
	if c.known[uint8(key)].Load() {
		return false
	}
	//mutation:closed-late
	if time.Since(began) > closesWithin {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	at := closing{address, key}
	n := c.counts[at]
	if n == nil {
		n = &closed{}
		if c.counts == nil {
			c.counts = map[closing]*closed{}
		}
		c.counts[at] = n
	}
	//mutation:closings-side-by-side
	if !began.Before(n.last) { // else it was under way with the last one, and one end of the broker closed both
		n.times, n.last = n.times+1, time.Now()
	}
	if n.times == 1 {
		n.first = n.last
	}
	//mutation:closings-at-once
	return n.times >= mostClosings && n.last.Sub(n.first) >= closesFor
}

// forget begins to count anew, as a connection to this address failed: the broker ends, or starts.
func (c *closings) forget(address string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for at := range c.counts {
		//mutation:restarts-forgotten
		if at.address == address {
			delete(c.counts, at)
		}
	}
}

// cannotRead counts a closing in place of a response, and tells whether this broker cannot read the request: it
// responds to another one now, which those that want a login do not.
func (c *Cluster) cannotRead(ctx context.Context, s broker.Sent, began time.Time) bool {
	//mutation:closings-without-end
	if !c.pool.closings.count(s.To, int16(s.Key), began) {
		return false
	}
	conn, err := c.pool.get(ctx, s.To)
	if err != nil {
		return false
	}
	defer c.pool.discard(conn, false)
	other := kmsg.NewPtrMetadataRequest()
	other.Topics = []kmsg.MetadataRequestTopic{} // none
	_, err = conn.Exchange(ctx, other, broker.Limits{Idle: c.Options.ResponseTimeout, Size: broker.ResponseLimit})
	if err != nil {
		c.pool.closings.forget(s.To)
	}
	return err == nil
}
