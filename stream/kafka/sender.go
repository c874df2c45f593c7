package kafka

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// Sender writes to one topic that belongs to no task, as an idempotent producer: a batch whose acknowledgement is lost goes
// out again as the same bytes, and the broker knows it, so that what one Sender sends stands in the topic once. Two Senders
// know nothing of each other.
type Sender struct {
	client    *Client
	topic     string
	producer  topics.Producer
	sequences []int32 // of the next record, by partition
}

// NewSender connects to the brokers and gets a producer id. It needs the topic in opt.Input, which must have leaders, and of
// the other options those of the connection and Codec. The caller closes it.
func NewSender(ctx context.Context, opt Options) (*Sender, error) {
	if len(opt.Brokers) == 0 || opt.Input == "" {
		return nil, errors.New("a sender needs brokers and a topic")
	}
	s := &Sender{client: connect(opt, opt.Input), topic: opt.Input}
	if err := s.begin(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Sender) begin(ctx context.Context) error {
	c := s.client
	return c.retry(ctx, "producer id for "+s.topic, c.opt.patience, func(ctx context.Context) error {
		_, states, err := c.describe(ctx, s.topic)
		if err != nil {
			return err
		}
		if states[0].missing {
			return &missingTopic{s.topic}
		}
		if err := states[0].led(); err != nil {
			return err
		}
		req := kmsg.NewPtrInitProducerIDRequest()
		res, err := ask[*kmsg.InitProducerIDResponse](ctx, c, anyBroker{}, req)
		if err != nil {
			return err
		}
		s.producer = topics.Producer{ID: res.ProducerID, Epoch: res.ProducerEpoch}
		s.sequences = make([]int32, len(states[0].leaders))
		return coded(res.ErrorCode, "InitProducerID")
	})
}

// Partitions is the number of the topic's partitions.
func (s *Sender) Partitions() int { return len(s.sequences) }

// Close ends all connections.
func (s *Sender) Close() { s.client.Close() }

// Send writes a batch to one partition and waits until all replicas have it. It returns how many of its records, from the
// first one on, are acknowledged. Of the others it is not known whether they stand in the topic, unless the error is a
// *stream.Refused, which names the record that the topic does not take: that one and those behind it do not. After an error
// nothing more goes to this partition. Partitions may be written side by side, each by one caller.
func (s *Sender) Send(ctx context.Context, partition int32, b *recordbatch.Builder) (acknowledged int, err error) {
	sealed, err := b.Seal(s.producer.ID, s.producer.Epoch, s.sequences[partition], s.client.opt.Codec)
	if err != nil {
		return 0, err
	}
	// The builder's memory is used again after Send, when a request that was given up may still be on its way out.
	err = s.deliver(ctx, partition, append([]byte(nil), sealed...))
	switch {
	case err == nil:
		s.sequences[partition] = advance(s.sequences[partition], b.Len())
		return b.Len(), nil
	case classify(err) != refused:
		return 0, err
	case b.Len() == 1:
		code, _ := codeOf(err)
		return 0, &topics.Refused{Code: int(code)}
	}
	return s.split(ctx, partition, b)
}

// split sends a batch that was refused as a whole in two halves: it has used no sequence.
func (s *Sender) split(ctx context.Context, partition int32, b *recordbatch.Builder) (acknowledged int, err error) {
	half := b.Len() / 2
	for _, part := range [][2]int{{0, half}, {half, b.Len()}} {
		smaller := &recordbatch.Builder{Limit: b.Limit}
		b.CopyRange(smaller, part[0], part[1])
		n, err := s.Send(ctx, partition, smaller)
		acknowledged += n
		var r *topics.Refused
		if errors.As(err, &r) {
			return acknowledged, &topics.Refused{Index: r.Index + part[0], Code: r.Code}
		}
		if err != nil {
			return acknowledged, err
		}
	}
	return acknowledged, nil
}

// deliver sends the same bytes until they are acknowledged, as long as what goes wrong passes by itself and patience lasts.
func (s *Sender) deliver(ctx context.Context, partition int32, data []byte) error {
	what := fmt.Sprintf("produce to %s/%d", s.topic, partition)
	began := time.Now()
	var b backoff
	for {
		_, err := s.client.produce(ctx, s.topic, partition, data)
		switch {
		case err == nil || classify(err) == refused:
			return err
		case ctx.Err() != nil:
			return fmt.Errorf("%s: %w, while %s", what, context.Cause(ctx), words(err))
		case classify(err) != retriable:
			return fmt.Errorf("%s: %s: %w", what, words(err), err)
		case time.Since(began) > s.client.opt.patience:
			return fmt.Errorf("%s: given up after %s: %s", what, time.Since(began).Round(time.Second), words(err))
		}
		if err := b.wait(ctx); err != nil {
			return fmt.Errorf("%s: %w", what, context.Cause(ctx))
		}
	}
}
