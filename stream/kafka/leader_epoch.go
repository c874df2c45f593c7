package kafka

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/broker"
	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/verdict"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// A log that has lost records that were acknowledged, and has grown since, shows nothing of it by its offsets. But each
// batch has the epoch of the leader that wrote it, and a leader knows where each epoch ended (KIP-320).

const unknownEnd = -1

// otherLeader returns the leader epoch of the batch that is read next, and whether it is another one than before.
func (b *batchReader) otherLeader(r *reader) (leader int32, other bool) {
	if b.open || len(b.rest) < recordbatch.HeaderSize || b.rest[recordbatch.MagicAt] != 2 {
		return 0, false
	}
	delta := int64(int32(binary.BigEndian.Uint32(b.rest[recordbatch.LastDeltaAt:])))
	last := int64(binary.BigEndian.Uint64(b.rest)) + delta
	leader = int32(binary.BigEndian.Uint32(b.rest[recordbatch.LeaderEpochAt:]))
	return leader, last >= r.next && leader != r.leader && r.topic != topics.Checkpoints
}

// compareLeaders is called before a batch of another leader epoch is read: the records before it may have been
// replaced, which is a stop. It returns false where that is not known yet.
func (r *reader) compareLeaders(ctx context.Context, leader int32) (known bool, err error) {
	//mutation:other-leader
	if r.reached.Offset > 0 && r.reached.Leader >= 0 {
		var end int64
		end, err = r.client.epochEnd(ctx, r.name, r.partition, r.reached.Leader)
		if err == nil && end >= 0 && end < r.reached.Offset {
			return false, r.replaced(end)
		}
	}
	if err != nil {
		return false, r.failed(ctx, err)
	}
	r.leader = leader
	return true, nil
}

// replaced is the stop for records below the position that are others now.
func (r *reader) replaced(end int64) *stops.Error {
	name := r.gone()
	if name == stops.InputGone {
		name = stops.BeyondEnd
	}
	return stops.ReplacedAt(name, r.name, r.partition, r.reached.Offset, r.reached.Leader, end)
}

// After is described at topics.EpochReader.
func (r *reader) After(reached topics.Reached) {
	if reached.Offset > 0 && reached.Offset <= r.next {
		r.reached, r.leader = reached, reached.Leader
	}
}

// EpochEnds is described at topics.Log. It is one OffsetForLeaderEpoch to each broker that leads some of the
// partitions.
func (c *Client) EpochEnds(
	ctx context.Context, topic topics.Topic, reached []topics.Reached,
) (ends []int64, err error) {
	err = c.cluster.Prepare(ctx, "ends of leader epochs", func(ctx context.Context) error {
		ends, err = c.epochEnds(ctx, c.names.Of(topic), reached)
		return err
	})
	return ends, err
}

func (c *Client) epochEnd(ctx context.Context, topic string, partition int32, leader int32) (int64, error) {
	reached := make([]topics.Reached, partition+1)
	reached[partition] = topics.Reached{Offset: 1, Leader: leader}
	ends, err := c.epochEnds(ctx, topic, reached)
	if err != nil {
		return unknownEnd, err
	}
	return ends[partition], nil
}

// epochEnds returns where the epochs of these places ended, or negative numbers.
func (c *Client) epochEnds(ctx context.Context, topic string, reached []topics.Reached) ([]int64, error) {
	if _, err := c.cluster.Metadata(ctx); err != nil {
		return nil, err
	}
	requests := map[int32]*kmsg.OffsetForLeaderEpochRequest{}
	for p, at := range reached {
		if at.Offset == 0 || at.Leader < 0 || !c.portion.Has(p) {
			continue
		}
		leads, err := c.cluster.LeaderOf(topic, int32(p))
		if err != nil {
			return nil, err
		}
		if requests[leads] == nil {
			requests[leads] = &kmsg.OffsetForLeaderEpochRequest{ReplicaID: -1,
				Topics: []kmsg.OffsetForLeaderEpochRequestTopic{{Topic: topic}}}
		}
		of := kmsg.NewOffsetForLeaderEpochRequestTopicPartition()
		of.Partition, of.LeaderEpoch = int32(p), at.Leader
		t := &requests[leads].Topics[0]
		t.Partitions = append(t.Partitions, of)
	}
	ends := slices.Repeat([]int64{unknownEnd}, len(reached))
	for leads, req := range requests {
		res, err := cluster.Ask[*kmsg.OffsetForLeaderEpochResponse](ctx, c.cluster, cluster.Node(leads), req)
		if broker.IsUnsupported(err) {
			continue
		}
		if err == nil {
			err = noteEpochEnds(res, topic, ends)
		}
		if err != nil {
			return nil, err
		}
	}
	return ends, nil
}

func noteEpochEnds(res *kmsg.OffsetForLeaderEpochResponse, topic string, ends []int64) error {
	for _, t := range res.Topics {
		for _, p := range t.Partitions {
			if t.Topic != topic || p.Partition < 0 || int(p.Partition) >= len(ends) {
				return fmt.Errorf("ends of leader epochs: partition %d of %s was not requested", p.Partition, t.Topic)
			}
			if err := verdict.Coded(p.ErrorCode, "ends of leader epochs of %s/%d", topic, p.Partition); err != nil {
				return err
			}
			ends[p.Partition] = p.EndOffset
		}
	}
	return nil
}
