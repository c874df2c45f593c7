// Package kafka reads and writes Kafka for a task: it implements stream.Log, stream.Reader, stream.Journal and
// stream.Committer on the connections of kafka-go's Transport.
//
// Transport gives TLS, SASL, routing to leaders and coordinators, and the pool. The messages are franz-go's kmsg, a pure
// encoding, because kafka-go's end too early (no topic ids), decompress without a limit, and cannot be idempotent; exchange.go
// has the few lines that bring the two together. Record batches are those of package recordbatch.
//
// Caveats: Kafka 2.8 or later is needed (topic ids in Metadata); from 3.1 on every fetch names the topic by its id, so that
// a recreated topic is refused by the broker itself, before that it is looked up every five seconds.
package kafka

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"slices"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/sasl"

	"rosenblatt/stream"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// SkipRange is a run of input offsets that is passed over: --skip P:FROM-TO.
type SkipRange = topics.SkipRange

// Options say what cluster and which topics a Client works on.
type Options struct {
	Brokers         []string       // host:port of at least one broker
	ClientID        string         // told to the brokers, for their logs and quotas
	TLS             *tls.Config    // nil for plain text
	SASL            sasl.Mechanism // nil for none
	Input           string         // the topic of examples
	Output          string         // the output topic
	DeadLetters     string         // the dead-letter topic
	TransactionalID string         // the name under which writers fence each other
	Group           string         // the consumer group whose offsets are committed, for lag tools
	Codec           recordbatch.Codec
	MaxBatchBytes   int64         // a batch that unpacks to more is a bad-batch; default 64 MiB
	Skip            []SkipRange   // input offsets to pass over, until Client.Skip says otherwise
	RenewEvery      time.Duration // how long a fence is trusted; default one hour
	FenceTimeout    time.Duration // how long a takeover waits for its markers; default 60 s
	Log             zerolog.Logger
	// Dial makes the network connections; nil for net.Dialer. TLS and SASL happen on top of it.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	fetchBytes int32         // bytes asked for in one fetch; default 2 MiB, 1 MiB when more than four partitions are read
	fetchWait  time.Duration // how long the broker waits for something to come; default 400 ms
	request    time.Duration // how long an answer may take, above what the broker was told to wait; default 10 s
	identity   time.Duration // how often a topic's id is looked up where fetches do not name it; default 5 s
	patience   time.Duration // how long a question outside reading and writing is repeated; default 60 s
}

// Client is one task's view of a cluster. It is a stream.Log and a stream.Committer, safe for use from several goroutines.
type Client struct {
	opt       Options
	transport *kafkago.Transport
	stop      context.CancelFunc // ends the Transport's own goroutines
	addr      net.Addr
	apis      apis
	conns     conns
	ids       identities
	outages   outages
	skipped   atomic.Int64
	skip      atomic.Pointer[[]SkipRange]
	reached   atomic.Bool // a broker has answered
	buffers   buffers
	inputs    atomic.Int32 // partitions of the input when Topology saw it last
}

var (
	_ stream.Log       = (*Client)(nil)
	_ stream.Committer = (*Client)(nil)
	_ stream.Journal   = (*Journal)(nil)
	_ topics.Reader    = (*reader)(nil)
)

// New returns a Client. It does not connect yet.
func New(opt Options) (*Client, error) {
	switch {
	case len(opt.Brokers) == 0:
		return nil, errors.New("no broker given")
	case opt.Input == "" || opt.Output == "" || opt.DeadLetters == "":
		return nil, errors.New("the input, output and dead-letter topics need names")
	case opt.Input == opt.Output || opt.Input == opt.DeadLetters || opt.Output == opt.DeadLetters:
		return nil, errors.New("the input, output and dead-letter topics must be three different ones")
	}
	return connect(opt, opt.Input, opt.Output, opt.DeadLetters), nil
}

// connect makes a client that keeps its eyes on these topics.
func connect(opt Options, topics ...string) *Client {
	opt.setDefaults()
	c := &Client{opt: opt, addr: kafkago.TCP(opt.Brokers...), buffers: make(buffers, keptBuffers)}
	c.conns.dial, c.outages.log = opt.Dial, opt.Log
	c.Skip(opt.Skip)
	ctx, stop := context.WithCancel(context.Background())
	c.stop = stop
	c.transport = &kafkago.Transport{
		Context:        ctx,
		Dial:           c.conns.open,
		MetadataTTL:    500 * time.Millisecond, // follows a moved leader in 0.1 to 0.3 s; the default of 6 s adds 3.7 s
		MetadataTopics: topics,
		ClientID:       opt.ClientID,
		TLS:            opt.TLS,
		SASL:           opt.SASL,
		DialTimeout:    10 * time.Second, // of all the bootstrap addresses together
	}
	return c
}

func (o *Options) setDefaults() {
	if o.MaxBatchBytes <= 0 {
		o.MaxBatchBytes = 64 << 20
	}
	if o.RenewEvery <= 0 {
		o.RenewEvery = time.Hour
	}
	if o.FenceTimeout <= 0 {
		o.FenceTimeout = 60 * time.Second
	}
	if o.fetchWait <= 0 {
		o.fetchWait = 400 * time.Millisecond
	}
	if o.request <= 0 {
		o.request = 10 * time.Second
	}
	if o.identity <= 0 {
		o.identity = 5 * time.Second
	}
	if o.patience <= 0 {
		o.patience = 60 * time.Second
	}
	if o.Dial == nil {
		o.Dial = (&net.Dialer{Timeout: 3 * time.Second}).DialContext
	}
}

// name gives the name of one of the task's topics.
func (c *Client) name(t topics.Topic) string {
	switch t {
	case topics.Output:
		return c.opt.Output
	case topics.DeadLetters:
		return c.opt.DeadLetters
	}
	return c.opt.Input
}

// Skip has readers of the input opened from now on pass these ranges over.
func (c *Client) Skip(ranges []SkipRange) {
	ranges = slices.Clone(ranges)
	c.skip.Store(&ranges)
}

// Skipped counts what --skip has passed over so far: the records of sound batches, and the offsets of batches that could
// not be read.
func (c *Client) Skipped() int64 { return c.skipped.Load() }

// Close ends all connections. Nothing may be asked afterwards.
func (c *Client) Close() {
	c.stop()
	c.transport.CloseIdleConnections()
	c.conns.close()
}
