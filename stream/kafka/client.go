package kafka

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

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
	fetchBytes int32         // of one partition in a fetch; default: see partitionBytes
	fetchWait  time.Duration // time the broker waits for records; default 1 s
	identity   time.Duration // interval of topic id look-ups where fetches do not name the id; default 5 s
}

// Client is one task's view of a cluster: a topics.Log and a topics.Committer, safe for concurrent use.
type Client struct {
	*Cluster
	*fetches
	opt       Options
	partition int32 // the only one that the task has of each topic; every
	skip      atomic.Pointer[[]topics.SkipRange]
	skipped   atomic.Int64
	asking    endRequests
}

// fetches is what the tasks of a process share to fetch, and to look at the topics.
type fetches struct {
	inputs  atomic.Int32 // partitions of input and labels as of the last Topology
	buffers *buffers
	slow    slow
	appends appendTime
	highs   highs
	fetcher fetcher
	look    look
}

var (
	_ topics.Log        = (*Client)(nil)
	_ topics.Committer  = (*Client)(nil)
	_ topics.Journal    = (*Journal)(nil)
	_ topics.TurnReader = (*reader)(nil)
)

// New returns a Client. It does not connect yet.
func New(opt Options) (*Client, error) {
	switch {
	case opt.Input == "" || opt.Output == "" || opt.DeadLetters == "":
		return nil, errors.New("the input, output and dead-letter topics must be named")
	case opt.Labels != "" && opt.Outcomes == "":
		return nil, errors.New("with a topic of labels, the outcomes topic must be named")
	case repeated(opt.names(opt.all())):
		return nil, errors.New("the task's topics must be different ones")
	}
	return newClient(opt, opt.names(opt.all())...)
}

func newClient(opt Options, names ...string) (*Client, error) {
	cluster, err := connect(opt.ClusterOptions, names...)
	if err != nil {
		return nil, err
	}
	opt.ClusterOptions = cluster.opt
	opt.MaxBatchBytes = cmp.Or(opt.MaxBatchBytes, 64<<20)
	opt.RenewEvery = cmp.Or(opt.RenewEvery, time.Hour)
	opt.txnTimeout = cmp.Or(opt.txnTimeout, 60*time.Second)
	opt.fetchWait = cmp.Or(opt.fetchWait, time.Second)
	opt.identity = cmp.Or(opt.identity, 5*time.Second)
	c := &Client{Cluster: cluster, opt: opt, partition: every, fetches: &fetches{buffers: newBuffers(),
		look: look{turn: make(chan struct{}, 1)}}}
	c.fetcher = fetcher{client: c, brokers: map[int32]*brokerFetches{}}
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

// fetchBytes is how many bytes one fetch requests: many, because a request costs a broker as much as hundreds of
// records. It is at most the largest batch: a larger response counts as a batch over the limit.
func (c *Client) fetchBytes() int32 { return int32(min(fullFetch, c.opt.MaxBatchBytes)) }

// wide is the number of partitions that are read above which backlogs are read less far ahead, and those that are read
// in turns not at all.
const wide = 16

// turnBytes is partitionBytes for partitions that are read in turns. A large result saves requests and makes large
// batches of predictions.
func (c *Client) turnBytes() int32 {
	if c.opt.fetchBytes > 0 {
		return c.opt.fetchBytes
	}
	return min(c.fetchBytes(), max(256<<10, 16<<20/max(1, c.inputs.Load())))
}

// partitionBytes is how many bytes of one partition: of many, some of each rather than much of a few. A batch that is
// larger comes if its partition is the first of the response with records, or after its limit has grown.
func (c *Client) partitionBytes() int32 {
	if c.opt.fetchBytes > 0 {
		return c.opt.fetchBytes
	}
	return min(c.fetchBytes(), max(128<<10, 8<<20/max(1, c.inputs.Load())))
}

// allBytes is how many bytes one fetch of these partitions requests. Of many it is more: the request costs a broker as
// much as thousands of records, and one that is far away is asked less often. Of those that are read as fast as they
// come, each has some of the response.
func (c *Client) allBytes(partitions []fetchPartition) int32 {
	ahead := 0
	for i := range partitions {
		if !partitions[i].inTurns {
			ahead++
		}
	}
	most := int64(fullFetch)
	switch {
	case ahead > wide:
		most = wideFetch
	case c.inputs.Load() > wide:
		most = turnsFetch
	}
	return int32(min(most, c.opt.MaxBatchBytes))
}

// maxBatch is how many bytes a batch of a topic may unpack to.
func (c *Client) maxBatch(topic string) int64 {
	//mutation:own-batch-limit
	if c.opt.reads(topic) {
		return c.opt.MaxBatchBytes
	}
	return topics.MaxOwnBatch
}

// fetchRequest requests committed records of partitions.
func (c *Client) fetchRequest(partitions ...fetchPartition) fetchRequest {
	steps := c.slow.steps.Load()
	r := fetchRequest{
		partitions: partitions,
		isolation:  committed, wait: c.opt.fetchWait, buffers: c.buffers,
		each: max(1, c.partitionBytes()>>steps), turn: max(1, c.turnBytes()>>steps),
		all: max(1, c.allBytes(partitions)>>steps),
	}
	for _, p := range partitions {
		r.maxBatch = max(r.maxBatch, c.maxBatch(p.topic))
	}
	return r
}

// timedFetch is fetch that makes the next requests smaller when the link is slow.
func (c *Client) timedFetch(ctx context.Context, to route, r fetchRequest) ([]fetched, error) {
	steps, began := c.slow.steps.Load(), time.Now()
	results, err := c.fetch(ctx, to, r)
	c.slow.note(steps, time.Since(began), c.opt.ResponseTimeout+r.wait, err)
	return results, err
}

// Close ends all connections, those of its tasks too. No request may follow.
func (c *Client) Close() {
	c.fetcher.mu.Lock() // no request starts from here on
	c.end()
	c.fetcher.mu.Unlock()
	c.Cluster.Close()
	c.fetcher.running.Wait()
}
