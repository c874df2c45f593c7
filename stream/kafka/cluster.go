package kafka

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
	"github.com/segmentio/kafka-go/sasl"

	"rosenblatt/stream/kafka/broker"
)

// ClusterOptions say how to reach a cluster.
type ClusterOptions struct {
	Brokers  []string       // host:port, at least one
	ClientID string         // sent to the brokers, for their logs and quotas
	TLS      *tls.Config    // nil for plain text
	SASL     sasl.Mechanism // nil for none
	Log      zerolog.Logger // of outages
	// Dial makes the network connections, by default within 3 s. TLS and SASL are added to it.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	// Patience is for how long a start repeats a request, and for how long it waits for its markers; default 60 s. Once
	// a takeover is complete there is no such limit.
	Patience time.Duration

	// ResponseTimeout is the time without a byte of a response, beside the broker's own wait, after which a request is
	// repeated over another connection; default 10 s.
	ResponseTimeout time.Duration

	now func() time.Time // time.Now, but for tests
}

// Dialer makes connections as a Cluster does.
func (o *ClusterOptions) Dialer() broker.Dialer {
	d := broker.Dialer{ClientID: o.ClientID, TLS: o.TLS, SASL: o.SASL, Dial: o.Dial}
	if d.Dial == nil {
		d.Dial = (&net.Dialer{Timeout: 3 * time.Second}).DialContext
	}
	return d
}

// Cluster is the brokers as one client sees them: connections, leaders, topic ids, retries and outages. It is safe for
// concurrent use.
type Cluster struct {
	opt     ClusterOptions
	topics  []string // those of the cache
	ended   context.Context
	end     context.CancelFunc
	pool    pool
	cache   metadataCache
	ids     topicIDs
	widths  widths
	outages outages
	reached atomic.Bool // a broker has responded
	running atomic.Bool // a takeover was complete: only a broker's word ends what follows

	coordinators sync.Map // of transactional ids: addresses
}

// connect makes a Cluster that knows the leaders of these topics. It opens no connection.
func connect(opt ClusterOptions, topics ...string) (*Cluster, error) {
	if len(opt.Brokers) == 0 {
		return nil, errors.New("no broker given")
	}
	opt.ResponseTimeout = cmp.Or(opt.ResponseTimeout, 10*time.Second)
	opt.Patience = cmp.Or(opt.Patience, 60*time.Second)
	if opt.now == nil {
		opt.now = time.Now
	}
	c := &Cluster{opt: opt, topics: topics, pool: pool{dialer: opt.Dialer(), limit: opt.ResponseTimeout}}
	c.ended, c.end = context.WithCancel(context.Background())
	c.cache.turn = make(chan struct{}, 1)
	c.widths.within = fewerFor
	c.outages = outages{log: opt.Log, failing: c.refresh}
	return c, nil
}

// Close ends all connections. No request may follow.
func (c *Cluster) Close() {
	c.cache.mu.Lock() // no refresh starts from here on
	c.end()
	c.cache.mu.Unlock()
	c.pool.close()
	c.cache.refreshes.Wait()
}
