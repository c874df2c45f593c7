package kafka

import (
	"context"
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/broker"
	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/stops"
)

// Ensure makes sure that the task's topics exist, and that the output has at least as many partitions as the input.
// With create it creates those that the task writes, as wide as the input, with cleanup.policy=delete, and that of
// checkpoints, widens the output, and returns the names of created topics. Without create what is missing is a stop.
// What the task reads must exist. With Options.Split what holds for the output does for all that is written, and the
// labels must have as many partitions as the input.
func (c *Client) Ensure(ctx context.Context, create bool) (created []string, err error) {
	missing := false // at first: created by this or another client since
	err = c.prepare(ctx, "topics", func(ctx context.Context) error {
		_, topics, err := c.describeNew(ctx, create)
		if err != nil {
			return err
		}
		read := len(c.opt.read())
		if err := areThere(topics[:read]); err != nil {
			return err
		}
		width := len(topics[0].leaders)
		for _, t := range topics[read:] {
			missing = missing || t.missing
			made, err := c.ensureTopic(ctx, t, width, create)
			if made {
				created = append(created, t.name)
			}
			if err != nil {
				return err
			}
		}
		if !c.opt.Split {
			return c.ensureWidth(ctx, topics[read], width, create) // the output
		}
		for _, t := range topics[read:] {
			if err := c.ensureWidth(ctx, t, width, create); err != nil {
				return err
			}
		}
		return c.alike(topics[:read])
	})
	if err != nil || !missing {
		return created, err
	}
	return created, c.prepare(ctx, "new topics", func(ctx context.Context) error {
		for _, t := range c.opt.fenced() {
			if _, err := c.width(ctx, c.opt.name(t), 1); err != nil {
				return err
			}
		}
		return nil
	})
}

// areThere is a stop if one of the topics that the task reads is missing.
func areThere(read []topicMeta) error {
	for i, t := range read {
		if t.missing {
			what := [...]string{"input", "labels"}[i]
			return (&MissingTopic{t.name}).stop(fmt.Sprintf("create the %s with kafka-topics --create --topic %s"+
				" --partitions N, or check the spelling of --%[1]s", what, t.name))
		}
	}
	return nil
}

// describeNew describes the task's topics. Brokers learn of a new topic one after the other, so one that is missing and
// will not be created is looked for again for a second.
func (c *Client) describeNew(ctx context.Context, create bool) (cluster string, all []topicMeta, err error) {
	const tries = 8
	var pause backoff
	for try := 1; ; try++ {
		cluster, all, err = c.describe(ctx, c.opt.names(c.opt.all())...)
		if err != nil {
			return "", nil, err
		}
		needed := all
		if create {
			needed = all[:len(c.opt.read())]
		}
		missing := slices.ContainsFunc(needed, func(t topicMeta) bool { return t.missing })
		//mutation:new-at-start
		if !missing || try == tries {
			return cluster, all, nil
		}
		if err := pause.wait(ctx); err != nil {
			return "", nil, err
		}
	}
}

// newTopic is with how many partitions and which configuration a topic is created that the task writes.
func (c *Client) newTopic(name string, width int) (partitions int, config map[string]string) {
	if name != c.opt.Checkpoints {
		return width, map[string]string{"cleanup.policy": "delete"}
	}
	if !c.opt.Split {
		width = 1
	}
	return width, statetopic.TopicConfig()
}

func (c *Client) ensureTopic(ctx context.Context, t topicMeta, width int, create bool) (created bool, err error) {
	partitions, config := c.newTopic(t.name, width)
	switch {
	case !t.missing:
		return false, nil
	case !create:
		return false, (&MissingTopic{t.name}).stop(fmt.Sprintf("start with --create-topics, or create it with"+
			" kafka-topics --create --topic %s --partitions %d --config cleanup.policy=%s", t.name,
			partitions, config["cleanup.policy"]))
	}
	return c.createTopic(ctx, t.name, partitions, config)
}

