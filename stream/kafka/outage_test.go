package kafka

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/internal/check"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// patience is a start's limit in these tests.
const patience = 300 * time.Millisecond

// fenceFaults are what can hold up a takeover, and the stop with which a start gives up.
var fenceFaults = []struct {
	key  kmsg.Key
	err  *kerr.Error
	stop string
}{
	{kmsg.Metadata, kerr.LeaderNotAvailable, stops.Unreachable},
	{kmsg.ListOffsets, kerr.NotLeaderForPartition, stops.Unreachable},
	{kmsg.InitProducerID, kerr.CoordinatorLoadInProgress, stops.Unreachable},
	{kmsg.AddPartitionsToTxn, kerr.ConcurrentTransactions, stops.FenceFailed},
	{kmsg.EndTxn, kerr.CoordinatorLoadInProgress, stops.FenceFailed},
	{kmsg.Fetch, kerr.LeaderNotAvailable, stops.FenceFailed},
}

// TestStartGivesUp: a start that gets no fence ends when its patience does, by name.
func TestStartGivesUp(t *testing.T) {
	t.Parallel()
	for _, x := range fenceFaults {
		t.Run(x.key.Name(), func(t *testing.T) {
			t.Parallel()
			b := fakeBed(t, 1)
			b.fake.Fault(kfake.Fault{Keys: []kmsg.Key{x.key}, Err: x.err, Count: -1})
			j := b.client(func(o *Options) { o.Patience = patience }).Journal()
			_, err := j.Takeover(timeout(t, 30*time.Second), topics.NoProducer)
			check.Stop(t, err, x.stop)
		})
	}
}

// TestRunningProcessWaits (row 55): what makes a start give up is waited for by a process that took over once, in a
// takeover in process as in a renewal, and it says what it waits for. Its context ends the wait.
func TestRunningProcessWaits(t *testing.T) {
	t.Parallel()
	for _, x := range fenceFaults {
		for _, renew := range []bool{false, true} {
			if renew && x.key == kmsg.InitProducerID {
				continue
			}
			t.Run(fmt.Sprint(x.key.Name(), " renew ", renew), func(t *testing.T) {
				t.Parallel()
				b := fakeBed(t, 1)
				c := b.client(func(o *Options) { o.Patience = patience })
				j := c.Journal()
				held := takeover(t, j, topics.NoProducer).Producer
				try := func(ctx context.Context) (err error) {
					if renew {
						_, err = j.Renew(ctx, true)
					} else {
						_, err = j.Takeover(ctx, held)
					}
					return err
				}
				fault := b.fake.Fault(kfake.Fault{Keys: []kmsg.Key{x.key}, Err: x.err, Count: -1})
				ctx, stop := context.WithCancel(t.Context())
				began, done := time.Now(), make(chan error, 1)
				go func() { done <- try(ctx) }()
				for time.Since(began) < 4*patience {
					time.Sleep(patience / 10) // the limit that it must not have is a time
				}
				if text, _ := c.Outage(); text == "" {
					t.Error("it does not say what it waits for")
				}
				ends := func() {
					stop()
					if err := <-done; !errors.Is(err, context.Canceled) {
						t.Fatalf("after four times the patience: %v", err)
					}
				}
				if !renew { // after a renewal that has ended nothing more is sent
					ends()
					go func() { done <- try(t.Context()) }()
				}
				fault.Remove()
				if err := <-done; err != nil {
					t.Fatal(err)
				}
				appendAll(t, j, topics.Output, 0, "x")
				if renew {
					b.fake.Fault(kfake.Fault{Keys: []kmsg.Key{x.key}, Err: x.err, Count: -1})
					go func() { done <- try(ctx) }()
					ends()
				}
			})
		}
	}
}

// TestTopologyWaits: the same for the look at the topics with which a recovery in process begins.
func TestTopologyWaits(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 1)
	c := b.client(func(o *Options) { o.Patience = patience })
	takeover(t, c.Journal(), topics.NoProducer)
	for _, key := range []kmsg.Key{kmsg.Metadata, kmsg.ListOffsets, kmsg.DescribeConfigs} {
		fault := b.fake.Fault(kfake.Fault{Keys: []kmsg.Key{key}, Err: kerr.RequestTimedOut, Count: -1})
		if _, err := c.Topology(deadline(t, 4*patience)); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", key.Name(), err)
		}
		fault.Remove()
	}
	for _, create := range []bool{false, true} {
		fault := b.fake.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Metadata}, Err: kerr.RequestTimedOut, Count: -1})
		if _, err := c.Ensure(deadline(t, 4*patience), create); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		fault.Remove()
	}
}
