package stream_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// straddling is the journal as a follower sees it: at first as it was, then in one look without what was added to a
// partition.
type straddling struct {
	topics.Log
	partition int
	was       topics.Ends
	shows     atomic.Int32 // one of the following
}

const (
	showsAll = iota
	showsWhatWas
	showsAPart // once
)

func (l *straddling) Written(ctx context.Context) (topics.Ends, error) {
	e, err := l.Log.Written(ctx)
	if err != nil {
		return e, err
	}
	switch l.shows.Load() {
	case showsAll:
		l.was = e.Clone()
	case showsWhatWas:
		return l.was.Clone(), nil
	case showsAPart:
		e.Output[l.partition] = l.was.Output[l.partition]
		l.shows.Store(showsAll)
	}
	return e, err
}

// gated is a journal whose writes wait.
type gated struct {
	topics.Journal
	waits atomic.Bool
	open  chan struct{}
}

func (j *gated) Append(ctx context.Context, batches []topics.Batch) error {
	if j.waits.Load() {
		<-j.open
	}
	return j.Journal.Append(ctx, batches)
}

// TestLastFlightOverTwoLooks: a writer dies behind a flight whose batches a follower finds in two looks. It learns the
// flight in the second one, so that nothing is learned after the journal has grown; nobody begins all the same.
func TestLastFlightOverTwoLooks(t *testing.T) {
	t.Parallel()
	for partition := range 2 {
		t.Run(fmt.Sprint(partition), func(t *testing.T) {
			t.Parallel()
			s := quick(t, streamtest.New(t, streamtest.Start(t), 2))
			j, l := &gated{open: make(chan struct{})}, &straddling{partition: partition}
			s.Adjust = func(task *stream.Task) { j.Journal, task.Journal = task.Journal, j }
			writer := member(t, s, s.Dir)
			writer.rounds <- 1
			writer.await(t, board.Live, 0)
			f := *s
			f.Adjust = func(task *stream.Task) { l.Log, task.Log = task.Log, l }
			follower := member(t, &f, t.TempDir())
			produce := func(n int) {
				for p := range 2 {
					s.Cluster.Produce(t, s.Name, p, good(n)...)
				}
			}
			produce(5)
			follower.await(t, board.Following, 10)
			follower.looks(t, 300*time.Millisecond)
			l.shows.Store(showsWhatWas)
			j.waits.Store(true)
			for seq := int64(16); seq <= 28; seq += 6 { // the last flight has both partitions
				produce(3)
				streamtest.Await(t, "they are learned", func() bool {
					return writer.Status().Counts.Read >= min(seq, 22)
				})
			}
			close(j.open)
			writer.await(t, board.Live, 28)
			streamtest.Await(t, "the journal", func() bool { return writer.Status().Unacknowledged == 0 })
			writer.stop()
			<-writer.ended
			l.shows.Store(showsAPart)
			follower.await(t, board.Following, 28)
			produce(1)
			streamtest.Await(t, "silence", func() bool {
				return time.Duration(follower.waited.Load()) >= 500*time.Millisecond
			})
		})
	}
}
