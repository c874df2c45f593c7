package kafka

import (
	"context"
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/stops"
)

// Ensure sees to it that the task's topics exist, and that the output has at least as many partitions as the input. With
// create it makes the output and the dead-letter topic (as many partitions as the input, the broker's default replication,
// cleanup.policy=delete) and lets a narrower output grow; it returns the names of the topics it has made. Without create
// what is lacking is an error that says how to go on, for a narrow output the stop output-too-narrow. The input must exist.
func (c *Client) Ensure(ctx context.Context, create bool) (created []string, err error) {
	err = c.retry(ctx, "topics", c.opt.patience, func(ctx context.Context) error {
		_, topics, err := c.describe(ctx, c.opt.Input, c.opt.Output, c.opt.DeadLetters)
		if err != nil {
			return err
		}
		if topics[0].missing {
			return (&missingTopic{c.opt.Input}).stop(fmt.Sprintf("create the input with kafka-topics --create --topic %s --partitions N, or mind the spelling of --input", c.opt.Input))
		}
		width := len(topics[0].leaders)
		for _, t := range topics[1:] {
			made, err := c.ensureTopic(ctx, t, width, create)
			if made {
				created = append(created, t.name)
			}
			if err != nil {
				return err
			}
		}
		return c.wide(ctx, topics[1], width, create)
	})
	if err == nil && len(created) > 0 {
		err = c.appeared(ctx)
	}
	if err != nil && ctx.Err() == nil {
		err = stopFor(err)
	}
	return created, err
}

func (c *Client) ensureTopic(ctx context.Context, t topicMeta, width int, create bool) (made bool, err error) {
	switch {
	case !t.missing:
		return false, nil
	case !create:
		return false, (&missingTopic{t.name}).stop(fmt.Sprintf("start with --create-topics, or create it with kafka-topics --create --topic %s --partitions %d --config cleanup.policy=delete",
			t.name, width))
	}
	req := kmsg.NewPtrCreateTopicsRequest()
	req.TimeoutMillis = int32(c.opt.request.Milliseconds())
	rt := kmsg.NewCreateTopicsRequestTopic()
	rt.Topic, rt.NumPartitions, rt.ReplicationFactor = t.name, int32(width), -1
	policy := kmsg.NewCreateTopicsRequestTopicConfig()
	policy.Name, policy.Value = "cleanup.policy", kmsg.StringPtr("delete")
	rt.Configs = append(rt.Configs, policy)
	req.Topics = append(req.Topics, rt)
	res, err := ask[*kmsg.CreateTopicsResponse](ctx, c, controller{}, req)
	if err != nil {
		return false, err
	}
	for _, a := range res.Topics {
		if a.ErrorCode == codeTopicExists {
			return false, nil // somebody was faster, or the answer to our first request was lost
		}
		if err := coded(a.ErrorCode, "create topic %s", t.name); err != nil {
			return false, err
		}
	}
	return true, nil
}

// wide sees to it that the output is at least as wide as the input.
func (c *Client) wide(ctx context.Context, output topicMeta, width int, create bool) error {
	if output.missing || len(output.leaders) >= width {
		return nil
	}
	if !create {
		return &stops.Error{
			Name: stops.OutputTooNarrow,
			What: fmt.Sprintf("the input %s has %d partitions, the output %s has %d", c.opt.Input, width, output.name, len(output.leaders)),
			Safe: "everything answered so far, and the checkpoint of it",
			Do: fmt.Sprintf("start with --create-topics, or let it grow with kafka-topics --alter --topic %s --partitions %d",
				output.name, width),
		}
	}
	req := kmsg.NewPtrCreatePartitionsRequest()
	req.TimeoutMillis = int32(c.opt.request.Milliseconds())
	rt := kmsg.NewCreatePartitionsRequestTopic()
	rt.Topic, rt.Count = output.name, int32(width)
	req.Topics = append(req.Topics, rt)
	res, err := ask[*kmsg.CreatePartitionsResponse](ctx, c, controller{}, req)
	if err != nil {
		return err
	}
	for _, a := range res.Topics {
		if err := coded(a.ErrorCode, "more partitions for topic %s", output.name); err != nil {
			return err
		}
	}
	return c.retry(ctx, "topic "+output.name, c.opt.patience, func(ctx context.Context) error {
		return c.hasWidth(ctx, output.name, width)
	})
}

// appeared waits until topics that were made have leaders.
func (c *Client) appeared(ctx context.Context) error {
	return c.retry(ctx, "new topics", c.opt.patience, func(ctx context.Context) error {
		for _, name := range []string{c.opt.Output, c.opt.DeadLetters} {
			if err := c.hasWidth(ctx, name, 1); err != nil {
				return err
			}
		}
		return nil
	})
}

// hasWidth is an error that passes as long as a topic has fewer partitions than it is to get.
func (c *Client) hasWidth(ctx context.Context, name string, width int) error {
	_, topics, err := c.describe(ctx, name)
	if err == nil && len(topics[0].leaders) < width {
		err = fmt.Errorf("topic %s has %d of %d partitions yet", name, len(topics[0].leaders), width)
	}
	if err == nil {
		err = topics[0].led()
	}
	return err
}
