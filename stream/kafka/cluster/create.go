package cluster

import (
	"context"
	"fmt"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/broker"
	"rosenblatt/stream/kafka/verdict"
)

// CreateTopic uses the broker's default replication. A topic that exists is no error.
func (c *Cluster) CreateTopic(
	ctx context.Context, name string, partitions int, configs map[string]string,
) (created bool, err error) {
	req := broker.CreateTopicRequest(name, partitions, configs, c.Options.ResponseTimeout)
	res, err := Ask[*kmsg.CreateTopicsResponse](ctx, c, Controller, req)
	if err != nil {
		return false, err
	}
	for _, t := range res.Topics {
		if t.ErrorCode == kerr.TopicAlreadyExists.Code {
			return false, nil // created by another client or by our first request
		}
		if err := verdict.Coded(t.ErrorCode, "create topic %s", name); err != nil {
			return false, err
		}
	}
	return true, nil
}

// Width returns the number of a topic's partitions. Fewer than wanted, or one without a leader: a retriable error.
func (c *Cluster) Width(ctx context.Context, name string, want int) (int, error) {
	_, topics, err := c.Describe(ctx, name)
	if err != nil {
		return 0, err
	}
	got := len(topics[0].Leaders)
	if got < want {
		return got, fmt.Errorf("topic %s has %d of %d partitions yet", name, got, want)
	}
	return got, topics[0].led()
}
