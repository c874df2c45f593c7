package main

import (
	"cmp"
	"context"
	"slices"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/replay"
	"rosenblatt/stream/topics"
)

// topicSource is a topic, or several partitions of it, with the connections it is read through.
type topicSource struct {
	replay.Source
	topic   string
	coded   string
	clients []*kafka.Client
}

func (s *topicSource) name() string      { return "topic " + s.topic }
func (s *topicSource) format() string    { return s.coded }
func (s *topicSource) columns() []string { return nil }

func (s *topicSource) close() {
	for _, c := range s.clients {
		c.Close()
	}
}

// topicSource asks where the topic begins and ends and opens it.
func (c *replayCommand) topicSource(ctx context.Context, plan *replayPlan) (replaySource, error) {
	s := &topicSource{topic: c.Topic, coded: c.Format}
	if err := c.openTopic(ctx, plan, s); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (c *replayCommand) openTopic(ctx context.Context, plan *replayPlan, s *topicSource) error {
	journal := cmp.Or(c.Journal, c.Topic+".predictions")
	client, err := c.reading(plan, c.Topic, journal)
	if err != nil {
		return err
	}
	s.clients = append(s.clients, client)
	parts, err := c.parts(ctx, client, plan)
	if err != nil {
		return err
	}
	if c.Order != "journal" {
		s.Source = replay.FromTopic(c.Topic, client, parts)
		return nil
	}
	answers, err := c.reading(plan, journal, c.Topic)
	if err != nil {
		return err
	}
	s.clients = append(s.clients, answers)
	starts, ends, err := extent(ctx, answers)
	if err != nil {
		return err
	}
	s.Source = replay.FromJournal(c.Topic, client, parts, whole(starts, ends))
	return nil
}

// reading makes a client that reads a topic and another one. It wants the name of a third, which is never asked for.
func (c *replayCommand) reading(plan *replayPlan, topic, other string) (*kafka.Client, error) {
	return kafka.New(kafka.Options{
		Brokers: c.Brokers, ClientID: c.ClientID, TLS: plan.security.TLS, SASL: plan.security.SASL,
		Input: topic, Output: other, DeadLetters: topic + ".dlq", Log: plan.troubles,
	})
}

// The moments that stand for a log's ends (Kafka's ListOffsets).
const (
	logStart = -2
	logEnd   = -1
)

// extent asks where each partition begins and ends; transactions that are still open are behind the end.
func extent(ctx context.Context, client *kafka.Client) (starts, ends []int64, err error) {
	if ends, err = client.OffsetsAt(ctx, logEnd); err != nil {
		return nil, nil, err
	}
	if starts, err = client.OffsetsAt(ctx, logStart); err != nil {
		return nil, nil, err
	}
	n := min(len(starts), len(ends)) // partitions may have been added in between
	return starts[:n], ends[:n], nil
}

func whole(starts, ends []int64) (parts []topics.Part) {
	for p := range starts {
		parts = append(parts, topics.Part{Partition: int32(p), From: starts[p], To: ends[p]})
	}
	return parts
}

// parts are the stretches between --from and --to of the partitions asked for.
func (c *replayCommand) parts(ctx context.Context, client *kafka.Client, plan *replayPlan) ([]topics.Part, error) {
	starts, ends, err := extent(ctx, client)
	if err != nil {
		return nil, err
	}
	from, err := at(ctx, client, plan.from, starts, ends)
	if err != nil {
		return nil, err
	}
	to, err := at(ctx, client, plan.to, ends, ends)
	if err != nil {
		return nil, err
	}
	all := whole(starts, ends)
	for p := range all {
		all[p].From, all[p].To = max(from[p], starts[p]), min(to[p], ends[p])
	}
	if len(c.Partitions) == 0 {
		return all, nil
	}
	var chosen []topics.Part
	for p, part := range all {
		if slices.Contains(c.Partitions, int32(p)) {
			chosen = append(chosen, part)
		}
	}
	for _, p := range c.Partitions {
		if p < 0 || int(p) >= len(all) {
			return nil, cli.Usagef("partitions: %d: topic %s has partitions 0 to %d", p, c.Topic, len(all)-1)
		}
	}
	return chosen, nil
}

// at finds the offsets of a bound, or those otherwise when it is not set. A time after the last record is the end.
func at(ctx context.Context, client *kafka.Client, b bound, otherwise, ends []int64) ([]int64, error) {
	out := slices.Clone(otherwise)
	switch {
	case !b.set:
		return out, nil
	case b.time == 0:
		for p := range out {
			out[p] = b.offset
		}
		return out, nil
	}
	offsets, err := client.OffsetsAt(ctx, b.time)
	if err != nil {
		return nil, err
	}
	for p := range out {
		out[p] = ends[p]
		if p < len(offsets) && offsets[p] >= 0 {
			out[p] = offsets[p]
		}
	}
	return out, nil
}
