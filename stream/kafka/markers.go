package kafka

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

var errNoMarker = errors.New("the coordinator has not written it yet")

// markerSearch looks for the markers of a producer id and epoch in all partitions of a topic.
type markerSearch struct {
	client   *Client
	what     string // for outages
	topic    string
	producer topics.Producer
	check    batchCheck // of what is before a marker; may be nil
	open     []*markerPartition
	found    []int64 // offsets, of each partition
}

// markerPartition is a partition whose marker was not found yet.
type markerPartition struct {
	fetchPartition // at is where the search goes on
	found          bool
	badReads       int
}

// markers waits in every partition that the task has of a topic for a control batch of this producer id and epoch and
// returns their offsets, 0 in the others.
func (c *Client) markers(
	ctx context.Context, topic string, p topics.Producer, from []int64, check batchCheck,
) ([]int64, error) {
	s := &markerSearch{client: c, what: "markers in " + topic, topic: topic, producer: p, check: check,
		found: make([]int64, len(from))}
	for partition, at := range from {
		if !c.has(partition) {
			continue
		}
		s.open = append(s.open, &markerPartition{fetchPartition: fetchPartition{
			topic: topic, partition: int32(partition), at: at}})
	}
	defer c.outages.clear(s.what)
	//mutation:marker-wait
	for len(s.open) > 0 {
		if err := c.retry(ctx, "fetch of "+s.what, 0, s.request); err != nil {
			return nil, err
		}
	}
	c.outages.recovered(s.what)
	return s.found, nil
}

// request makes one request to each broker, for all partitions that it leads. What it finds stays found, whatever error
// another partition has.
func (s *markerSearch) request(ctx context.Context) (failed error) {
	c := s.client
	id, err := c.topicID(ctx, s.topic)
	if err == nil {
		_, err = c.metadata(ctx)
	}
	if err != nil {
		return err
	}
	led := map[int32][]*markerPartition{}
	for _, p := range s.open {
		p.id = id
		broker, err := c.leaderOf(s.topic, p.partition)
		failed = graver(failed, err)
		if err == nil {
			led[broker] = append(led[broker], p)
		}
	}
	errs := make(chan error, len(led))
	for broker, partitions := range led {
		go func() { errs <- s.fetch(ctx, broker, partitions) }()
	}
	for range led {
		failed = graver(failed, <-errs)
	}
	s.open = slices.DeleteFunc(s.open, func(p *markerPartition) bool { return p.found })
	return failed
}

// graver returns the one of two errors that is not retriable.
func graver(x, y error) error {
	if x == nil || y != nil && judge(x, opRequest) == retriable {
		return y
	}
	return x
}

func (s *markerSearch) fetch(ctx context.Context, broker int32, of []*markerPartition) (failed error) {
	partitions := make([]fetchPartition, len(of))
	again := false
	for i, p := range of {
		partitions[i] = p.fetchPartition
		again = again || p.badReads > 0
	}
	req := s.client.fetchRequest(partitions...)
	req.isolation, req.wait, req.disconnect = uncommitted, markerWait, again
	results, err := s.client.timedFetch(ctx, node(broker), req)
	if err != nil {
		return err
	}
	for i, p := range of {
		failed = graver(failed, s.take(ctx, p, results[i]))
	}
	return failed
}

// take looks for the marker in what a fetch says of a partition.
func (s *markerSearch) take(ctx context.Context, p *markerPartition, f fetched) error {
	c := s.client
	switch {
	case isOfTopic(f.err):
		if _, err := c.identify(ctx, s.topic); err != nil && classify(err) != retriable {
			return err
		}
		return f.err
	case f.err != nil:
		return f.err
	case f.result == nil:
		return fmt.Errorf("fetch of %s/%d: the response is about something else", s.topic, p.partition)
	}
	found, next, err := scanResult(f.result, p.at, func(b *recordbatch.Batch) (bool, error) { return s.visit(p, b) })
	f.result.memory.Release()
	if errors.As(err, new(*recordbatch.Corrupt)) && p.badReads < maxBadReads {
		p.badReads++
		return nil
	}
	p.found, p.at = found, next
	return err
}

func (s *markerSearch) visit(p *markerPartition, b *recordbatch.Batch) (found bool, err error) {
	switch {
	case b == nil:
		s.client.outages.failed(s.what, errNoMarker)
		return false, nil
	//mutation:own-marker
	case b.Control && b.ProducerID == s.producer.ID && b.Epoch == s.producer.Epoch:
		s.found[p.partition] = b.BaseOffset
		return true, nil
	case s.check != nil:
		return false, s.check(s.topic, p.partition, b)
	}
	return false, nil
}
