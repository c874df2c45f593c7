package produce

import (
	"cmp"
	"context"
	"errors"
	"time"

	"rosenblatt/stream/kafka/broker"
	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/verdict"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/topics"
)

// CheckpointLog is a task's partition of the checkpoint topic, a statetopic.Log. It writes under the journal's fence
// and producer id, beside the journal. One goroutine at a time uses it.
type CheckpointLog struct {
	view     *View
	producer producer
	state    partitionState
	failed   error // why nothing is sent until the next takeover

	// turns holds one. Who puts it in may send, or write markers: a broker may refuse plain batches while the
	// producer's transaction is open. It guards the time from which the fence's age counts.
	turns chan struct{}
	began time.Time
}

var _ statetopic.Log = (*CheckpointLog)(nil)

func newCheckpointLog(v *View) *CheckpointLog {
	l := &CheckpointLog{view: v, turns: make(chan struct{}, 1),
		failed: errors.New("nothing is written before a takeover")}
	l.producer = producer{
		cluster: v.Cluster, codec: v.Codec, operation: verdict.OnAppend, turn: l.turn,
		expired: func(*produceAttempt) error { return nil }, // turn waits for a young fence
	}
	return l
}

// Close ends all connections of a log that is read outside of a task.
func (l *CheckpointLog) Close() { l.view.Fetcher.Close() }

// begin lets batches be sent under a new producer epoch. The journal calls it, with nothing in flight.
func (l *CheckpointLog) begin(p topics.Producer) {
	if l == nil {
		return
	}
	l.producer.id, l.failed = p, nil
	l.state = partitionState{topic: l.view.Names.Checkpoints, partition: l.view.Portion.OfCheckpoints()}
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
		if age(l.began, time.Now()) <= l.view.RenewEvery {
			return release, nil
		}
		release()
		if err := broker.Pause(ctx, cluster.FirstPause); err != nil {
			return nil, err
		}
	}
}

// Open is described at statetopic.Log.
func (l *CheckpointLog) Open(from int64) topics.Reader {
	return l.view.Reader.Open(topics.Checkpoints, l.view.Portion.OfCheckpoints(), from)
}

// Bounds is described at statetopic.Log. The error is a *stops.Error or the context's.
func (l *CheckpointLog) Bounds(ctx context.Context) (from, to int64, err error) {
	err = l.view.Prepare(ctx, "offsets of "+l.view.Names.Checkpoints, func(ctx context.Context) error {
		of, err := l.view.DescribeOne(ctx, l.view.Names.Checkpoints)
		if err != nil {
			return err
		}
		p := l.view.Portion.OfCheckpoints()
		if int(p) >= len(of.Leaders) {
			return cluster.NoLeader{Topic: of.Name, Partition: p}
		}
		if to, err = l.offset(ctx, of, cluster.LogEnd); err == nil {
			from, err = l.offset(ctx, of, cluster.LogStart)
		}
		return err
	})
	return from, to, err
}

func (l *CheckpointLog) offset(ctx context.Context, of cluster.Topic, at int64) (int64, error) {
	all, err := l.view.ListOffsets(ctx, at, cluster.Committed, l.view.Portion.View(of)...)
	if err != nil {
		return 0, err
	}
	return all[0][l.view.Portion.OfCheckpoints()], nil
}

// Append is described at statetopic.Log. Errors are those of Journal.Append. After ErrIndeterminate, a stop or the
// context's end nothing is sent until the next takeover.
func (l *CheckpointLog) Append(ctx context.Context, records *recordbatch.Builder) error {
	if l.failed != nil {
		return l.failed
	}
	a := l.producer.attempt(&l.state, records)
	if l.failed = l.producer.write(ctx, a); l.failed != nil {
		l.failed = explain(ctx, l.view, l.producer.id, l.failed)
	}
	return cmp.Or(l.failed, a.err)
}
