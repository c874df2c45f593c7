package cluster

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/verdict"
	"rosenblatt/stream/topics"
)

// Places for ListOffsets; any other number is a time in milliseconds since 1970.
const (
	LogEnd   = -1
	LogStart = -2

	Uncommitted = 0
	Committed   = 1
)

// ListOffsets requests each partition's offset at a place: LogStart, LogEnd, or a time (then -1 where no record is at
// or after it), 0 of one that is away. It is one request to each leader of partitions of the topics.
func (c *Cluster) ListOffsets(ctx context.Context, at int64, isolation int8, of ...Topic) ([][]int64, error) {
	places, err := c.ListPlaces(ctx, at, isolation, of...)
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

// ListPlaces is ListOffsets with leader epochs: of the end, that of the leader of now.
func (c *Cluster) ListPlaces(
	ctx context.Context, at int64, isolation int8, of ...Topic,
) ([][]topics.Reached, error) {
	requests, leaderless := requestsFor(at, isolation, of)
	if leaderless != nil {
		return nil, leaderless
	}
	places := make([][]topics.Reached, len(of))
	for i, m := range of {
		places[i] = make([]topics.Reached, len(m.Leaders))
	}
	for n, req := range requests {
		err := c.listFrom(ctx, Node(n), req, func(topic string, partition int32, at topics.Reached) bool {
			i := indexOf(of, topic, partition)
			if i >= 0 {
				places[i][partition] = at
			}
			return i >= 0
		})
		if err != nil {
			return nil, err
		}
	}
	return places, nil
}

// ListKnown is ListOffsets that asks the leaders beside one another and returns what they tell, and -1 for the rest. It
// is an error where none tells anything.
func (c *Cluster) ListKnown(ctx context.Context, at int64, isolation int8, of ...Topic) ([][]int64, error) {
	requests, failed := requestsFor(at, isolation, of)
	offsets := make([][]int64, len(of))
	for i, m := range of {
		offsets[i] = slices.Repeat([]int64{-1}, len(m.Leaders))
	}
	var mu sync.Mutex // of offsets, failed and told
	var leaders sync.WaitGroup
	told := false
	for n, req := range requests {
		leaders.Go(func() {
			err := c.ListEach(ctx, Node(n), req, func(topic string, p int32, at topics.Reached, err error) bool {
				mu.Lock()
				defer mu.Unlock()
				i := indexOf(of, topic, p)
				switch {
				case i < 0:
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

// requestsFor are the requests for a place in all partitions of topics that are not away, by their leaders. leaderless
// is the error of those that have none.
func requestsFor(at int64, isolation int8, of []Topic) (by map[int32]*kmsg.ListOffsetsRequest, leaderless error) {
	by = map[int32]*kmsg.ListOffsetsRequest{}
	for _, m := range of {
		for p, l := range m.Leaders {
			switch {
			case l == away:
				continue
			case l < 0:
				leaderless = cmp.Or(leaderless, error(NoLeader{Topic: m.Name, Partition: int32(p)}))
				continue
			case by[l] == nil:
				by[l] = &kmsg.ListOffsetsRequest{ReplicaID: -1, IsolationLevel: isolation}
			}
			AddPartition(by[l], m.Name, int32(p), at)
		}
	}
	return by, leaderless
}

// indexOf returns which of these topics a partition is of, -1 if it is of none.
func indexOf(of []Topic, topic string, partition int32) int {
	i := slices.IndexFunc(of, func(m Topic) bool { return m.Name == topic })
	if i < 0 || partition < 0 || int(partition) >= len(of[i].Leaders) {
		return -1
	}
	return i
}

// AddPartition adds a partition to a request; those of a topic come one after the other.
func AddPartition(req *kmsg.ListOffsetsRequest, topic string, partition int32, at int64) {
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
	ctx context.Context, to Route, req *kmsg.ListOffsetsRequest,
	note func(topic string, partition int32, at topics.Reached) bool,
) error {
	var first error
	err := c.ListEach(ctx, to, req, func(topic string, partition int32, at topics.Reached, err error) bool {
		first = cmp.Or(first, err)
		return err != nil || note(topic, partition, at)
	})
	return cmp.Or(first, err)
}

// ListEach passes each place of a response, or why there is none, to note, which returns false if it was not
// requested.
func (c *Cluster) ListEach(
	ctx context.Context, to Route, req *kmsg.ListOffsetsRequest,
	note func(topic string, partition int32, at topics.Reached, err error) bool,
) error {
	res, err := Ask[*kmsg.ListOffsetsResponse](ctx, c, to, req)
	if err != nil {
		return err
	}
	want, got := 0, 0
	for _, t := range req.Topics {
		want += len(t.Partitions)
	}
	for _, t := range res.Topics {
		for _, p := range t.Partitions {
			err := verdict.Coded(p.ErrorCode, "offsets of %s/%d", t.Topic, p.Partition)
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

// Extent returns one partition's log start and end (high watermark).
func (c *Cluster) Extent(ctx context.Context, topic string, partition int32) (start, end int64, err error) {
	one := func(at int64) (offset int64, err error) {
		req := &kmsg.ListOffsetsRequest{ReplicaID: -1, IsolationLevel: Uncommitted}
		AddPartition(req, topic, partition, at)
		err = c.listFrom(ctx, Leader(topic, partition), req, func(_ string, p int32, at topics.Reached) bool {
			offset = at.Offset
			return p == partition
		})
		return offset, err
	}
	if start, err = one(LogStart); err != nil {
		return 0, 0, err
	}
	end, err = one(LogEnd)
	return start, end, err
}
