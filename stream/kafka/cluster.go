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
	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/sasl"

	"rosenblatt/stream/kafka/wire"
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

	request  time.Duration // time for a response, beside the broker's own wait; default 10 s
	patience time.Duration // time to repeat requests other than reads and writes; default 60 s
}

// Dialer makes connections as a Cluster does.
func (o *ClusterOptions) Dialer() wire.Dialer {
	d := wire.Dialer{ClientID: o.ClientID, TLS: o.TLS, SASL: o.SASL, Dial: o.Dial}
	if d.Dial == nil {
		d.Dial = (&net.Dialer{Timeout: 3 * time.Second}).DialContext
	}
	return d
}

// Cluster is the brokers as one client sees them: connections, request versions, topic ids, retries and outages. It is
// safe for concurrent use.
type Cluster struct {
	opt       ClusterOptions
	transport *kafkago.Transport
	stop      context.CancelFunc // ends the Transport's own goroutines
	addr      net.Addr
	dialer    wire.Dialer
	open      sync.Map // *connection
	versions  sync.Map // wire.Versions by address, of the last connection
	ids       topicIDs
	outages   outages
	reached   atomic.Bool // a broker has responded
}

// connect makes a Cluster whose routes lead to the leaders of these topics. It opens no connection.
func connect(opt ClusterOptions, topics ...string) (*Cluster, error) {
	if len(opt.Brokers) == 0 {
		return nil, errors.New("no broker given")
	}
	opt.request = cmp.Or(opt.request, 10*time.Second)
	opt.patience = cmp.Or(opt.patience, 60*time.Second)
	c := &Cluster{opt: opt, addr: kafkago.TCP(opt.Brokers...), dialer: opt.Dialer(), outages: outages{log: opt.Log}}
	ctx, stop := context.WithCancel(context.Background())
	c.stop, c.dialer.Dial = stop, c.track(ctx, c.dialer.Dial)
	c.transport = &kafkago.Transport{
		Context:        ctx,
		Dial:           c.dial,                 // with TLS and SASL
		MetadataTTL:    500 * time.Millisecond, // a moved leader takes 0.1 to 0.3 s; with the default of 6 s 3.7 s more
		MetadataTopics: topics,
		ClientID:       opt.ClientID,
		DialTimeout:    10 * time.Second, // of all the bootstrap addresses together
	}
	return c, nil
}

// Close ends all connections. No request may follow.
func (c *Cluster) Close() {
	c.stop()
	c.transport.CloseIdleConnections()
	c.open.Range(func(conn, _ any) bool { _ = conn.(*connection).Close(); return true })
}
