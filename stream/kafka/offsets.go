package kafka

import (
	"cmp"
	"context"
	"fmt"
	"slices"

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
	offsets := make([][]int64, len(of))
	requests := map[int32]*kmsg.ListOffsetsRequest{}
	for i, m := range of {
		if err := m.led(); err != nil {
			return nil, err
		}
		offsets[i] = make([]int64, len(m.leaders))
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
		err := c.listFrom(ctx, node(n), req, func(topic string, partition int32, offset int64) bool {
			i := slices.IndexFunc(of, func(m topicMeta) bool { return m.name == topic })
			if i < 0 || partition < 0 || int(partition) >= len(offsets[i]) {
				return false
			}
			offsets[i][partition] = offset
			return true
		})
		if err != nil {
			return nil, err
		}
	}
	return offsets, nil
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

// listFrom passes each offset of a response to note, which returns false if it was not requested.
func (c *Cluster) listFrom(
	ctx context.Context, to route, req *kmsg.ListOffsetsRequest,
	note func(topic string, partition int32, offset int64) bool,
) error {
	var first error
	err := c.listEach(ctx, to, req, func(topic string, partition int32, offset int64, err error) bool {
		first = cmp.Or(first, err)
		return err != nil || note(topic, partition, offset)
	})
	return cmp.Or(first, err)
}

// listEach passes each offset of a response, or why there is none, to note, which returns false if it was not
// requested.
func (c *Cluster) listEach(
	ctx context.Context, to route, req *kmsg.ListOffsetsRequest,
	note func(topic string, partition int32, offset int64, err error) bool,
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
			if !note(t.Topic, p.Partition, p.Offset, err) {
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

// Written is described at stream.Log. It is one ListOffsets to each broker that leads some of the partitions.
func (c *Client) Written(ctx context.Context) (e topics.Ends, err error) {
	written := c.opt.written()
	all, err := c.endsOf(ctx, written, uncommitted)
	for i := range all {
		*e.Of(written[i]) = all[i]
	}
	return e, err
}

// endsOf lists the ends of all partitions of topics, without a Metadata request where the leaders are known.
func (c *Client) endsOf(ctx context.Context, of []topics.Topic, isolation int8) (ends [][]int64, err error) {
	err = c.prepare(ctx, "ends", func(ctx context.Context) error {
		known, err := c.metadata(ctx)
		if err != nil {
			return err
		}
		var metas []topicMeta
		for _, name := range c.opt.names(of) {
			if len(known.leaders[name]) == 0 {
				return noLeader{name, 0}
			}
			metas = append(metas, topicMeta{name: name, leaders: known.leaders[name]})
		}
		ends, err = c.listOffsets(ctx, logEnd, isolation, c.view(metas...)...)
		return err
	})
	return ends, err
}

// extent returns one partition's log start and end (high watermark).
func (c *Cluster) extent(ctx context.Context, topic string, partition int32) (start, end int64, err error) {
	one := func(at int64) (offset int64, err error) {
		req := &kmsg.ListOffsetsRequest{ReplicaID: -1, IsolationLevel: uncommitted}
		addPartition(req, topic, partition, at)
		err = c.listFrom(ctx, leader(topic, partition), req, func(_ string, p int32, o int64) bool {
			offset = o
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
