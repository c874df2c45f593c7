package kafka

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/verdict"
	"rosenblatt/stream/topics"
)

// ProveFence shows that the brokers refuse a writer that was replaced, in two topics and under a transactional id of
// its own. It removes the topics; brokers forget a transactional id by themselves. Errors: *stops.Error
// (fence-ineffective where they do not), or the context's.
func ProveFence(ctx context.Context, o ClusterOptions) (err error) {
	name := "rosenblatt-fence-" + rand.Text()
	own := Options{ClusterOptions: o, Input: name + ".none", Output: name + ".output", DeadLetters: name + ".dlq",
		TransactionalID: name}
	c, err := New(own)
	if err != nil {
		return err
	}
	defer c.Close()
	defer func() { err = errors.Join(err, c.remove(ctx, own.Output, own.DeadLetters)) }()
	for _, topic := range []string{own.Output, own.DeadLetters} {
		err := c.cluster.Prepare(ctx, "topic "+topic, func(ctx context.Context) error {
			_, err := c.cluster.CreateTopic(ctx, topic, 1, nil)
			if err == nil {
				_, err = c.cluster.Width(ctx, topic, 1)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	j := c.Journal()
	if _, err := j.Takeover(ctx, topics.NoProducer); err != nil {
		return err
	}
	return j.Prove(ctx)
}

// remove deletes topics, those that there are.
func (c *Client) remove(ctx context.Context, names ...string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	req := kmsg.NewPtrDeleteTopicsRequest()
	req.TimeoutMillis, req.TopicNames = 10000, names
	res, err := cluster.Ask[*kmsg.DeleteTopicsResponse](ctx, c.cluster, cluster.Controller, req)
	if err != nil {
		return err
	}
	for _, t := range res.Topics {
		err := verdict.Coded(t.ErrorCode, "delete topic %s", *t.Topic)
		if err != nil && !verdict.IsOfTopic(err) {
			return err
		}
	}
	return nil
}
