package kafka

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/wire"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// A producer is idempotent (KIP-98): a partition's batches carry consecutive sequences, and a batch whose
// acknowledgement is lost is resent as the same bytes, which the broker recognizes. Partitions may be written
// concurrently, each by one caller.
type producer struct {
	cluster   *Cluster
	codec     recordbatch.Codec
	operation operation // opAppend or opSend
	id        topics.Producer
	// expired returns why a batch may not be resent, nil while it may.
	expired func(*produceAttempt) error
	// acknowledged, if set, checks where records were written.
	acknowledged func(ctx context.Context, p *partitionState, base int64) error
	slow         slow
}

type partitionState struct {
	topic     string
	partition int32
	sequence  int32 // of the next record; wraps from 2147483647 to 0
	end       int64 // expected base offset of the next batch, if there is no other writer
}

// A produceAttempt is the sending of one batch, whole or in parts.
type produceAttempt struct {
	*producer
	state   *partitionState
	written int       // acknowledged records
	parts   bool      // refused as a whole, sent in parts
	began   time.Time // time of the first request with the same bytes
	last    error     // error of the last such request, if any
}

// write writes a batch and returns how many of its records, from the first on, are acknowledged.
func (p *producer) write(ctx context.Context, s *partitionState, b *recordbatch.Builder) (written int, err error) {
	a := &produceAttempt{producer: p, state: s}
	err = a.send(ctx, b)
	return a.written, err
}

// send writes the records of b. A batch refused as a whole is split in halves: it used no sequence, and the second half
// waits for the first's acknowledgement.
func (a *produceAttempt) send(ctx context.Context, b *recordbatch.Builder) error {
	base, err := a.deliver(ctx, b)
	//mutation:delivered
	switch {
	case err == nil:
	case judge(err, a.operation) != refused:
		return err
	case b.Len() == 1 && a.operation == opAppend && isCode(err, kerr.InvalidRecord):
		return stopInvalid(a.what(), err)
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

// advance adds to a sequence; it wraps from 2147483647 to 0 as Kafka's does (DefaultRecordBatch.incrementSequence).
func advance(sequence int32, records int) int32 {
	return int32((int64(sequence) + int64(records)) & math.MaxInt32)
}

func (a *produceAttempt) what() string {
	return fmt.Sprintf("produce to %s/%d", a.state.topic, a.state.partition)
}

func (a *produceAttempt) seal(b *recordbatch.Builder) ([]byte, error) {
	//mutation:idempotence
	return b.Seal(a.id.ID, a.id.Epoch, a.state.sequence, a.codec)
}

// deliver sends a batch, the same bytes again while errors are retriable and the batch has not expired. Only a batch
// refused for its timestamp gets another one, unless an earlier request may have been written.
func (a *produceAttempt) deliver(ctx context.Context, b *recordbatch.Builder) (base int64, err error) {
	c, what := a.cluster, a.what()
	defer c.outages.clear(what)
	data, err := a.seal(b)
	if err != nil {
		return 0, err
	}
	var pause backoff
	written := false // perhaps
	for a.began, a.last = time.Now(), nil; ; {
		if a.last != nil || a.parts {
			if err := a.expired(a); err != nil {
				return 0, err
			}
		}
		base, err = a.request(ctx, data)
		switch {
		case err == nil:
			c.outages.recovered(what)
			return base, nil
		case ctx.Err() != nil:
			return 0, fmt.Errorf("%s: %w, while %s", what, context.Cause(ctx), words(err))
		}
		switch judge(err, a.operation) {
		case retriable:
		case refused:
			return 0, err
		default:
			return 0, fmt.Errorf("%s: %w", what, err)
		}
		//mutation:same-bytes
		a.last = err
		c.outages.failed(what, err)
		if pause.wait(ctx) != nil {
			return 0, fmt.Errorf("%s: %w, while %s", what, context.Cause(ctx), words(err))
		}
		written = written || mayBeWritten(err)
		if isCode(err, kerr.InvalidTimestamp) && !written {
			if data, err = a.stamp(b); err != nil {
				return 0, err
			}
		}
	}
}

// stamp gives a batch that is not written the present time.
func (a *produceAttempt) stamp(b *recordbatch.Builder) ([]byte, error) {
	b.Stamp(a.cluster.opt.now().UnixMilli())
	return a.seal(b)
}

// request sends a batch once. On a slow link a large one gets more time at each attempt.
func (a *produceAttempt) request(ctx context.Context, data []byte) (base int64, err error) {
	steps, began := a.slow.steps.Load(), time.Now()
	most := limit(a.cluster.opt.request, len(data), steps)
	base, err = a.cluster.produce(ctx, a.state.topic, a.state.partition, data, most)
	if len(data) >= largeBatch {
		a.slow.note(steps, time.Since(began), most, err)
	}
	return base, err
}

// initProducer requests a producer id until patience ends.
func (c *Cluster) initProducer(
	ctx context.Context, to route, patience time.Duration, req kmsg.InitProducerIDRequest,
) (p topics.Producer, err error) {
	err = c.retry(ctx, "InitProducerID", patience, func(ctx context.Context) error {
		res, err := request[*kmsg.InitProducerIDResponse](ctx, c, to, &req)
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

// produce sends one batch once, acks=all, and returns the base offset. limit is how long nothing may pass.
func (c *Cluster) produce(
	ctx context.Context, topic string, partition int32, data []byte, limit time.Duration,
) (int64, error) {
	req := &kmsg.ProduceRequest{
		Acks: -1, TimeoutMillis: int32(c.opt.request.Milliseconds() * 8 / 10),
		Topics: []kmsg.ProduceRequestTopic{{
			Topic: topic, Partitions: []kmsg.ProduceRequestTopicPartition{{Partition: partition, Records: data}},
		}},
	}
	x := &exchange{req: req, wait: limit - c.opt.request}
	response, err := c.roundTrip(ctx, leader(topic, partition), x)
	if err != nil {
		return 0, err
	}
	res := response.(*kmsg.ProduceResponse)
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
		if p.ErrorCode == kerr.InvalidTimestamp.Code {
			err = &clockAhead{topic, err}
		}
		return 0, err
	}
	if p.BaseOffset < 0 {
		return 0, &wire.UnreadableResponse{Err: fmt.Errorf("acknowledged at offset %d", p.BaseOffset)}
	}
	return p.BaseOffset, nil
}
