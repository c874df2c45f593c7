package kafka

import (
	"context"
	"encoding/binary"
	"hash/crc32"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

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

func (x *txnProducer) begin(ctx context.Context) error {
	return x.c.retry(ctx, "begin", 0, func(ctx context.Context) error {
		req := kmsg.NewPtrAddPartitionsToTxnRequest()
		req.TransactionalID, req.ProducerID, req.ProducerEpoch = x.c.opt.TransactionalID, x.p.ID, x.p.Epoch
		req.Topics = append(req.Topics, kmsg.AddPartitionsToTxnRequestTopic{Topic: x.topic,
			Partitions: []int32{0}})
		res, err := request[*kmsg.AddPartitionsToTxnResponse](ctx, x.c.Cluster, transaction(req.TransactionalID), req)
		if err != nil {
			return err
		}
		return addPartitionsError(res)
	})
}

func (x *txnProducer) put(ctx context.Context, values ...string) {
	x.b.t.Helper()
	if len(x.open) == 0 {
		if err := x.begin(ctx); err != nil {
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
	err = x.c.retry(ctx, "put", 0, func(ctx context.Context) error {
		req := kmsg.NewPtrProduceRequest()
		req.Acks, req.TimeoutMillis, req.TransactionID = -1, 10000, &x.c.opt.TransactionalID
		t := kmsg.NewProduceRequestTopic()
		t.Topic = x.topic
		p := kmsg.NewProduceRequestTopicPartition()
		p.Records = data
		t.Partitions = append(t.Partitions, p)
		req.Topics = append(req.Topics, t)
		res, err := request[*kmsg.ProduceResponse](ctx, x.c.Cluster, leader(x.topic, 0), req)
		if err != nil {
			return err
		}
		base = res.Topics[0].Partitions[0].BaseOffset
		return coded(res.Topics[0].Partitions[0].ErrorCode, "put")
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
	err := x.c.retry(ctx, "end", 0, func(ctx context.Context) error {
		req := kmsg.NewPtrEndTxnRequest()
		req.TransactionalID, req.ProducerID, req.ProducerEpoch, req.Commit = x.c.opt.TransactionalID, x.p.ID, x.p.Epoch,
			commit
		res, err := request[*kmsg.EndTxnResponse](ctx, x.c.Cluster, transaction(req.TransactionalID), req)
		if err != nil {
			return err
		}
		return coded(res.ErrorCode, "end")
	})
	if err != nil {
		x.b.t.Fatal(err)
	}
	done := x.open
	x.open = map[int64]string{}
	if !commit {
		return nil
	}
	return done
}
