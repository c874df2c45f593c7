package kafka

import (
	"context"
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Commit is described at stream.Committer. It needs no membership of the group and is repeated for a few seconds only:
// a failed commit affects only lag tools.
func (c *Client) Commit(ctx context.Context, positions []int64) error {
	topic := kmsg.OffsetCommitRequestTopic{Topic: c.opt.Input}
	for p, offset := range positions {
		if offset >= 0 && c.has(p) {
			topic.Partitions = append(topic.Partitions, kmsg.OffsetCommitRequestTopicPartition{
				Partition: int32(p), Offset: offset, Timestamp: -1, LeaderEpoch: -1,
			})
		}
	}
	if len(topic.Partitions) == 0 {
		return nil
	}
	return c.retry(ctx, "offset commit", c.opt.request/2, func(ctx context.Context) error {
		req := kmsg.NewPtrOffsetCommitRequest()
		req.Group, req.Topics = c.opt.Group, []kmsg.OffsetCommitRequestTopic{topic}
		res, err := request[*kmsg.OffsetCommitResponse](ctx, c.Cluster, group(c.opt.Group), req)
		if err != nil {
			return err
		}
		for _, t := range res.Topics {
			for _, p := range t.Partitions {
				err := coded(p.ErrorCode, "offset commit of %s/%d by group %s", t.Topic, p.Partition, c.opt.Group)
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// Committed is described at stream.Committer.
func (c *Client) Committed(ctx context.Context) (positions []int64, err error) {
	err = c.retry(ctx, "offset fetch", c.patience(), func(ctx context.Context) (err error) {
		known, err := c.metadata(ctx)
		if err != nil {
			return err
		}
		positions, err = c.committed(ctx, len(c.view(topicMeta{leaders: known.leaders[c.opt.Input]})[0].leaders))
		return err
	})
	return positions, err
}

func (c *Client) committed(ctx context.Context, partitions int) ([]int64, error) {
	positions := slices.Repeat([]int64{-1}, partitions)
	req := kmsg.NewPtrOffsetFetchRequest()
	req.Group = c.opt.Group
	req.Topics = []kmsg.OffsetFetchRequestTopic{{Topic: c.opt.Input, Partitions: c.owned(partitions)}}
	res, err := request[*kmsg.OffsetFetchResponse](ctx, c.Cluster, group(c.opt.Group), req)
	if err != nil {
		return nil, err
	}
	if res.ErrorCode == kerr.GroupIDNotFound.Code { // kfake does so; Kafka returns -1 for every partition
		return positions, nil
	}
	if err := coded(res.ErrorCode, "offsets of group %s", c.opt.Group); err != nil {
		return nil, err
	}
	for _, t := range res.Topics {
		for _, p := range t.Partitions {
			if p.ErrorCode == kerr.GroupIDNotFound.Code {
				continue
			}
			if err := coded(p.ErrorCode, "offset of group %s in %s/%d", c.opt.Group, t.Topic, p.Partition); err != nil {
				return nil, err
			}
			if p.Partition < 0 || int(p.Partition) >= partitions {
				return nil, fmt.Errorf("offset of partition %d of %s was not requested", p.Partition, t.Topic)
			}
			positions[p.Partition] = p.Offset
		}
	}
	return positions, nil
}
