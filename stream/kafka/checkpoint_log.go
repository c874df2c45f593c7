package kafka

import (
	"cmp"
	"context"
	"errors"
	"time"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/topics"
)

// CheckpointLog is a task's partition of the checkpoint topic, a statetopic.Log. It writes under the journal's fence
// and producer id, beside the journal. One goroutine at a time uses it.
type CheckpointLog struct {
	client   *Client
	producer producer
	state    partitionState
	failed   error // why nothing is sent until the next takeover

	// turns holds one. Who puts it in may send, or write markers: a broker may refuse plain batches while the
	// producer's transaction is open. It guards the time from which the fence's age counts.
	turns chan struct{}
	began time.Time
}

var _ statetopic.Log = (*CheckpointLog)(nil)

func newCheckpointLog(c *Client) *CheckpointLog {
	l := &CheckpointLog{client: c, turns: make(chan struct{}, 1),
		failed: errors.New("nothing is written before a takeover")}
	l.producer = producer{
		cluster: c.Cluster, codec: c.opt.Codec, operation: opAppend, turn: l.turn,
		expired: func(*produceAttempt) error { return nil }, // turn waits for a young fence
	}
	return l
}

// ReadCheckpoints opens a partition of a checkpoint topic outside of a task. The caller closes it.
func ReadCheckpoints(cluster ClusterOptions, topic string, partition int32) (*CheckpointLog, error) {
	client, err := newClient(Options{ClusterOptions: cluster, Checkpoints: topic}, topic)
	if err != nil {
		return nil, err
	}
	return client.Task(partition).Journal().Checkpoints(), nil
}

// Close ends all connections of ReadCheckpoints.
func (l *CheckpointLog) Close() { l.client.Close() }

// begin lets batches be sent under a new producer epoch. The journal calls it, with nothing in flight.
func (l *CheckpointLog) begin(p topics.Producer) {
	if l == nil {
		return
	}
	l.producer.id, l.failed = p, nil
	l.state = partitionState{topic: l.client.opt.Checkpoints, partition: l.client.checkpointPartition()}
}

// fencedAt sets from when on the fence's age counts. The journal calls it while nothing is sent.
func (l *CheckpointLog) fencedAt(began time.Time) {
	if l != nil {
		l.began = began
	}
}

// pause waits until nothing is in flight, and holds what follows until release.
func (l *CheckpointLog) pause(ctx context.Context) (release func(), err error) {
	if l == nil {
		return func() {}, nil
	}
	select {
	case l.turns <- struct{}{}:
		return func() { <-l.turns }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// turn waits until no markers are being written and the fence is young. The journal renews it in time.
func (l *CheckpointLog) turn(ctx context.Context) (release func(), err error) {
	for {
		if release, err = l.pause(ctx); err != nil {
			return nil, err
		}
		//mutation:checkpoint-fence-age
		if age(l.began, time.Now()) <= l.client.opt.RenewEvery {
			return release, nil
		}
		release()
		if err := pause(ctx, firstPause); err != nil {
			return nil, err
		}
	}
}

// Open is described at statetopic.Log.
func (l *CheckpointLog) Open(from int64) topics.Reader {
	return l.client.Open(topics.Checkpoints, l.client.checkpointPartition(), from)
}

// Bounds is described at statetopic.Log. The error is a *stops.Error or the context's.
func (l *CheckpointLog) Bounds(ctx context.Context) (from, to int64, err error) {
	err = l.client.prepare(ctx, "offsets of "+l.client.opt.Checkpoints, func(ctx context.Context) error {
		of, err := l.client.describeOne(ctx, l.client.opt.Checkpoints)
		if err != nil {
			return err
		}
		p := l.client.checkpointPartition()
		if int(p) >= len(of.leaders) {
			return noLeader{of.name, p}
		}
		if to, err = l.offset(ctx, of, logEnd); err == nil {
			from, err = l.offset(ctx, of, logStart)
		}
		return err
	})
	return from, to, err
}

func (l *CheckpointLog) offset(ctx context.Context, of topicMeta, at int64) (int64, error) {
	all, err := l.client.listOffsets(ctx, at, committed, l.client.view(of)...)
	if err != nil {
		return 0, err
	}
	return all[0][l.client.checkpointPartition()], nil
}

// Append is described at statetopic.Log. Errors are those of Journal.Append. After ErrIndeterminate, a stop or the
// context's end nothing is sent until the next takeover.
func (l *CheckpointLog) Append(ctx context.Context, records *recordbatch.Builder) error {
	if l.failed != nil {
		return l.failed
	}
	a := l.producer.attempt(&l.state, records)
	if l.failed = l.producer.write(ctx, a); l.failed != nil {
		l.failed = explain(ctx, l.client, l.producer.id, l.failed)
	}
	return cmp.Or(l.failed, a.err)
}