// createTopic uses the broker's default replication. A topic that exists is no error.
func (c *Cluster) createTopic(
	ctx context.Context, name string, partitions int, configs map[string]string,
) (created bool, err error) {
	req := broker.CreateTopicRequest(name, partitions, configs, c.opt.ResponseTimeout)
	res, err := request[*kmsg.CreateTopicsResponse](ctx, c, controller, req)
	if err != nil {
		return false, err
	}
	for _, t := range res.Topics {
		if t.ErrorCode == kerr.TopicAlreadyExists.Code {
			return false, nil // created by another client or by our first request
		}
		if err := coded(t.ErrorCode, "create topic %s", name); err != nil {
			return false, err
		}
	}
	return true, nil
}

// alike is a stop if a label may be in a partition of another number than its event.
func (c *Client) alike(read []topicMeta) error {
	//mutation:labels-alike
	if len(read) == 1 || len(read[0].leaders) == len(read[1].leaders) {
		return nil
	}
	for i, t := range read {
		if err := c.widths.await(t, len(read[1-i].leaders)); err != nil {
			return err
		}
	}
	return &stops.Error{
		Name: stops.PartitionsDiffer,
		What: fmt.Sprintf("the input %s has %d partitions, the labels %s have %d: with a model for each partition, a"+
			" label has to be in the partition of its event", read[0].name, len(read[0].leaders), read[1].name,
			len(read[1].leaders)),
		Safe: safeSoFar,
		Do: "give both topics the same number of partitions, and write events and labels with the same keys and the" +
			" same partitioner; or have one model for all partitions, without --model-per",
	}
}

func (c *Client) ensureWidth(ctx context.Context, written topicMeta, width int, create bool) error {
	if written.missing || len(written.leaders) >= width {
		return nil
	}
	if !create {
		if err := c.widths.await(written, width); err != nil {
			return err
		}
		return &stops.Error{
			Name: stops.OutputTooNarrow,
			What: fmt.Sprintf("the input %s has %d partitions, %s has %d",
				c.opt.Input, width, written.name, len(written.leaders)),
			Safe: safeSoFar,
			Do: fmt.Sprintf("start with --create-topics, or add partitions with kafka-topics --alter"+
				" --topic %s --partitions %d",
				written.name, width),
		}
	}
	req := broker.CreatePartitionsRequest(written.name, width, c.opt.ResponseTimeout)
	res, err := request[*kmsg.CreatePartitionsResponse](ctx, c.Cluster, controller, req)
	if err != nil {
		return err
	}
	for _, t := range res.Topics {
		//mutation:widened-by-others
		if t.ErrorCode == kerr.InvalidPartitions.Code {
			continue // it has them: another client was quicker, and what we had read was of before
		}
		if err := coded(t.ErrorCode, "more partitions for topic %s", written.name); err != nil {
			return err
		}
	}
	return c.retry(ctx, "topic "+written.name, c.patience(), func(ctx context.Context) error {
		_, err := c.width(ctx, written.name, width)
		return err
	})
}

// Partitions returns how many tasks there are with Options.Split, and the partitions of the input: as many, unless the
// labels have fewer yet.
func (c *Client) Partitions(ctx context.Context) (tasks, input int, err error) {
	err = c.prepare(ctx, "partitions", func(ctx context.Context) error {
		_, read, err := c.describe(ctx, c.opt.names(c.opt.read())...)
		if err != nil {
			return err
		}
		input = len(read[0].leaders)
		tasks = input
		for _, t := range read {
			if t.missing {
				return &MissingTopic{t.name}
			}
			tasks = min(tasks, len(t.leaders))
		}
		return nil
	})
	return tasks, input, err
}

// width returns the number of a topic's partitions. Fewer than wanted, or one without a leader: a retriable error.
func (c *Cluster) width(ctx context.Context, name string, want int) (int, error) {
	_, topics, err := c.describe(ctx, name)
	if err != nil {
		return 0, err
	}
	got := len(topics[0].leaders)
	if got < want {
		return got, fmt.Errorf("topic %s has %d of %d partitions yet", name, got, want)
	}
	return got, topics[0].led()
}
