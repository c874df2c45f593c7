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

// markerSearch looks for the markers of a producer id and epoch in partitions of the topics that the task writes.
type markerSearch struct {
	client   *Client
	producer topics.Producer
	check    batchCheck // of what is before a marker in the journal; may be nil
	open     []*markerPartition
	found    watermarks // where they are, in each partition
}

// markerPartition is a partition whose marker was not found yet.
type markerPartition struct {
	fetchPartition // at is where the search goes on
	of             topics.Topic
	found          bool
	badReads       int
}

const lookingForMarkers = "markers" // in outages

// markers waits until a control batch of this producer id and epoch is in every partition that the task has, of those
// that from has an offset for, and returns their offsets.
func (c *Client) markers(
	ctx context.Context, p topics.Producer, from watermarks, check batchCheck,
) (watermarks, error) {
	s := &markerSearch{client: c, producer: p, check: check, found: from}
	s.found.Ends = from.Clone()
	for _, t := range c.opt.written() {
		//mutation:marker-topics
		for _, partition := range c.owned(len(*from.Of(t))) {
			s.add(t, partition, (*from.Of(t))[partition])
		}
	}
	//mutation:checkpoint-marker
	if c.opt.Checkpoints != "" {
		s.add(topics.Checkpoints, c.checkpointPartition(), from.checkpoints)
	}
	defer c.outages.clear(lookingForMarkers)
	//mutation:marker-wait
	for len(s.open) > 0 {
		if err := c.retry(ctx, "fetch of markers", 0, s.request); err != nil {
			return watermarks{}, err
		}
	}
	c.outages.recovered(lookingForMarkers)
	return s.found, nil
}

func (s *markerSearch) add(t topics.Topic, partition int32, from int64) {
	s.open = append(s.open, &markerPartition{of: t,
		fetchPartition: fetchPartition{topic: s.client.opt.name(t), partition: partition, at: from}})
}

// request makes one request to each broker, for all partitions that it leads. What it finds stays found, whatever error
// another partition has.
func (s *markerSearch) request(ctx context.Context) (failed error) {
	c := s.client
	if _, err := c.metadata(ctx); err != nil {
		return err
	}
	led := map[int32][]*markerPartition{}
	for _, p := range s.open {
		id, err := c.topicID(ctx, p.topic)
		if err != nil {
			return err
		}
		p.id = id
		broker, err := c.leaderOf(p.topic, p.partition)
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
		if _, err := c.identify(ctx, p.topic); err != nil && classify(err) != retriable {
			return err
		}
		return f.err
	case f.err != nil:
		return f.err
	case f.result == nil:
		return fmt.Errorf("fetch of %s/%d: the response is about something else", p.topic, p.partition)
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
		s.client.outages.waits(lookingForMarkers, errNoMarker)
		return false, nil
	//mutation:own-marker
	case b.Control && b.ProducerID == s.producer.ID && b.Epoch == s.producer.Epoch:
		s.note(p, b.BaseOffset)
		return true, nil
	case s.check != nil && (p.of == topics.Output || p.of == topics.Outcomes): // others may write elsewhere
		return false, s.check(p.topic, p.partition, b)
	}
	return false, nil
}

func (s *markerSearch) note(p *markerPartition, at int64) {
	if p.of == topics.Checkpoints {
		s.found.checkpoints = at
		return
	}
	(*s.found.Of(p.of))[p.partition] = at
}
