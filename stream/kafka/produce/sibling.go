package produce

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/verdict"
	"rosenblatt/stream/stops"
)

// A process with a model for each partition and one with a single model have different transactional ids, so they do
// not fence each other. Once both run, each finds the other's markers in the output. Before that, a start asks whether
// the other kind has written there lately: as long as brokers remember its producer, which is a day.

// sibling is the transactional id of the other kind that writes to a partition that the task has, and how it is made.
func (v *View) sibling() (id string, partition int32, modelPer string) {
	if v.Portion == cluster.Every {
		return v.TransactionalID + ".0", 0, "partition"
	}
	return strings.TrimSuffix(v.TransactionalID, fmt.Sprintf(".%d", v.Portion)), int32(v.Portion), "all"
}

// otherKindWait is how long the look-up is repeated: the coordinator of the other kind's id may be away for long, while
// nobody predicts because this process is to take over from one that died.
const otherKindWait = 3 * time.Second

// otherKind is the stop for an output that the other kind has written to lately. What brokers do not tell, because they
// are too old, for want of a right, or in time, is no reason to stop.
func (v *View) otherKind(ctx context.Context) error {
	id, partition, modelPer := v.sibling()
	found := false
	//mutation:other-kind-bounded
	patience := min(v.Options.Patience, otherKindWait)
	err := v.Retry(ctx, "DescribeTransactions", patience, func(ctx context.Context) error {
		s, err := v.describeTransaction(ctx, id)
		if err != nil {
			return err
		}
		found, err = v.wrote(ctx, s.ProducerID, v.Names.Output, partition)
		return err
	})
	//mutation:other-kind
	if err != nil || !found {
		return ctx.Err()
	}
	return &stops.Error{
		Name: stops.OtherWriter,
		What: fmt.Sprintf("topic %s partition %d has markers of a process with --model-per %s (transactional id %s)",
			v.Names.Output, partition, modelPer, id),
		Safe: "nothing was changed",
		Do: fmt.Sprintf("start with --model-per %s again; or name another --output and --model for this one",
			modelPer),
	}
}

// wrote reports whether a partition has markers or records of a producer id, as far as its leader remembers.
func (v *View) wrote(ctx context.Context, producer int64, topic string, partition int32) (bool, error) {
	req := kmsg.NewPtrDescribeProducersRequest()
	req.Topics = []kmsg.DescribeProducersRequestTopic{{Topic: topic, Partitions: []int32{partition}}}
	if _, err := v.Metadata(ctx); err != nil {
		return false, err
	}
	res, err := cluster.Ask[*kmsg.DescribeProducersResponse](ctx, v.Cluster, cluster.Leader(topic, partition), req)
	if err != nil || len(res.Topics) != 1 || len(res.Topics[0].Partitions) != 1 {
		return false, err
	}
	p := &res.Topics[0].Partitions[0]
	is := func(a kmsg.DescribeProducersResponseTopicPartitionActiveProducer) bool {
		return a.ProducerID == producer
	}
	err = verdict.Coded(p.ErrorCode, "producers of %s/%d", topic, partition)
	return slices.ContainsFunc(p.ActiveProducers, is), err
}
