package kafka

import (
	"cmp"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/fetch"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// ClusterOptions say how to reach a cluster.
type ClusterOptions = cluster.Options

// Options say which topics of which cluster a Client uses.
type Options struct {
	ClusterOptions
	Input           string // the topic of events
	Labels          string // the topic of label records; empty without later labels
	Output          string // the topic of predictions
	Outcomes        string // the topic of outcomes; empty without later labels
	DeadLetters     string // the dead-letter topic
	Checkpoints     string // the topic of checkpoints; empty where they are in the folder alone
	TransactionalID string // the name under which writers fence each other
	Group           string // the consumer group whose offsets are committed, for lag tools
	Codec           recordbatch.Codec
	Split           bool          // each partition of the input has a task of its own: see Client.Task
	MaxBatchBytes   int64         // of input and labels: one that unpacks to more is a bad-batch; default 64 MiB
	RenewEvery      time.Duration // maximum age of a fence; default one hour

	txnTimeout time.Duration // after which the coordinator aborts a transaction; default 60 s
	fetchBytes int32         // of one partition in a fetch; default: see package fetch
	fetchWait  time.Duration // time the broker waits for records; default 1 s
	identity   time.Duration // interval of topic id look-ups where fetches do not name the id; default 5 s
}

// Client is one task's view of a cluster: a topics.Log and a topics.Committer, safe for concurrent use.
type Client struct {
	cluster *cluster.Cluster
	opt     Options
	names   topics.Names
	portion cluster.Portion
	skip    atomic.Pointer[[]topics.SkipRange]
	skipped atomic.Int64
	asking  endRequests
	fetcher *fetch.Fetcher // of all tasks of the process, as is look
	look    *look
}

var (
	_ topics.Log        = (*Client)(nil)
	_ topics.Committer  = (*Client)(nil)
	_ topics.TurnReader = (*reader)(nil)
)

// New returns a Client. It does not connect yet.
func New(opt Options) (*Client, error) {
	names := opt.names()
	switch {
	case opt.Input == "" || opt.Output == "" || opt.DeadLetters == "":
		return nil, errors.New("the input, output and dead-letter topics must be named")
	case opt.Labels != "" && opt.Outcomes == "":
		return nil, errors.New("with a topic of labels, the outcomes topic must be named")
	case names.Repeated():
		return nil, errors.New("the task's topics must be different ones")
	}
	return newClient(opt, names.List(names.All())...)
}

func (o *Options) names() topics.Names {
	return topics.Names{Input: o.Input, Labels: o.Labels, Output: o.Output, Outcomes: o.Outcomes,
		DeadLetters: o.DeadLetters, Checkpoints: o.Checkpoints}
}

func newClient(opt Options, names ...string) (*Client, error) {
	connected, err := cluster.Connect(opt.ClusterOptions, names...)
	if err != nil {
		return nil, err
	}
	opt.ClusterOptions = connected.Options
	opt.MaxBatchBytes = cmp.Or(opt.MaxBatchBytes, 64<<20)
	opt.RenewEvery = cmp.Or(opt.RenewEvery, time.Hour)
	opt.txnTimeout = cmp.Or(opt.txnTimeout, 60*time.Second)
	opt.fetchWait = cmp.Or(opt.fetchWait, time.Second)
	opt.identity = cmp.Or(opt.identity, 5*time.Second)
	c := &Client{cluster: connected, opt: opt, names: opt.names(), portion: cluster.Every}
	c.fetcher = fetch.New(connected, fetch.Options{
		Reads: c.names.Reads, MaxBatch: opt.MaxBatchBytes, Wait: opt.fetchWait, Bytes: opt.fetchBytes})
	c.look = &look{client: c, turn: make(chan struct{}, 1)}
	c.Skip(nil)
	return c, nil
}

// Skip makes readers of the input that are opened later pass over these ranges.
func (c *Client) Skip(ranges []topics.SkipRange) {
	ranges = slices.Clone(ranges)
	c.skip.Store(&ranges)
}

// Skipped counts what --skip passed over: records of sound batches, and offsets of batches that cannot be read.
func (c *Client) Skipped() int64 { return c.skipped.Load() }

// Outage names the operation that has been failing for longest, and since when, for /readyz; empty when none fails.
func (c *Client) Outage() (text string, since time.Time) { return c.cluster.Outage() }

// Known is described at topics.Log.
func (c *Client) Known(topic topics.Topic, id string, partitions int) {
	c.cluster.KnownWidth(c.names.Of(topic), id, partitions)
}

// Close ends all connections, those of its tasks too. No request may follow.
func (c *Client) Close() { c.fetcher.Close() }

// Throttle is what a broker asks for whose quota is used up.
type Throttle = cluster.Throttle

// Throttles are what brokers have asked for, by broker and request.
func (c *Client) Throttles() []Throttle { return c.cluster.Throttles() }

// Nearby is a partition of input or labels that is not read from its leader.
type Nearby = fetch.Nearby

// Nearby are the partitions that are read from replicas in this rack, by topic and partition.
func (c *Client) Nearby() []Nearby { return c.fetcher.Nearby() }
