package kafka

import (
	"context"
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// Places for ListOffsets; any other number is a time in milliseconds since 1970.
const (
	logEnd   = -1
	logStart = -2

	uncommitted = 0
	committed   = 1
)

// listOffsets requests from all leaders of a topic, once, each partition's offset at a place: logStart, logEnd, or a
// time (then -1 where no record is at or after it).
func (c *Cluster) listOffsets(ctx context.Context, m topicMeta, at int64, isolation int8) ([]int64, error) {
	if err := m.led(); err != nil {
		return nil, err
	}
	offsets := make([]int64, len(m.leaders))
	led := map[int32][]int32{}
	for p, l := range m.leaders {
		led[l] = append(led[l], int32(p))
	}
	for n, partitions := range led {
		err := c.listFrom(ctx, node(n), listOffsetsMessage(m.name, partitions, at, isolation), offsets)
		if err != nil {
			return nil, err
		}
	}
	return offsets, nil
}

func listOffsetsMessage(topic string, partitions []int32, at int64, isolation int8) *kmsg.ListOffsetsRequest {
	t := kmsg.ListOffsetsRequestTopic{Topic: topic}
	for _, partition := range partitions {
		p := kmsg.NewListOffsetsRequestTopicPartition()
		p.Partition, p.Timestamp = partition, at
		t.Partitions = append(t.Partitions, p)
	}
	return &kmsg.ListOffsetsRequest{
		ReplicaID: -1, IsolationLevel: isolation, Topics: []kmsg.ListOffsetsRequestTopic{t},
	}
}

func (c *Cluster) listFrom(ctx context.Context, to route, req *kmsg.ListOffsetsRequest, offsets []int64) error {
	res, err := request[*kmsg.ListOffsetsResponse](ctx, c, to, req)
	if err != nil {
		return err
	}
	got := 0
	for _, t := range res.Topics {
		for _, p := range t.Partitions {
			if err := coded(p.ErrorCode, "offsets of %s/%d", t.Topic, p.Partition); err != nil {
				return err
			}
			if p.Partition < 0 || int(p.Partition) >= len(offsets) {
				return fmt.Errorf("offsets of partition %d of %s were not requested", p.Partition, t.Topic)
			}
			offsets[p.Partition] = p.Offset
			got++
		}
	}
	if want := len(req.Topics[0].Partitions); got != want {
		return fmt.Errorf("offsets of %d of %d partitions of %s in the response", got, want, req.Topics[0].Topic)
	}
	return nil
}

// extent returns one partition's log start and end (high watermark).
func (c *Cluster) extent(ctx context.Context, topic string, partition int32) (start, end int64, err error) {
	one := func(at int64) (int64, error) {
		req := listOffsetsMessage(topic, []int32{partition}, at, uncommitted)
		offsets := make([]int64, partition+1)
		err := c.listFrom(ctx, leader(topic, partition), req, offsets)
		return offsets[partition], err
	}
	if start, err = one(logStart); err != nil {
		return 0, 0, err
	}
	end, err = one(logEnd)
	return start, end, err
}

// OffsetsAt returns for each input partition the offset of the first record whose timestamp is at or after ms
// (milliseconds since 1970), -1 where there is none: --start TIME.
func (c *Client) OffsetsAt(ctx context.Context, ms int64) (offsets []int64, err error) {
	err = c.prepare(ctx, "offsets by time", func(ctx context.Context) error {
		input, err := c.describeOne(ctx, c.opt.Input)
		if err != nil {
			return err
		}
		offsets, err = c.listOffsets(ctx, input, ms, committed)
		return err
	})
	return offsets, err
}
