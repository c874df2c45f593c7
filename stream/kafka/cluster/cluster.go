package cluster

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

// Options say how to reach a cluster.
type Options struct {
	Brokers  []string       // host:port, at least one
	ClientID string         // sent to the brokers, for their logs and quotas
	Version  string         // of this program, for their metrics
	Rack     string         // where this process is, as their broker.rack; empty: everything is read from leaders
	TLS      *tls.Config    // nil for plain text
	SASL     sasl.Mechanism // nil for none
	Log      zerolog.Logger // of outages
	// Dial makes the network connections, by default within 3 s. TLS and SASL are added to it.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	// Patience is for how long a start repeats a request, and for how long it waits for its markers; default 60 s. Once
	// a takeover is complete there is no such limit. It is also for how long a broker may refuse the login or the
	// certificate of a client that has been connected for as long.
	Patience time.Duration

	// ResponseTimeout is the time without a byte of a response, beside the broker's own wait, after which a request is
	// repeated over another connection; default 10 s.
	ResponseTimeout time.Duration

	// FewerFor is for how long brokers are asked, one after the other, before a topic has fewer partitions than were
	// known; default 10 s.
	FewerFor time.Duration

	Now func() time.Time // time.Now, but for tests
}

// Dialer makes connections as a Cluster does.
func (o *Options) Dialer() broker.Dialer {
	d := broker.Dialer{ClientID: o.ClientID, Version: o.Version, TLS: o.TLS, SASL: o.SASL, Dial: o.Dial}
	if d.Dial == nil {
		d.Dial = (&net.Dialer{Timeout: 3 * time.Second}).DialContext
	}
	return d
}

// Cluster is the brokers as one client sees them: connections, leaders, topic ids, retries and outages. It is safe for
// concurrent use.
type Cluster struct {
	Options Options // with their defaults
	Outages Outages
	topics  []string // those of the cache
	ended   context.Context
	end     context.CancelFunc
	pool    pool
	cache   metadataCache
	ids     topicIDs
	widths  widths
	reached atomic.Bool  // a broker has responded
	running atomic.Bool  // a takeover was complete: only a broker's word ends what follows
	configs atomic.Int32 // the form of requests for configurations, see configForms

	coordinators sync.Map // of transactional ids: addresses
	throttles    throttles
}

// Connect makes a Cluster that knows the leaders of these topics. It opens no connection.
func Connect(opt Options, topics ...string) (*Cluster, error) {
	if len(opt.Brokers) == 0 {
		return nil, errors.New("no broker given")
	}
	opt.ResponseTimeout = cmp.Or(opt.ResponseTimeout, 10*time.Second)
	opt.Patience = cmp.Or(opt.Patience, 60*time.Second)
	opt.FewerFor = cmp.Or(opt.FewerFor, fewerFor)
	if opt.Now == nil {
		opt.Now = time.Now
	}
	c := &Cluster{Options: opt, topics: topics, pool: pool{
		dialer: opt.Dialer(), limit: opt.ResponseTimeout, grace: opt.Patience,
	}}
	c.ended, c.end = context.WithCancel(context.Background())
	c.cache.turn = make(chan struct{}, 1)
	c.widths.within = opt.FewerFor
	c.throttles.log = opt.Log
	c.Outages = Outages{log: opt.Log, failing: c.Refresh}
	return c, nil
}

// Life ends with the cluster's use.
func (c *Cluster) Life() context.Context { return c.ended }

// Stop ends the life. Close follows.
func (c *Cluster) Stop() { c.end() }

// Close ends all connections. No request may follow.
func (c *Cluster) Close() {
	c.cache.mu.Lock() // no refresh starts from here on
	c.end()
	c.cache.mu.Unlock()
	c.pool.close()
	c.cache.refreshes.Wait()
}
