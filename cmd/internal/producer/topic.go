package producer

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

// ready waits until the topic exists and has leaders. It creates the topic if the settings say so.
func (s *Settings) ready(ctx context.Context, security daemon.Security) error {
	ctx, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	transport := &kafkago.Transport{ClientID: s.ClientID, TLS: security.TLS, SASL: security.SASL, MetadataTTL: 500 * time.Millisecond}
	defer transport.CloseIdleConnections()
	client := &kafkago.Client{Addr: kafkago.TCP(s.Brokers...), Transport: transport}
	created := false
	for {
		err := s.describe(ctx, client)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return fmt.Errorf("topic %s: not ready within %s: %w", s.Topic, readyWithin, err)
		case errors.Is(err, kafkago.UnknownTopicOrPartition) && !created && s.CreateTopic:
			created = true
			if err := s.create(ctx, client); err != nil {
				return err
			}
		case errors.Is(err, kafkago.UnknownTopicOrPartition) && !created:
			return fmt.Errorf("topic %s does not exist: create it, or say --create-topic", s.Topic)
		case !retriable(err):
			return s.unready(err)
		}
		select { // brokers exchange metadata of a new topic asynchronously
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

// unready explains why the topic cannot be used, and what diagnoses it further.
func (s *Settings) unready(err error) error {
	const more = "rosenblatt check, with the same flags and --input TOPIC, says which step fails and why"
	var code kafkago.Error
	switch isCode := errors.As(err, &code); {
	case isCode && code == kafkago.TopicAuthorizationFailed:
		return fmt.Errorf("topic %s: this user may not write to it: add an ACL for WRITE on it: %w", s.Topic, err)
	case isCode && code != kafkago.SASLAuthenticationFailed:
		return fmt.Errorf("topic %s: %w", s.Topic, err)
	}
	if inner := errors.Unwrap(err); inner != nil { // without the name of a function
		err = inner
	}
	return fmt.Errorf("brokers %s: %w: %s", strings.Join(s.Brokers, ","), err, more)
}

// retriable tells whether an error is transient after the topic was created or a broker started.
func retriable(err error) bool {
	var code kafkago.Error
	return errors.As(err, &code) && kafka.Passes(err)
}

func (s *Settings) describe(ctx context.Context, client *kafkago.Client) error {
	m, err := client.Metadata(ctx, &kafkago.MetadataRequest{Topics: []string{s.Topic}})
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

func (s *Settings) create(ctx context.Context, client *kafkago.Client) error {
	const brokersDefault = -1
	made, err := client.CreateTopics(ctx, &kafkago.CreateTopicsRequest{Topics: []kafkago.TopicConfig{
		{Topic: s.Topic, NumPartitions: int(s.Partitions), ReplicationFactor: brokersDefault},
	}})
	if err == nil {
		err = made.Errors[s.Topic]
	}
	if err != nil && !errors.Is(err, kafkago.TopicAlreadyExists) {
		if errors.Is(err, kafkago.TopicAuthorizationFailed) || errors.Is(err, kafkago.ClusterAuthorizationFailed) {
			return fmt.Errorf("topic %s is not there, and this user may not create it: add an ACL for CREATE, or let somebody else create it: %w", s.Topic, err)
		}
		return fmt.Errorf("creating topic %s: %w", s.Topic, err)
	}
	return nil
}
