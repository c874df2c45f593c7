package kafka

import (
	"context"
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/broker"
	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/verdict"
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
	err = c.cluster.Prepare(ctx, "topics", func(ctx context.Context) error {
		_, topics, err := c.describeNew(ctx, create)
		if err != nil {
			return err
		}
		read := len(c.names.Read())
		if err := areThere(topics[:read]); err != nil {
			return err
		}
		width := len(topics[0].Leaders)
		for _, t := range topics[read:] {
			missing = missing || t.Missing
			made, err := c.ensureTopic(ctx, t, width, create)
			if made {
				created = append(created, t.Name)
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
	return created, c.cluster.Prepare(ctx, "new topics", func(ctx context.Context) error {
		for _, t := range c.names.Fenced() {
			if _, err := c.cluster.Width(ctx, c.names.Of(t), 1); err != nil {
				return err
			}
		}
		return nil
	})
}

// areThere is a stop if one of the topics that the task reads is missing.
func areThere(read []cluster.Topic) error {
	for i, t := range read {
		if t.Missing {
			what := [...]string{"input", "labels"}[i]
			missing := &verdict.MissingTopic{Name: t.Name}
			return missing.Stop(fmt.Sprintf("create the %s with kafka-topics --create --topic %s"+
				" --partitions N, or check the spelling of --%[1]s", what, t.Name))
		}
	}
	return nil
}

// describeNew describes the task's topics. Brokers learn of a new topic one after the other, so one that is missing and
// will not be created is looked for again for a second.
func (c *Client) describeNew(ctx context.Context, create bool) (id string, all []cluster.Topic, err error) {
	const tries = 8
	var pause cluster.Backoff
	for try := 1; ; try++ {
		id, all, err = c.cluster.Describe(ctx, c.names.List(c.names.All())...)
		if err != nil {
			return "", nil, err
		}
		needed := all
		if create {
			needed = all[:len(c.names.Read())]
		}
		missing := slices.ContainsFunc(needed, func(t cluster.Topic) bool { return t.Missing })
		//mutation:new-at-start
		if !missing || try == tries {
			return id, all, nil
		}
		if err := pause.Wait(ctx); err != nil {
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

func (c *Client) ensureTopic(ctx context.Context, t cluster.Topic, width int, create bool) (created bool, err error) {
	partitions, config := c.newTopic(t.Name, width)
	switch {
	case !t.Missing:
		return false, nil
	case !create:
		missing := &verdict.MissingTopic{Name: t.Name}
		return false, missing.Stop(fmt.Sprintf("start with --create-topics, or create it with"+
			" kafka-topics --create --topic %s --partitions %d --config cleanup.policy=%s", t.Name,
			partitions, config["cleanup.policy"]))
	}
	return c.cluster.CreateTopic(ctx, t.Name, partitions, config)
}

// alike is a stop if a label may be in a partition of another number than its event.
func (c *Client) alike(read []cluster.Topic) error {
	//mutation:labels-alike
	if len(read) == 1 || len(read[0].Leaders) == len(read[1].Leaders) {
		return nil
	}
	for i, t := range read {
		if err := c.cluster.AwaitWidth(t, len(read[1-i].Leaders)); err != nil {
			return err
		}
	}
	return &stops.Error{
		Name: stops.PartitionsDiffer,
		What: fmt.Sprintf("the input %s has %d partitions, the labels %s have %d: with a model for each partition, a"+
			" label has to be in the partition of its event", read[0].Name, len(read[0].Leaders), read[1].Name,
			len(read[1].Leaders)),
		Safe: safeSoFar,
		Do: "give both topics the same number of partitions, and write events and labels with the same keys and the" +
			" same partitioner; or have one model for all partitions, without --model-per",
	}
}

func (c *Client) ensureWidth(ctx context.Context, written cluster.Topic, width int, create bool) error {
	if written.Missing || len(written.Leaders) >= width {
		return nil
	}
	if !create {
		if err := c.cluster.AwaitWidth(written, width); err != nil {
			return err
		}
		return &stops.Error{
			Name: stops.OutputTooNarrow,
			What: fmt.Sprintf("the input %s has %d partitions, %s has %d",
				c.opt.Input, width, written.Name, len(written.Leaders)),
			Safe: safeSoFar,
			Do: fmt.Sprintf("start with --create-topics, or add partitions with kafka-topics --alter"+
				" --topic %s --partitions %d",
				written.Name, width),
		}
	}
	req := broker.CreatePartitionsRequest(written.Name, width, c.opt.ResponseTimeout)
	res, err := cluster.Ask[*kmsg.CreatePartitionsResponse](ctx, c.cluster, cluster.Controller, req)
	if err != nil {
		return err
	}
	for _, t := range res.Topics {
		//mutation:widened-by-others
		if t.ErrorCode == kerr.InvalidPartitions.Code {
			continue // it has them: another client was quicker, and what we had read was of before
		}
		if err := verdict.Coded(t.ErrorCode, "more partitions for topic %s", written.Name); err != nil {
			return err
		}
	}
	return c.cluster.Retry(ctx, "topic "+written.Name, c.cluster.Patience(), func(ctx context.Context) error {
		_, err := c.cluster.Width(ctx, written.Name, width)
		return err
	})
}

// Partitions returns how many tasks there are with Options.Split, and the partitions of the input: as many, unless the
// labels have fewer yet.
func (c *Client) Partitions(ctx context.Context) (tasks, input int, err error) {
	err = c.cluster.Prepare(ctx, "partitions", func(ctx context.Context) error {
		_, read, err := c.cluster.Describe(ctx, c.names.List(c.names.Read())...)
		if err != nil {
			return err
		}
		input = len(read[0].Leaders)
		tasks = input
		for _, t := range read {
			if t.Missing {
				return &verdict.MissingTopic{Name: t.Name}
			}
			tasks = min(tasks, len(t.Leaders))
		}
		return nil
	})
	return tasks, input, err
}
