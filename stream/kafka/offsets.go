package kafka

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/topics"
)

// Places for ListOffsets; any other number is a time in milliseconds since 1970.
const (
	logEnd   = -1
	logStart = -2

	uncommitted = 0
	committed   = 1
)

// listOffsets requests each partition's offset at a place: logStart, logEnd, or a time (then -1 where no record is at
// or after it), 0 of one that is away. It is one request to each leader of partitions of the topics.
func (c *Cluster) listOffsets(ctx context.Context, at int64, isolation int8, of ...topicMeta) ([][]int64, error) {
	places, err := c.listPlaces(ctx, at, isolation, of...)
	if err != nil {
		return nil, err
	}
	offsets := make([][]int64, len(of))
	for i := range places {
		offsets[i] = make([]int64, len(places[i]))
		for p := range places[i] {
			offsets[i][p] = places[i][p].Offset
		}
	}
	return offsets, nil
}

// listPlaces is listOffsets with leader epochs: of the end, that of the leader of now.
func (c *Cluster) listPlaces(
	ctx context.Context, at int64, isolation int8, of ...topicMeta,
) ([][]topics.Reached, error) {
	places := make([][]topics.Reached, len(of))
	requests := map[int32]*kmsg.ListOffsetsRequest{}
	for i, m := range of {
		if err := m.led(); err != nil {
			return nil, err
		}
		places[i] = make([]topics.Reached, len(m.leaders))
		for p, l := range m.leaders {
			if l == away {
				continue
			}
			if requests[l] == nil {
				requests[l] = &kmsg.ListOffsetsRequest{ReplicaID: -1, IsolationLevel: isolation}
			}
			addPartition(requests[l], m.name, int32(p), at)
		}
	}
	for n, req := range requests {
		err := c.listFrom(ctx, node(n), req, func(topic string, partition int32, at topics.Reached) bool {
			i := slices.IndexFunc(of, func(m topicMeta) bool { return m.name == topic })
			if i < 0 || partition < 0 || int(partition) >= len(places[i]) {
				return false
			}
			places[i][partition] = at
			return true
		})
		if err != nil {
			return nil, err
		}
	}
	return places, nil
}

// listKnown is listOffsets that asks the leaders beside one another and returns what they tell, and -1 for the rest. It
// is an error where none tells anything.
func (c *Cluster) listKnown(ctx context.Context, at int64, isolation int8, of ...topicMeta) ([][]int64, error) {
	offsets, requests := make([][]int64, len(of)), map[int32]*kmsg.ListOffsetsRequest{}
	var failed error
	for i, m := range of {
		offsets[i] = slices.Repeat([]int64{-1}, len(m.leaders))
		for p, l := range m.leaders {
			switch {
			case l == away:
				continue
			case l < 0:
				failed = noLeader{m.name, int32(p)}
				continue
			case requests[l] == nil:
				requests[l] = &kmsg.ListOffsetsRequest{ReplicaID: -1, IsolationLevel: isolation}
			}
			addPartition(requests[l], m.name, int32(p), at)
		}
	}
	var mu sync.Mutex // of offsets, failed and told
	var leaders sync.WaitGroup
	told := false
	for n, req := range requests {
		leaders.Go(func() {
			err := c.listEach(ctx, node(n), req, func(topic string, p int32, at topics.Reached, err error) bool {
				mu.Lock()
				defer mu.Unlock()
				i := slices.IndexFunc(of, func(m topicMeta) bool { return m.name == topic })
				switch {
				case i < 0 || p < 0 || int(p) >= len(offsets[i]):
					return false
				case err != nil:
					failed = err
				default:
					offsets[i][p], told = at.Offset, true
				}
				return true
			})
			mu.Lock()
			defer mu.Unlock()
			failed = cmp.Or(failed, err)
		})
	}
	leaders.Wait()
	if told {
		failed = nil
	}
	return offsets, failed
}

// addPartition adds a partition to a request; those of a topic come one after the other.
func addPartition(req *kmsg.ListOffsetsRequest, topic string, partition int32, at int64) {
	if n := len(req.Topics); n == 0 || req.Topics[n-1].Topic != topic {
		req.Topics = append(req.Topics, kmsg.ListOffsetsRequestTopic{Topic: topic})
	}
	p := kmsg.NewListOffsetsRequestTopicPartition()
	p.Partition, p.Timestamp = partition, at
	t := &req.Topics[len(req.Topics)-1]
	t.Partitions = append(t.Partitions, p)
}

// listFrom passes each place of a response to note, which returns false if it was not requested.
func (c *Cluster) listFrom(
	ctx context.Context, to route, req *kmsg.ListOffsetsRequest,
	note func(topic string, partition int32, at topics.Reached) bool,
) error {
	var first error
	err := c.listEach(ctx, to, req, func(topic string, partition int32, at topics.Reached, err error) bool {
		first = cmp.Or(first, err)
		return err != nil || note(topic, partition, at)
	})
	return cmp.Or(first, err)
}

