package kafka

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/verdict"
)

// Commit is described at topics.Committer. It needs no membership of the group and is repeated for a few seconds only:
// a failed commit affects only lag tools. The offsets' metadata is the time.
func (c *Client) Commit(ctx context.Context, positions []int64) error {
	topic := kmsg.OffsetCommitRequestTopic{Topic: c.opt.Input}
	now := c.opt.Now().UTC().Format(time.RFC3339)
	for p, offset := range positions {
		if offset >= 0 && c.portion.Has(p) {
			topic.Partitions = append(topic.Partitions, kmsg.OffsetCommitRequestTopicPartition{
				Partition: int32(p), Offset: offset, Timestamp: -1, LeaderEpoch: -1, Metadata: &now,
			})
		}
	}
	if len(topic.Partitions) == 0 {
		return nil
	}
	return c.cluster.Retry(ctx, "offset commit", c.opt.ResponseTimeout/2, func(ctx context.Context) error {
		req := kmsg.NewPtrOffsetCommitRequest()
		req.Group, req.Topics = c.opt.Group, []kmsg.OffsetCommitRequestTopic{topic}
		to := cluster.Coordinator(cluster.OfGroup, c.opt.Group)
		res, err := cluster.Ask[*kmsg.OffsetCommitResponse](ctx, c.cluster, to, req)
		if err != nil {
			return err
		}
		for _, t := range res.Topics {
			for _, p := range t.Partitions {
				err := verdict.Coded(p.ErrorCode, "offset commit of %s/%d by group %s", t.Topic, p.Partition,
					c.opt.Group)
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// Committed is described at topics.Committer.
func (c *Client) Committed(ctx context.Context) (positions []int64, err error) {
	positions, _, err = c.lastCommit(ctx)
	return positions, err
}

// lastCommit is Committed with the time of the newest commit, zero if unknown.
func (c *Client) lastCommit(ctx context.Context) (positions []int64, at time.Time, err error) {
	err = c.cluster.Retry(ctx, "offset fetch", c.cluster.Patience(), func(ctx context.Context) (err error) {
		known, err := c.cluster.Metadata(ctx)
		if err != nil {
			return err
		}
		input := cluster.Topic{Leaders: known.Leaders[c.opt.Input]}
		positions, at, err = c.committed(ctx, len(c.portion.View(input)[0].Leaders))
		return err
	})
	return positions, at, err
}

func (c *Client) committed(ctx context.Context, partitions int) (positions []int64, at time.Time, err error) {
	positions = slices.Repeat([]int64{-1}, partitions)
	req := kmsg.NewPtrOffsetFetchRequest()
	req.Group = c.opt.Group
	req.Topics = []kmsg.OffsetFetchRequestTopic{{Topic: c.opt.Input, Partitions: c.portion.Owned(partitions)}}
	to := cluster.Coordinator(cluster.OfGroup, c.opt.Group)
	res, err := cluster.Ask[*kmsg.OffsetFetchResponse](ctx, c.cluster, to, req)
	if err != nil {
		return nil, at, err
	}
	if res.ErrorCode == kerr.GroupIDNotFound.Code { // kfake does so; Kafka returns -1 for every partition
		return positions, at, nil
	}
	if err := verdict.Coded(res.ErrorCode, "offsets of group %s", c.opt.Group); err != nil {
		return nil, at, err
	}
	for _, t := range res.Topics {
		for _, p := range t.Partitions {
			if p.ErrorCode == kerr.GroupIDNotFound.Code {
				continue
			}
			err := verdict.Coded(p.ErrorCode, "offset of group %s in %s/%d", c.opt.Group, t.Topic, p.Partition)
			if err != nil {
				return nil, at, err
			}
			if p.Partition < 0 || int(p.Partition) >= partitions {
				return nil, at, fmt.Errorf("offset of partition %d of %s was not requested", p.Partition, t.Topic)
			}
			positions[p.Partition] = p.Offset
			if p.Metadata != nil {
				at = later(at, *p.Metadata)
			}
		}
	}
	return positions, at, nil
}

// later is the later one of two times, as far as the text is one.
func later(t time.Time, text string) time.Time {
	if other, err := time.Parse(time.RFC3339, text); err == nil && other.After(t) {
		return other
	}
	return t
}
