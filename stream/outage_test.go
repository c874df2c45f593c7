package stream_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// shortLimit is the limit of a start and of a fence in these tests, long enough for a busy machine. An outage is more
// than three times as long.
const shortLimit = 1500 * time.Millisecond

// TestOutageInEveryPhase (row 55): brokers that are away for longer than every limit are waited for, in whatever the
// task does when they go away, and the output is exact afterwards.
func TestOutageInEveryPhase(t *testing.T) {
	t.Parallel()
	for _, phase := range []struct {
		name    string
		at      kmsg.Key
		recover bool // an indeterminate write leads to a recovery in process before
		renew   bool
	}{
		{"a batch in flight", kmsg.Produce, false, false},
		{"a batch in flight as the fence ages", kmsg.Produce, false, true},
		{"renewal", kmsg.AddPartitionsToTxn, false, true},
		{"end of a renewal", kmsg.EndTxn, false, true},
		{"topics", kmsg.DescribeConfigs, true, false},
		{"fence", kmsg.InitProducerID, true, false},
		{"transaction", kmsg.AddPartitionsToTxn, true, false},
		{"end of the transaction", kmsg.EndTxn, true, false},
		{"markers and journal", kmsg.Fetch, true, false},
	} {
		t.Run(phase.name, func(t *testing.T) {
			t.Parallel()
			s := streamtest.New(t, streamtest.Start(t), 2)
			net, limit := new(streamtest.Network), shortLimit
			away := 3*limit + limit/10
			s.Kafka.Dial, s.Kafka.Patience = net.Dial, limit
			if phase.renew {
				s.Kafka.RenewEvery = limit
			}
			armed := make(chan (<-chan struct{}), 1)
			var doubt atomic.Bool
			s.Adjust = func(task *stream.Task) {
				task.Journal = &hookJournal{Journal: task.Journal, append: func(context.Context, int) error {
					if !doubt.Swap(false) {
						return nil
					}
					armed <- net.AwayAt(phase.at, away)
					return topics.ErrIndeterminate
				}}
			}
			task, stop, done := live(t, s)
			produce := func(seed uint64) {
				for p := range 2 {
					s.Cluster.Produce(t, s.Name, p, events(seed+uint64(p), 50)...)
				}
			}
			read := func(n int64) {
				streamtest.Await(t, "all records", func() bool {
					select {
					case err := <-done:
						t.Fatal(err)
					default:
					}
					return task.Status().Counts.Read >= n && task.Status().State == board.Live
				})
			}
			produce(1)
			read(100)
			if !phase.recover {
				armed <- net.AwayAt(phase.at, away)
			}
			doubt.Store(phase.recover)
			produce(3)
			<-<-armed
			produce(5)
			read(300)
			if err := stop(); err != nil {
				t.Fatal(err)
			}
			s.Audit(t)
		})
	}
}

// TestStopDuringAnOutage: a process that waits for its brokers ends when it is told to, in a recovery in process as in
// a renewal.
func TestStopDuringAnOutage(t *testing.T) {
	t.Parallel()
	for _, recovering := range []bool{false, true} {
		s := streamtest.New(t, streamtest.Start(t), 1)
		net := new(streamtest.Network)
		s.Kafka.Dial, s.Kafka.RenewEvery, s.Config.Grace = net.Dial, time.Millisecond, 300*time.Millisecond
		var doubt atomic.Bool
		s.Adjust = func(task *stream.Task) {
			task.Journal = &hookJournal{Journal: task.Journal, append: func(context.Context, int) error {
				if doubt.Load() {
					return topics.ErrIndeterminate
				}
				return nil
			}}
		}
		task, stop, _ := live(t, s)
		s.Cluster.Produce(t, s.Name, 0, good(10)...)
		streamtest.Await(t, "ten records", func() bool { return task.Status().Counts.Read == 10 })
		at := kmsg.AddPartitionsToTxn
		if doubt.Store(recovering); recovering {
			at = kmsg.InitProducerID
		}
		away := net.AwayAt(at, time.Hour)
		s.Cluster.Produce(t, s.Name, 0, good(10)...)
		<-away
		if err := stop(); !errors.Is(err, stream.ErrUnfinished) {
			t.Errorf("recovering %v: %v", recovering, err)
		}
	}
}

// TestFencedWhileIdle: a process that is replaced while it has nothing to write sees the markers of its successor, and
// ends within two seconds.
func TestFencedWhileIdle(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 2)
	task, _, done := live(t, s)
	streamtest.Await(t, "it is live", func() bool { return task.Status().State == board.Live })
	if _, err := s.Client(t).Journal().Takeover(t.Context(), topics.NoProducer); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	select {
	case err := <-done:
		if !stops.Is(err, stops.Fenced) {
			t.Fatal(err)
		}
		t.Logf("it ends after %v", time.Since(began))
	case <-streamtest.Timeout(t, 30*time.Second).Done(): // two seconds, on a machine that does nothing else
		t.Fatal("it goes on")
	}
}

// TestOtherWriterWhileIdle: so does one into whose output somebody else writes.
func TestOtherWriterWhileIdle(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	task, _, done := live(t, s)
	streamtest.Await(t, "it is live", func() bool { return task.Status().State == board.Live })
	s.Cluster.Produce(t, s.Output(), 0, "somebody else's")
	if err := <-done; !stops.Is(err, stops.OtherWriter) {
		t.Fatal(err)
	}
}