// listEach passes each place of a response, or why there is none, to note, which returns false if it was not
// requested.
func (c *Cluster) listEach(
	ctx context.Context, to route, req *kmsg.ListOffsetsRequest,
	note func(topic string, partition int32, at topics.Reached, err error) bool,
) error {
	res, err := request[*kmsg.ListOffsetsResponse](ctx, c, to, req)
	if err != nil {
		return err
	}
	want, got := 0, 0
	for _, t := range req.Topics {
		want += len(t.Partitions)
	}
	for _, t := range res.Topics {
		for _, p := range t.Partitions {
			err := coded(p.ErrorCode, "offsets of %s/%d", t.Topic, p.Partition)
			at := topics.Reached{Offset: p.Offset, Leader: p.LeaderEpoch}
			if res.Version < 4 {
				at.Leader = topics.UnknownEpoch
			}
			if !note(t.Topic, p.Partition, at, err) {
				return fmt.Errorf("offsets of partition %d of %s were not requested", p.Partition, t.Topic)
			}
			got++
		}
	}
	if got != want {
		return fmt.Errorf("offsets of %d of %d partitions in the response", got, want)
	}
	return nil
}

// Written is described at topics.Log. It is one ListOffsets to each broker that leads some of the partitions.
func (c *Client) Written(ctx context.Context) (e topics.Ends, err error) {
	written := c.opt.written()
	all, err := c.endsOf(ctx, written, uncommitted)
	for i := range all {
		*e.Of(written[i]) = all[i]
	}
	return e, err
}

// endsOf lists the ends of all partitions of topics.
func (c *Client) endsOf(ctx context.Context, of []topics.Topic, isolation int8) (ends [][]int64, err error) {
	err = c.prepare(ctx, "ends", func(ctx context.Context) error {
		metas, err := c.known(ctx, of)
		if err == nil {
			ends, err = c.listOffsets(ctx, logEnd, isolation, metas...)
		}
		return err
	})
	return ends, err
}

// known is what the task has of topics, without a Metadata request where the leaders are known.
func (c *Client) known(ctx context.Context, of []topics.Topic) (metas []topicMeta, err error) {
	known, err := c.metadata(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range c.opt.names(of) {
		if len(known.leaders[name]) == 0 {
			return nil, noLeader{name, 0}
		}
		metas = append(metas, topicMeta{name: name, leaders: known.leaders[name]})
	}
	return c.view(metas...), nil
}

// LeadersOf is described at topics.Log. It is one ListOffsets to each broker that leads some of the partitions, once: a
// checkpoint does not wait for brokers.
func (c *Client) LeadersOf(ctx context.Context, ends topics.Ends) (e topics.EndEpochs, err error) {
	written := c.opt.written()
	metas, err := c.known(ctx, written)
	if err != nil {
		return e, err
	}
	all, err := c.listPlaces(ctx, logEnd, uncommitted, metas...)
	for i := range all {
		at := *ends.Of(written[i])
		for p := range all[i] {
			//mutation:end-was-reached
			if p < len(at) && all[i][p].Offset >= at[p] {
				all[i][p].Offset = at[p] // and so it was under this epoch
			}
		}
		*e.Of(written[i]) = topics.Leaders(at, all[i])
	}
	return e, err
}

// extent returns one partition's log start and end (high watermark).
func (c *Cluster) extent(ctx context.Context, topic string, partition int32) (start, end int64, err error) {
	one := func(at int64) (offset int64, err error) {
		req := &kmsg.ListOffsetsRequest{ReplicaID: -1, IsolationLevel: uncommitted}
		addPartition(req, topic, partition, at)
		err = c.listFrom(ctx, leader(topic, partition), req, func(_ string, p int32, at topics.Reached) bool {
			offset = at.Offset
			return p == partition
		})
		return offset, err
	}
	if start, err = one(logStart); err != nil {
		return 0, 0, err
	}
	end, err = one(logEnd)
	return start, end, err
}

// OffsetsAt returns for each partition of a topic the offset of the first record whose timestamp is at or after ms
// (milliseconds since 1970), -1 where there is none: --start TIME.
func (c *Client) OffsetsAt(ctx context.Context, topic topics.Topic, ms int64) (offsets []int64, err error) {
	err = c.prepare(ctx, "offsets by time", func(ctx context.Context) error {
		of, err := c.describeOne(ctx, c.opt.name(topic))
		if err != nil {
			return err
		}
		all, err := c.listOffsets(ctx, ms, committed, c.view(of)...)
		if err == nil {
			offsets = all[0]
		}
		return err
	})
	return offsets, err
}
