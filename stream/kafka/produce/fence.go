package produce

import (
	"context"
	"fmt"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/verdict"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

const maxTakeovers = 5 // retries of a starting process

// watermarks are the high watermarks of what a task writes.
type watermarks struct {
	topics.Ends
	checkpoints int64  // of the task's partition
	from        string // the broker that told of the partitions
}

// highWatermarks returns where the search for markers starts, in the partitions of now.
func (v *View) highWatermarks(ctx context.Context) (e watermarks, err error) {
	fenced := v.Names.Fenced()
	err = v.Retry(ctx, "high watermarks", v.Patience(), func(ctx context.Context) error {
		_, metas, err := v.Describe(ctx, v.Names.List(fenced)...)
		if err != nil {
			return err
		}
		for _, m := range metas {
			if m.Missing {
				return &verdict.MissingTopic{Name: m.Name}
			}
			if err := v.SameTopic(m); err != nil {
				return err
			}
			e.from = m.From
		}
		all, err := v.ListOffsets(ctx, cluster.LogEnd, cluster.Uncommitted, v.Portion.View(metas...)...)
		for i := range all {
			if fenced[i] != topics.Checkpoints {
				*e.Of(fenced[i]) = all[i]
				continue
			}
			p := v.Portion.OfCheckpoints()
			if int(p) >= len(all[i]) {
				return cluster.NoLeader{Topic: v.Names.Checkpoints, Partition: p}
			}
			e.checkpoints = all[i][p]
		}
		return err
	})
	return e, err
}

// lookBehind asks another broker than before the fence for the partitions of now, and notes them: the one before may
// lag, and a predecessor that is still live may go on in partitions that the fence does not have.
func (v *View) lookBehind(ctx context.Context, fence watermarks) error {
	return v.Retry(ctx, "topics behind the fence", v.Patience(), func(ctx context.Context) error {
		_, _, err := v.DescribeFrom(ctx, cluster.Besides(fence.from), v.Names.List(v.Names.All())...)
		return err
	})
}

// fenceOff is writeMarkers for a takeover: at a start it gives up when its patience ends.
func (v *View) fenceOff(ctx context.Context, p topics.Producer, from watermarks) (*topics.Fence, error) {
	limited, patience := ctx, v.Patience()
	if patience > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, patience)
		defer cancel()
	}
	//mutation:fence
	f, err := v.writeMarkers(limited, p, from, nil)
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		return nil, verdict.StopFenceFailed(err, patience)
	}
	return f, err
}

// writeMarkers runs one empty transaction over every partition that the task has of what it writes, and reads its
// markers from the given offsets on. EndTxn returns before the markers are written, so only the log shows them.
//
// InitProducerID alone is the obvious fence. But Kafka goes on accepting the plain batches of the writer before in each
// partition until the new epoch's marker is there. So a partition is written only after our own marker was read in it.
//
// The transaction is committed, not aborted. An empty one is the same to readers either way, and so only the
// coordinator itself ever aborts one: that tells its abort from another process's takeover (see View.aborted).
func (v *View) writeMarkers(
	ctx context.Context, p topics.Producer, from watermarks, check batchCheck,
) (*topics.Fence, error) {
	if err := v.addPartitions(ctx, p, from); err != nil {
		return nil, err
	}
	if err := v.endTransaction(ctx, p); err != nil {
		return nil, err
	}
	at, err := v.markers(ctx, p, from, check)
	if err != nil {
		return nil, err
	}
	f := &topics.Fence{Producer: p, Output: at.Output, Outcomes: at.Outcomes, DeadLetters: at.DeadLetters,
		Checkpoints: at.checkpoints}
	if v.Portion != cluster.Every {
		partition := int32(v.Portion)
		f.Partition = &partition
	}
	return f, nil
}

// addPartitions begins the transaction over the task's partitions of those that of has an offset for.
func (v *View) addPartitions(ctx context.Context, p topics.Producer, of watermarks) error {
	return v.Retry(ctx, "AddPartitionsToTxn", 0, func(ctx context.Context) error {
		req := kmsg.NewPtrAddPartitionsToTxnRequest()
		req.TransactionalID, req.ProducerID, req.ProducerEpoch = v.TransactionalID, p.ID, p.Epoch
		for _, t := range v.Names.Written() {
			//mutation:transaction-topics
			req.Topics = append(req.Topics, kmsg.AddPartitionsToTxnRequestTopic{Topic: v.Names.Of(t),
				Partitions: v.Portion.Owned(len(*of.Of(t)))})
		}
		//mutation:checkpoint-transaction
		if v.Names.Checkpoints != "" {
			req.Topics = append(req.Topics, kmsg.AddPartitionsToTxnRequestTopic{Topic: v.Names.Checkpoints,
				Partitions: []int32{v.Portion.OfCheckpoints()}})
		}
		to := cluster.Transaction(v.TransactionalID)
		res, err := cluster.Ask[*kmsg.AddPartitionsToTxnResponse](ctx, v.Cluster, to, req)
		if err != nil {
			return err
		}
		return addPartitionsError(res)
	})
}

// addPartitionsError picks the most specific code: partitions that were not at fault are marked as not attempted.
func addPartitionsError(res *kmsg.AddPartitionsToTxnResponse) error {
	var last error
	for _, t := range res.Topics {
		for _, p := range t.Partitions {
			err := verdict.Coded(p.ErrorCode, "AddPartitionsToTxn of %s/%d", t.Topic, p.Partition)
			if err != nil && (last == nil || p.ErrorCode != kerr.OperationNotAttempted.Code) {
				last = err
			}
		}
	}
	return last
}

func (v *View) endTransaction(ctx context.Context, p topics.Producer) error {
	return v.Retry(ctx, "EndTxn", 0, func(ctx context.Context) error {
		req := kmsg.NewPtrEndTxnRequest()
		req.TransactionalID, req.ProducerID, req.ProducerEpoch = v.TransactionalID, p.ID, p.Epoch
		//mutation:commit
		req.Commit = true
		res, err := cluster.Ask[*kmsg.EndTxnResponse](ctx, v.Cluster, cluster.Transaction(v.TransactionalID), req)
		if err != nil {
			return err
		}
		return verdict.Coded(res.ErrorCode, "EndTxn of %s", v.TransactionalID)
	})
}

type batchCheck func(topic string, partition int32, b *recordbatch.Batch) error

// onlyOwn accepts only markers of our own producer id and of no higher epoch.
func (v *View) onlyOwn(p topics.Producer) batchCheck {
	return func(topic string, partition int32, b *recordbatch.Batch) error {
		if b == nil || b.Control && b.ProducerID == p.ID && b.Epoch <= p.Epoch {
			return nil
		}
		kind := "marker"
		if !b.Control {
			kind = fmt.Sprintf("batch of %d records", b.Count)
		}
		return otherWriter(topic, partition,
			fmt.Sprintf("at offset %d is a %s of producer %d, epoch %d; ours is %d, epoch %d",
				b.BaseOffset, kind, b.ProducerID, b.Epoch, p.ID, p.Epoch))
	}
}

func otherWriter(topic string, partition int32, what string) *stops.Error {
	return &stops.Error{
		Name: stops.OtherWriter,
		What: fmt.Sprintf("another process writes to %s/%d: %s", topic, partition, what),
		Safe: "the checkpoint, and the predictions below that offset",
		Do:   "stop the other writer; then give this model an output topic of its own",
	}
}
