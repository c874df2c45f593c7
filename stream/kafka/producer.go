package kafka

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/wire"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// A producer is idempotent (KIP-98): the batches of a partition carry consecutive sequences, and one whose
// acknowledgement is lost is sent again as the same bytes, which the broker recognizes. Partitions may be written
// concurrently, each by one caller.
type producer struct {
	cluster   *Cluster
	codec     recordbatch.Codec
	operation operation // opAppend or opSend
	id        topics.Producer
	// expired returns why a batch may not be sent again, nil as long as it may.
	expired func(*produceAttempt) error
	// acknowledged checks where records were written. It may be nil.
	acknowledged func(ctx context.Context, p *partitionState, base int64) error
}

// A partitionState is one partition that is written.
type partitionState struct {
	topic     string
	partition int32
	sequence  int32 // of the next record; wraps from 2147483647 to 0
	end       int64 // base offset expected of the next batch, in a partition without another writer
}

// A produceAttempt is one batch on its way to its partition, whole or in parts.
type produceAttempt struct {
	*producer
	state   *partitionState
	written int       // records that are acknowledged
	parts   bool      // it was refused as a whole and is sent in parts
	began   time.Time // when the first request with the same bytes was sent
	last    error     // of the last such request, nil before the first one
}

// write writes a batch and returns how many of its records, from the first one on, are acknowledged.
func (p *producer) write(ctx context.Context, s *partitionState, b *recordbatch.Builder) (written int, err error) {
	a := &produceAttempt{producer: p, state: s}
	err = a.send(ctx, b)
	return a.written, err
}

// send writes the records of b. A batch that the broker refuses as a whole is split in halves: it has used no
// sequence, and the second half is sent when the first is acknowledged.
func (a *produceAttempt) send(ctx context.Context, b *recordbatch.Builder) error {
	//mutation:idempotence
	data, err := b.Seal(a.id.ID, a.id.Epoch, a.state.sequence, a.codec)
	if err != nil {
		return err
	}
	base, unfinished, err := a.deliver(ctx, data)
	if unfinished {
		defer b.Abandon()
	}
	//mutation:delivered
	switch {
	case err == nil:
	case judge(err, a.operation, running) != refused:
		return err
	case b.Len() == 1:
		return &topics.Refused{Index: a.written, Err: err}
	default:
		return a.split(ctx, b)
	}
	a.state.sequence = advance(a.state.sequence, b.Len())
	if a.acknowledged != nil {
		if err := a.acknowledged(ctx, a.state, base); err != nil {
			return err
		}
	}
	a.state.end = base + int64(b.Len())
	a.written += b.Len()
	return nil
}

func (a *produceAttempt) split(ctx context.Context, b *recordbatch.Builder) error {
	a.parts = true
	half := b.Len() / 2
	part := &recordbatch.Builder{Limit: b.Limit}
	b.CopyRange(part, 0, half)
	if err := a.send(ctx, part); err != nil {
		return err
	}
	b.CopyRange(part, half, b.Len())
	return a.send(ctx, part)
}

// advance moves a sequence on; it wraps from 2147483647 to 0 as Kafka's does (DefaultRecordBatch.incrementSequence).
func advance(sequence int32, records int) int32 {
	return int32((int64(sequence) + int64(records)) & math.MaxInt32)
}

func (a *produceAttempt) what() string {
	return fmt.Sprintf("produce to %s/%d", a.state.topic, a.state.partition)
}

// deliver sends a batch, the same bytes again as long as errors are retriable and the batch has not expired. unfinished
// tells that a request that was given up may still hold data.
func (a *produceAttempt) deliver(ctx context.Context, data []byte) (base int64, unfinished bool, err error) {
	c, what := a.cluster, a.what()
	defer c.outages.clear(what)
	var b backoff
	for a.began, a.last = time.Now(), nil; ; {
		if a.last != nil || a.parts {
			if err := a.expired(a); err != nil {
				return 0, unfinished, err
			}
		}
		base, err = c.produce(ctx, a.state.topic, a.state.partition, data)
		switch {
		case err == nil:
			c.outages.recovered(what)
			return base, unfinished, nil
		case ctx.Err() != nil:
			return 0, true, fmt.Errorf("%s: %w, while %s", what, context.Cause(ctx), words(err))
		}
		unfinished = unfinished || !isBrokerError(err)
		switch judge(err, a.operation, running) {
		case retriable:
		case refused:
			return 0, unfinished, err
		default:
			return 0, unfinished, fmt.Errorf("%s: %w", what, err)
		}
		//mutation:same-bytes
		a.last = err
		c.outages.failed(what, err)
		if b.wait(ctx) != nil {
			return 0, unfinished, fmt.Errorf("%s: %w, while %s", what, context.Cause(ctx), words(err))
		}
	}
}

// initProducer requests a producer id, again as long as errors are retriable and patience lasts.
func (c *Cluster) initProducer(
	ctx context.Context, to route, patience time.Duration, req kmsg.InitProducerIDRequest,
) (p topics.Producer, err error) {
	err = c.retry(ctx, "InitProducerID", patience, func(ctx context.Context) error {
		attempt := req // the Transport may still use that of the attempt before
		res, err := request[*kmsg.InitProducerIDResponse](ctx, c, to, &attempt)
		if err != nil {
			return err
		}
		p = topics.Producer{ID: res.ProducerID, Epoch: res.ProducerEpoch}
		if req.TransactionalID != nil {
			return coded(res.ErrorCode, "InitProducerID for %s", *req.TransactionalID)
		}
		return coded(res.ErrorCode, "InitProducerID")
	})
	return p, err
}

// produce sends one batch once, acks=all, and returns its base offset.
func (c *Cluster) produce(ctx context.Context, topic string, partition int32, data []byte) (int64, error) {
	req := &kmsg.ProduceRequest{
		Acks: -1, TimeoutMillis: int32(c.opt.request.Milliseconds() * 8 / 10),
		Topics: []kmsg.ProduceRequestTopic{{
			Topic: topic, Partitions: []kmsg.ProduceRequestTopicPartition{{Partition: partition, Records: data}},
		}},
	}
	res, err := request[*kmsg.ProduceResponse](ctx, c, leader(topic, partition), req)
	if err != nil {
		return 0, err
	}
	if len(res.Topics) != 1 || len(res.Topics[0].Partitions) != 1 ||
		res.Topics[0].Partitions[0].Partition != partition {
		return 0, &wire.UnreadableResponse{Err: errors.New("the response is about something else")}
	}
	p := &res.Topics[0].Partitions[0]
	if p.ErrorCode != 0 {
		err := wire.ErrorForCode(p.ErrorCode)
		if p.ErrorMessage != nil {
			err = fmt.Errorf("%w: %s", err, *p.ErrorMessage)
		}
		return 0, err
	}
	if p.BaseOffset < 0 {
		return 0, &wire.UnreadableResponse{Err: fmt.Errorf("acknowledged at offset %d", p.BaseOffset)}
	}
	return p.BaseOffset, nil
}
