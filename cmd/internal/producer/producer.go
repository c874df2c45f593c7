// Package producer is what `rosenblatt produce` does, apart from its command line: it sends the events of a file or a
// generator to a topic, values as they are read. With labels of their own (--labels-out) or changed ids (--id-prefix),
// it writes them anew.
package producer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/twmb/franz-go/pkg/kerr"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/event"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/kafka/produce"
	"rosenblatt/stream/kafka/verdict"
	"rosenblatt/stream/recordbatch"
)

// Run sends all events, or those until ctx ends, and prints how many are in the topic.
func Run(ctx context.Context, program *cli.Program, s *Settings) error {
	cluster, err := s.Check()
	if err != nil {
		return err
	}
	feed, err := s.open(program.Stdin)
	if err != nil {
		return err
	}
	defer func() { feed.close() }()
	if s.Encode != "" && feed.format != event.JSON {
		return cli.Usagef("encode: the events are in %s: it is for events in json", feed.format)
	}
	if feed.code, err = s.coder(ctx); err != nil {
		return err
	}
	feed.showTable(program)
	to, err := s.connect(ctx, cluster, s.Topic, s.Rate)
	if err != nil {
		return err
	}
	defer to.to.Close()
	show := newProgress(program.Stderr, feed)
	if s.Out == "" {
		err = to.send(ctx, feed, to.write, show.moved)
		show.bar.End()
		s.summarize(program, to, ctx.Err() != nil)
		return err
	}
	labels, err := s.connect(ctx, cluster, s.Out, 0)
	if err != nil {
		return err
	}
	defer labels.to.Close()
	queue := newLabelQueue(to.write, labels.write)
	err = queue.send(ctx, program, to, feed, show)
	s.summarize(program, to, ctx.Err() != nil)
	queue.summarize(program, s.Out, labels.indeterminate)
	return err
}

func (s *Settings) connect(ctx context.Context, cluster kafka.ClusterOptions, topic string, rate float64) (*sender,
	error) {
	codec, err := recordbatch.ParseCodec(cmp.Or(s.Compression, recordbatch.None.String()))
	if err != nil {
		return nil, err
	}
	opt := produce.SenderOptions{Options: cluster, Topic: topic, Codec: codec}
	if s.CreateTopic {
		opt.Create = s.Partitions
	}
	to, err := produce.NewSender(ctx, opt)
	if err != nil {
		return nil, s.explain(topic, err)
	}
	return newSender(to, topic, s.Keys, rate), nil
}

// explain names the fault of the topic or the connection and the next step.
func (s *Settings) explain(topic string, err error) error {
	var missing *verdict.MissingTopic
	var code *kerr.Error
	switch {
	case errors.As(err, &missing):
		return fmt.Errorf("%w: create it, or say --create-topic", err)
	case errors.Is(err, kerr.TopicAuthorizationFailed), errors.Is(err, kerr.ClusterAuthorizationFailed):
		return fmt.Errorf("topic %s: this user may not write to it, or not create it: add ACLs for WRITE or CREATE: %w",
			topic, err)
	case errors.As(err, &code) && code != kerr.SaslAuthenticationFailed, errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("topic %s: %w", topic, err)
	}
	return fmt.Errorf("brokers %s: %w: rosenblatt check, with the same flags and --input TOPIC, says which step "+
		"fails and why",
		strings.Join(s.Brokers, ","), err)
}

func (s *Settings) summarize(program *cli.Program, by *sender, interrupted bool) {
	end := ""
	if interrupted {
		end = "; interrupted, all that was sent is acknowledged"
	}
	if by.indeterminate > 0 {
		end = fmt.Sprintf("; %d more were sent but not acknowledged, they may be in the topic, too", by.indeterminate)
	}
	fmt.Fprintf(program.Stdout, "%d %s in %s, %.0f a second%s\n", by.sent,
		english.PluralWord(int(by.sent), "event", ""),
		s.Topic, float64(by.sent)/max(by.took.Seconds(), 1e-3), end)
	if by.keyless > 0 {
		//mutation:keyless-labels
		fmt.Fprintf(program.Stderr, "%d of them without a key: they have no %s%s\n", by.keyless, s.Key,
			cli.When(s.Out != "", "; their labels may be in other partitions than they are, where a model of one"+
				" partition (run --model-per partition) does not find their events"))
	}
}
