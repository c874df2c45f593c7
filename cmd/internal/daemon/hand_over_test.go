package daemon

import (
	"errors"
	"fmt"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/streamtest"
)

// indeterminate makes it unknown what becomes of predictions, and lets no producer that the broker knows settle it.
func indeterminate(fake *kfake.Cluster, output string) *kfake.FaultHandle {
	return fake.Fault(
		kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Topic: output, Err: kerr.InvalidTxnState, Count: -1},
		kfake.Fault{Keys: []kmsg.Key{kmsg.InitProducerID}, Err: kerr.ConcurrentTransactions, Count: -1,
			When: func(q kmsg.Request) bool { return q.(*kmsg.InitProducerIDRequest).ProducerID >= 0 }},
	)
}

// TestStandbyIndeterminate: a daemon that is stopped while it finds out what became of a write ends well if another one
// goes on, which does; without one it ends with an error.
func TestStandbyIndeterminate(t *testing.T) {
	t.Parallel()
	if streamtest.Real() {
		t.Skip("the test answers for the broker")
	}
	for n, want := range map[int]error{1: stream.ErrUnfinished, 2: nil} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			c := streamtest.Start(t)
			name := streamtest.Name(t)
			c.Topic(t, name, 1)
			s := onCluster(t, c.Brokers)
			s.Input = name
			all, _, stops := members(t, s, n)
			produceSome(t, c, name, 0, 100)
			active := awaitStates(t, all, 0, 100)
			fault := indeterminate(c.Fake, all[0].Settings().Output)
			produceSome(t, c, name, 0, 100)
			streamtest.Await(t, "the recovery", func() bool {
				return all[active].Status().State == board.Recovering
			})
			if err := stops[active](); !errors.Is(err, want) {
				t.Errorf("it ended with %v, want %v", err, want)
			}
			fault.Remove()
			if n > 1 {
				awaitStates(t, all[1-active:2-active], 0, 200)
				if err := stops[1-active](); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
