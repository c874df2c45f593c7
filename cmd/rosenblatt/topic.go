package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	kafkago "github.com/segmentio/kafka-go"

	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream/kafka"
)

// readyWithin is how long a topic may take to have leaders.
const readyWithin = 30 * time.Second

// ready sees to it that the topic is there and has leaders.
func (c *produceCommand) ready(ctx context.Context, security daemon.Security) error {
	ctx, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	transport := &kafkago.Transport{ClientID: c.ClientID, TLS: security.TLS, SASL: security.SASL, MetadataTTL: 500 * time.Millisecond}
	defer transport.CloseIdleConnections()
	client := &kafkago.Client{Addr: kafkago.TCP(c.Brokers...), Transport: transport}
	asked := false
	for {
		err := c.describe(ctx, client)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return fmt.Errorf("topic %s: not ready within %s: %w", c.Topic, readyWithin, err)
		case errors.Is(err, kafkago.UnknownTopicOrPartition) && !asked && c.CreateTopic:
			asked = true
			if err := c.create(ctx, client); err != nil {
				return err
			}
		case errors.Is(err, kafkago.UnknownTopicOrPartition) && !asked:
			return fmt.Errorf("topic %s does not exist: create it, or say --create-topic", c.Topic)
		case !passing(err):
			return c.unready(err)
		}
		select { // a look every 50 ms: brokers tell one another of a new topic in their own time
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

// unready says what is wrong, and who can tell more.
func (c *produceCommand) unready(err error) error {
	const more = "rosenblatt check, with the same flags and --input TOPIC, says which step fails and why"
	var code kafkago.Error
	switch isCode := errors.As(err, &code); {
	case isCode && code == kafkago.TopicAuthorizationFailed:
		return fmt.Errorf("topic %s: this user may not write to it: add an ACL for WRITE on it: %w", c.Topic, err)
	case isCode && code != kafkago.SASLAuthenticationFailed:
		return fmt.Errorf("topic %s: %w", c.Topic, err)
	}
	if inner := errors.Unwrap(err); inner != nil { // without the name of a function
		err = inner
	}
	return fmt.Errorf("brokers %s: %w: %s", strings.Join(c.Brokers, ","), err, more)
}

// passing tells whether an error goes away when a topic was just made or a broker just started.
func passing(err error) bool {
	var code kafkago.Error
	return errors.As(err, &code) && kafka.Passes(err)
}

func (c *produceCommand) describe(ctx context.Context, client *kafkago.Client) error {
	m, err := client.Metadata(ctx, &kafkago.MetadataRequest{Topics: []string{c.Topic}})
	if err != nil {
		return err
	}
	if len(m.Topics) != 1 {
		return fmt.Errorf("%d topics in the answer about one", len(m.Topics))
	}
	if m.Topics[0].Error != nil {
		return m.Topics[0].Error
	}
	for _, p := range m.Topics[0].Partitions {
		if p.Error != nil {
			return p.Error
		}
	}
	return nil
}

func (c *produceCommand) create(ctx context.Context, client *kafkago.Client) error {
	const brokersDefault = -1
	made, err := client.CreateTopics(ctx, &kafkago.CreateTopicsRequest{Topics: []kafkago.TopicConfig{
		{Topic: c.Topic, NumPartitions: int(c.Partitions), ReplicationFactor: brokersDefault},
	}})
	if err == nil {
		err = made.Errors[c.Topic]
	}
	if err != nil && !errors.Is(err, kafkago.TopicAlreadyExists) {
		if errors.Is(err, kafkago.TopicAuthorizationFailed) || errors.Is(err, kafkago.ClusterAuthorizationFailed) {
			return fmt.Errorf("topic %s is not there, and this user may not create it: add an ACL for CREATE, or let somebody else create it: %w", c.Topic, err)
		}
		return fmt.Errorf("creating topic %s: %w", c.Topic, err)
	}
	return nil
}
