package produce

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/verdict"
	"rosenblatt/stream/recordbatch"
)

const readyWithin = 30 * time.Second // time for a topic to get leaders

// SenderOptions configure a Sender.
type SenderOptions struct {
	cluster.Options
	Topic  string
	Create int32 // partitions of the topic if it is missing; 0: do not create it
	Codec  recordbatch.Codec
}

// Sender writes to one topic outside of a task, as an idempotent producer: each record is there once, also when
// acknowledgements are lost.
type Sender struct {
	*producer
	states []partitionState
}

// NewSender connects, creates the topic if requested, and gets a producer id. A missing topic is a *MissingTopic; a
// connection that fails is an error at once. The caller closes the Sender.
func NewSender(ctx context.Context, opt SenderOptions) (*Sender, error) {
	if opt.Topic == "" {
		return nil, errors.New("a sender needs a topic")
	}
	cluster, err := cluster.Connect(opt.Options, opt.Topic)
	if err != nil {
		return nil, err
	}
	s := &Sender{producer: &producer{cluster: cluster, codec: opt.Codec, operation: verdict.OnSend}}
	s.expired = s.impatient
	if err := s.prepare(ctx, opt.Topic, opt.Create); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Sender) prepare(ctx context.Context, topic string, create int32) error {
	partitions, err := s.ready(ctx, topic, create)
	if err != nil {
		return err
	}
	s.states = partitionStates(topic, partitions)
	patience := s.cluster.Options.Patience
	s.id, err = requestID(ctx, s.cluster, cluster.AnyBroker, patience, kmsg.NewInitProducerIDRequest())
	return err
}

// ready makes sure that the topic exists and has leaders, and returns the number of its partitions. It waits only for
// what is temporary with a new topic.
func (s *Sender) ready(ctx context.Context, topic string, create int32) (partitions int, err error) {
	c := s.cluster
	_, err = c.DescribeOne(ctx, topic)
	if verdict.IsMissing(err) && create > 0 {
		_, err = c.CreateTopic(ctx, topic, int(create), nil)
	}
	if err != nil && (!verdict.IsBrokerError(err) || verdict.Classify(err) != verdict.Retriable) {
		return 0, err
	}
	err = c.Retry(ctx, "topic "+topic, readyWithin, func(ctx context.Context) (err error) {
		partitions, err = c.Width(ctx, topic, 1)
		return err
	})
	return partitions, err
}

// Partitions returns the number of the topic's partitions.
func (s *Sender) Partitions() int { return len(s.states) }

// Close ends all connections.
func (s *Sender) Close() { s.cluster.Close() }

// Send writes a batch to one partition and waits until all replicas have it. It returns how many of its records, from
// the first on, are acknowledged. The others are not in the topic after a *topics.Refused, which names the refused
// record. After another error that is unknown: nothing more may be sent to this partition. Partitions may be written
// concurrently, each by one caller.
func (s *Sender) Send(ctx context.Context, partition int32, b *recordbatch.Builder) (acknowledged int, err error) {
	a := s.attempt(&s.states[partition], b)
	err = s.write(ctx, a)
	return a.written, cmp.Or(err, a.err)
}

func (s *Sender) impatient(a *produceAttempt) error {
	if after := time.Since(a.began); a.last != nil && after > s.cluster.Options.Patience {
		return &verdict.Exhausted{What: a.what(), After: after, Err: a.last}
	}
	return nil
}
