package kafka

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// Append is described at stream.Journal. After ErrIndeterminate, a stop or the context's end nothing more is sent until the next
// takeover. After *Refused the journal goes on behind the records that were written before the refused one.
func (j *Journal) Append(ctx context.Context, batches []topics.Batch) error {
	for i := range batches {
		b := &batches[i]
		end, err := j.append(ctx, b.Topic, b.Partition, b.Records)
		if r := (*topics.Refused)(nil); errors.As(err, &r) {
			r.Batch = i
		}
		if err != nil {
			return err
		}
		b.End = end
	}
	return nil
}

func (j *Journal) append(ctx context.Context, topic topics.Topic, partition int32, b *recordbatch.Builder) (end int64, err error) {
	if j.failed != nil {
		return 0, j.failed
	}
	l, err := j.partition(topic, partition)
	if err != nil {
		return 0, err
	}
	if age(j.began, time.Now()) > j.client.opt.RenewEvery {
		if _, err := j.Renew(ctx); err != nil {
			return 0, err
		}
	}
	s := &produceAttempt{journal: j, state: l, topic: topic, name: j.client.name(topic), partition: partition, end: l.end}
	err = s.send(ctx, b, 0)
	var r *topics.Refused
	if err != nil && !errors.As(err, &r) {
		return 0, j.fail(err)
	}
	return s.end, err
}

func (j *Journal) partition(topic topics.Topic, partition int32) (*partitionState, error) {
	states := j.output
	switch {
	case j.fence == nil:
		return nil, errors.New("nothing is written before a takeover")
	case topic == topics.DeadLetters:
		states = j.deadLetters
	case topic != topics.Output:
		return nil, fmt.Errorf("topic %d is not one of the journal's", topic)
	}
	if partition < 0 || int(partition) >= len(states) {
		return nil, fmt.Errorf("partition %d of %s is not fenced: a takeover has to come first", partition, j.client.name(topic))
	}
	return &states[partition], nil
}

// A produceAttempt is one batch on its way to its partition, whole or in parts.
type produceAttempt struct {
	journal   *Journal
	state     *partitionState
	topic     topics.Topic
	name      string
	partition int32
	end       int64 // of the partition, after what was acknowledged
	parts     bool  // it was refused as a whole and goes out in parts
}

// send writes the records of b, the first of which is record number first of the produceAttempt. A batch that the broker refuses
// as a whole is split in halves: it has used no sequence, and the second half goes out when the first is acknowledged.
func (s *produceAttempt) send(ctx context.Context, b *recordbatch.Builder, first int) error {
	j := s.journal
	data, err := b.Seal(j.held.ID, j.held.Epoch, s.state.sequence, j.client.opt.Codec)
	if err != nil {
		return err
	}
	base, late, err := s.deliver(ctx, data)
	if late {
		defer b.Abandon()
	}
	if classify(err) == refused {
		if b.Len() == 1 {
			code, _ := codeOf(err)
			return &topics.Refused{Index: first, Code: int(code)}
		}
		return s.split(ctx, b, first)
	}
	if err != nil {
		return err
	}
	s.state.sequence = advance(s.state.sequence, b.Len())
	return s.acknowledged(ctx, base, b.Len())
}

func (s *produceAttempt) split(ctx context.Context, b *recordbatch.Builder, first int) error {
	s.parts = true
	half := b.Len() / 2
	part := &recordbatch.Builder{Limit: b.Limit}
	b.CopyRange(part, 0, half)
	if err := s.send(ctx, part, first); err != nil {
		return err
	}
	b.CopyRange(part, half, b.Len())
	return s.send(ctx, part, first+half)
}

// advance moves a sequence on; it wraps from 2147483647 to 0 as Kafka's does (DefaultRecordBatch.incrementSequence).
func advance(sequence int32, records int) int32 {
	return int32((int64(sequence) + int64(records)) & math.MaxInt32)
}

