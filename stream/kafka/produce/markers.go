package produce

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/fetch"
	"rosenblatt/stream/kafka/verdict"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

var errNoMarker = errors.New("the coordinator has not written it yet")

// markerSearch looks for the markers of a producer id and epoch in partitions of the topics that the task writes.
type markerSearch struct {
	view     *View
	producer topics.Producer
	check    batchCheck // of what is before a marker in the journal; may be nil
	open     []*markerPartition
	found    watermarks // where they are, in each partition
}

// markerPartition is a partition whose marker was not found yet.
type markerPartition struct {
	fetch.Partition // at is where the search goes on
	of              topics.Topic
	found           bool
	badReads        int
}

const lookingForMarkers = "markers" // in outages

// markers waits until a control batch of this producer id and epoch is in every partition that the task has, of those
// that from has an offset for, and returns their offsets.
func (v *View) markers(
	ctx context.Context, p topics.Producer, from watermarks, check batchCheck,
) (watermarks, error) {
	s := &markerSearch{view: v, producer: p, check: check, found: from}
	s.found.Ends = from.Clone()
	for _, t := range v.Names.Written() {
		//mutation:marker-topics
		for _, partition := range v.Portion.Owned(len(*from.Of(t))) {
			s.add(t, partition, (*from.Of(t))[partition])
		}
	}
	//mutation:checkpoint-marker
	if v.Names.Checkpoints != "" {
		s.add(topics.Checkpoints, v.Portion.OfCheckpoints(), from.checkpoints)
	}
	defer v.Outages.Clear(lookingForMarkers)
	//mutation:marker-wait
	for len(s.open) > 0 {
		if err := v.Retry(ctx, "fetch of markers", 0, s.request); err != nil {
			return watermarks{}, err
		}
	}
	v.Outages.Recovered(lookingForMarkers)
	return s.found, nil
}

func (s *markerSearch) add(t topics.Topic, partition int32, from int64) {
	s.open = append(s.open, &markerPartition{of: t,
		Partition: fetch.Partition{Topic: s.view.Names.Of(t), Number: partition, At: from}})
}

// request makes one request to each broker, for all partitions that it leads. What it finds stays found, whatever error
// another partition has.
func (s *markerSearch) request(ctx context.Context) (failed error) {
	v := s.view
	if _, err := v.Metadata(ctx); err != nil {
		return err
	}
	led := map[int32][]*markerPartition{}
	for _, p := range s.open {
		id, err := v.TopicID(ctx, p.Topic)
		if err != nil {
			return err
		}
		p.ID = id
		broker, err := v.LeaderOf(p.Topic, p.Number)
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
	if x == nil || y != nil && verdict.Judge(x, verdict.OnRequest) == verdict.Retriable {
		return y
	}
	return x
}

func (s *markerSearch) fetch(ctx context.Context, broker int32, of []*markerPartition) (failed error) {
	partitions := make([]fetch.Partition, len(of))
	again := false
	for i, p := range of {
		partitions[i] = p.Partition
		again = again || p.badReads > 0
	}
	req := s.view.Fetcher.Request(partitions...)
	req.Isolation, req.Wait, req.Disconnect = cluster.Uncommitted, fetch.ScanWait, again
	results, err := s.view.Fetcher.Fetch(ctx, cluster.Node(broker), req)
	if err != nil {
		return err
	}
	for i, p := range of {
		failed = graver(failed, s.take(ctx, p, results[i]))
	}
	return failed
}

// take looks for the marker in what a fetch says of a partition.
func (s *markerSearch) take(ctx context.Context, p *markerPartition, f fetch.Fetched) error {
	v := s.view
	switch {
	case verdict.IsOfTopic(f.Err):
		if _, err := v.Identify(ctx, p.Topic); err != nil && verdict.Classify(err) != verdict.Retriable {
			return err
		}
		return f.Err
	case f.Err != nil:
		return f.Err
	case f.Result == nil:
		return fmt.Errorf("fetch of %s/%d: the response is about something else", p.Topic, p.Number)
	}
	visit := func(b *recordbatch.Batch) (bool, error) { return s.visit(p, b) }
	found, next, err := fetch.ScanResult(f.Result, p.At, visit)
	f.Result.Memory.Release()
	if errors.As(err, new(*recordbatch.Corrupt)) && p.badReads < fetch.MaxBadReads {
		p.badReads++
		return nil
	}
	p.found, p.At = found, next
	return err
}

func (s *markerSearch) visit(p *markerPartition, b *recordbatch.Batch) (found bool, err error) {
	switch {
	case b == nil:
		s.view.Outages.Waits(lookingForMarkers, errNoMarker)
		return false, nil
	//mutation:own-marker
	case b.Control && b.ProducerID == s.producer.ID && b.Epoch == s.producer.Epoch:
		s.note(p, b.BaseOffset)
		return true, nil
	case s.check != nil && (p.of == topics.Output || p.of == topics.Outcomes): // others may write elsewhere
		return false, s.check(p.Topic, p.Number, b)
	}
	return false, nil
}

func (s *markerSearch) note(p *markerPartition, at int64) {
	if p.of == topics.Checkpoints {
		s.found.checkpoints = at
		return
	}
	(*s.found.Of(p.of))[p.Number] = at
}
