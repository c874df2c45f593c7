package kafka

import (
	"context"
	"encoding/binary"
	"hash/crc32"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/verdict"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// A txnProducer writes real transactions, which the package itself never does.
type txnProducer struct {
	b        *bed
	c        *Client
	p        topics.Producer
	topic    string
	sequence int32
	open     map[int64]string
}

func (b *bed) txnProducer(name, topic string) *txnProducer {
	c := b.client(func(o *Options) {
		o.TransactionalID = b.name + name
		if topic != o.Input {
			o.Labels, o.Outcomes = topic, b.name+"-oc" // so that the client looks up its leaders
		}
	})
	p, err := c.initProducer(timeout(b.t, 30*time.Second), topics.NoProducer)
	if err != nil {
		b.t.Fatal(err)
	}
	return &txnProducer{b: b, c: c, p: p, topic: topic, open: map[int64]string{}}
}

// initProducer requests the next epoch of the client's transactional id.
func (c *Client) initProducer(ctx context.Context, held topics.Producer) (p topics.Producer, err error) {
	err = c.cluster.Retry(ctx, "init", 0, func(ctx context.Context) error {
		req := &kmsg.InitProducerIDRequest{TransactionalID: &c.opt.TransactionalID,
			TransactionTimeoutMillis: int32(c.opt.txnTimeout.Milliseconds()),
			ProducerID:               held.ID, ProducerEpoch: held.Epoch}
		to := cluster.Transaction(c.opt.TransactionalID)
		res, err := cluster.Ask[*kmsg.InitProducerIDResponse](ctx, c.cluster, to, req)
		if err != nil {
			return err
		}
		p = topics.Producer{ID: res.ProducerID, Epoch: res.ProducerEpoch}
		return verdict.Coded(res.ErrorCode, "init")
	})
	return p, err
}

// beginTransaction adds partitions to the client's transaction.
func (c *Client) beginTransaction(ctx context.Context, p topics.Producer, of map[string][]int32) error {
	return c.cluster.Retry(ctx, "begin", 0, func(ctx context.Context) error {
		req := kmsg.NewPtrAddPartitionsToTxnRequest()
		req.TransactionalID, req.ProducerID, req.ProducerEpoch = c.opt.TransactionalID, p.ID, p.Epoch
		for topic, partitions := range of {
			req.Topics = append(req.Topics, kmsg.AddPartitionsToTxnRequestTopic{Topic: topic, Partitions: partitions})
		}
		to := cluster.Transaction(req.TransactionalID)
		res, err := cluster.Ask[*kmsg.AddPartitionsToTxnResponse](ctx, c.cluster, to, req)
		if err != nil {
			return err
		}
		for _, t := range res.Topics {
			for _, p := range t.Partitions {
				if err := verdict.Coded(p.ErrorCode, "begin"); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func (c *Client) endTransaction(ctx context.Context, p topics.Producer, commit bool) error {
	return c.cluster.Retry(ctx, "end", 0, func(ctx context.Context) error {
		req := kmsg.NewPtrEndTxnRequest()
		req.TransactionalID, req.ProducerID, req.ProducerEpoch, req.Commit = c.opt.TransactionalID, p.ID, p.Epoch,
			commit
		res, err := cluster.Ask[*kmsg.EndTxnResponse](ctx, c.cluster, cluster.Transaction(req.TransactionalID), req)
		if err != nil {
			return err
		}
		return verdict.Coded(res.ErrorCode, "end")
	})
}

// emptyTransaction is what a takeover makes of the output, as a late copy of its requests would. Brokers write its
// markers after they have responded.
func (b *bed) emptyTransaction(c *Client, p topics.Producer) {
	b.t.Helper()
	ctx := timeout(b.t, 30*time.Second)
	ends := func() []int64 {
		top, err := c.Topology(ctx)
		if err != nil {
			b.t.Fatal(err)
		}
		out, dead := top.Output.Partitions, top.DeadLetters.Partitions
		return []int64{out[0].End, out[1].End, dead[0].End}
	}
	before := ends()
	err := c.beginTransaction(ctx, p, map[string][]int32{c.opt.Output: {0, 1}, c.opt.DeadLetters: {0}})
	if err == nil {
		err = c.endTransaction(ctx, p, true)
	}
	if err != nil {
		b.t.Fatal(err)
	}
	for now := before; now[0] == before[0] || now[1] == before[1] || now[2] == before[2]; now = ends() {
		if ctx.Err() != nil {
			b.t.Fatal("no markers")
		}
	}
}

func (x *txnProducer) put(ctx context.Context, values ...string) {
	x.b.t.Helper()
	if len(x.open) == 0 {
		if err := x.c.beginTransaction(ctx, x.p, map[string][]int32{x.topic: {0}}); err != nil {
			x.b.t.Fatal(err)
		}
	}
	data, err := build(values...).Seal(x.p.ID, x.p.Epoch, x.sequence, recordbatch.None)
	if err != nil {
		x.b.t.Fatal(err)
	}
	data[22] |= 0x10 // transactional
	binary.BigEndian.PutUint32(data[17:], crc32.Checksum(data[21:], crc32.MakeTable(crc32.Castagnoli)))
	var base int64
	err = x.c.cluster.Retry(ctx, "put", 0, func(ctx context.Context) (err error) {
		base, err = produceRaw(ctx, x.c, x.topic, 0, data, &x.c.opt.TransactionalID)
		return err
	})
	if err != nil {
		x.b.t.Fatal(err)
	}
	x.sequence += int32(len(values))
	for i, v := range values {
		x.open[base+int64(i)] = v
	}
}

// end commits or aborts, and returns what was committed.
func (x *txnProducer) end(ctx context.Context, commit bool) map[int64]string {
	x.b.t.Helper()
	if len(x.open) == 0 {
		return nil
	}
	if err := x.c.endTransaction(ctx, x.p, commit); err != nil {
		x.b.t.Fatal(err)
	}
	done := x.open
	x.open = map[int64]string{}
	if !commit {
		return nil
	}
	return done
}