// deliver sends a batch, the same bytes again as long as what goes wrong passes by itself and the fence is young. late says
// that a request which was given up may still hold data.
func (s *produceAttempt) deliver(ctx context.Context, data []byte) (base int64, late bool, err error) {
	j := s.journal
	what := fmt.Sprintf("produce to %s/%d", s.name, s.partition)
	defer j.client.outages.clear(what)
	var b backoff
	for tries := 0; ; tries++ {
		if (tries > 0 || s.parts) && age(j.began, time.Now()) > j.client.opt.RenewEvery {
			return 0, late, fmt.Errorf("%s: unacknowledged when its fence was %v old: %w", what, j.client.opt.RenewEvery, topics.ErrIndeterminate)
		}
		base, err = j.client.produce(ctx, s.name, s.partition, data)
		_, answered := codeOf(err)
		switch {
		case err == nil:
			j.client.outages.recovered(what)
			return base, late, nil
		case ctx.Err() != nil:
			return 0, true, ctx.Err()
		case classify(err) == refused:
			return 0, late, err
		}
		late = late || !answered
		if err := s.judge(what, err); err != nil {
			return 0, late, err
		}
		j.client.outages.failed(what, err)
		if err := b.wait(ctx); err != nil {
			return 0, late, err
		}
	}
}

// judge is nil for what passes by itself.
func (s *produceAttempt) judge(what string, err error) error {
	var odd *unreadableResponse
	switch c := classify(err); {
	case errors.As(err, &odd), c == indeterminate:
		return fmt.Errorf("%s: %w: %w", what, topics.ErrIndeterminate, err)
	case c == retriable:
		return nil
	}
	return stopFor(fmt.Errorf("%s: %w", what, err))
}

// produce sends one batch once, acks=all, and returns its base offset.
func (c *Client) produce(ctx context.Context, topic string, partition int32, data []byte) (int64, error) {
	req := produceRequest(topic, partition, data, int32(c.opt.request.Milliseconds()*8/10))
	res, err := ask[*kmsg.ProduceResponse](ctx, c, leader{topic, partition}, req)
	if err != nil {
		return 0, err
	}
	if len(res.Topics) != 1 || len(res.Topics[0].Partitions) != 1 || res.Topics[0].Partitions[0].Partition != partition {
		return 0, &unreadableResponse{errors.New("the answer is of something else")}
	}
	a := &res.Topics[0].Partitions[0]
	if a.ErrorCode != 0 {
		text := ""
		if a.ErrorMessage != nil {
			text = ": " + *a.ErrorMessage
		}
		return 0, fmt.Errorf("%w%s", kafkago.Error(a.ErrorCode), text)
	}
	if a.BaseOffset < 0 {
		return 0, &unreadableResponse{fmt.Errorf("acknowledged at offset %d", a.BaseOffset)}
	}
	return a.BaseOffset, nil
}

// produceRequest is a request to write one batch, with acks=all.
func produceRequest(topic string, partition int32, data []byte, timeoutMS int32) *kmsg.ProduceRequest {
	req := kmsg.NewPtrProduceRequest()
	req.Acks, req.TimeoutMillis = -1, timeoutMS
	t := kmsg.NewProduceRequestTopic()
	t.Topic = topic
	p := kmsg.NewProduceRequestTopicPartition()
	p.Partition, p.Records = partition, data
	t.Partitions = append(t.Partitions, p)
	req.Topics = append(req.Topics, t)
	return req
}

// acknowledged checks where a batch was written. In the output topic that is the expected end, or behind markers of our own.
func (s *produceAttempt) acknowledged(ctx context.Context, base int64, records int) error {
	if s.topic == topics.Output && base != s.state.end {
		if err := s.gap(ctx, base); err != nil {
			return err
		}
	}
	s.end = base + int64(records)
	s.state.end = s.end
	return nil
}

// gap looks at what stands between the expected end and where our batch was written.
func (s *produceAttempt) gap(ctx context.Context, base int64) error {
	j := s.journal
	if base < s.state.end {
		return otherWriter(s.name, s.partition, fmt.Sprintf("our batch was written at offset %d, below %d where the log ended", base, s.state.end))
	}
	own := j.client.onlyOwn(j.held)
	err := j.client.scan(ctx, s.name, s.partition, s.state.end, func(b *recordbatch.Batch) (bool, error) {
		if b.BaseOffset >= base {
			return true, nil
		}
		return false, own(s.name, s.partition, b)
	})
	if code, _ := codeOf(err); code == codeOutOfRange {
		return otherWriter(s.name, s.partition, fmt.Sprintf("offsets %d to %d are no longer there to be looked at", s.state.end, base-1))
	}
	if err != nil {
		return j.explain(ctx, err)
	}
	return nil
}
