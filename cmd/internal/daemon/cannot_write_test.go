package daemon

import (
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/cmd/internal/proxytest"
	"rosenblatt/stream/board"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/streamtest"
)

// TestCannotWriteIsTold: what a daemon that lives tells the group of its task says for how long it cannot write.
func TestCannotWriteIsTold(t *testing.T) {
	t.Parallel()
	c, s := topicOf(t, 1, 0)
	link := proxytest.Start(t, c.Brokers...)
	s.Brokers = link.Brokers()
	all, _, stops := members(t, s, 1)
	awaitStates(t, all, 0, 0)
	if h := all[0].held().Held; len(h) != 1 || !h[0].Live || h[0].Behind != 0 {
		t.Errorf("it tells %+v", h)
	}
	link.Set(func(m *proxytest.Message) proxytest.Verdict {
		if kmsg.Key(m.Key) == kmsg.Produce {
			return proxytest.Swallow
		}
		return proxytest.Pass
	})
	produceSome(t, c, s.Input, 0, 1)
	streamtest.Await(t, "a flight waits", func() bool {
		st := all[0].Statuses()[0]
		return st.State == board.Live && st.Sending > 0
	})
	if h := all[0].held().Held; len(h) != 1 || !h[0].Live || h[0].Behind == 0 {
		t.Errorf("it tells %+v", h)
	}
	link.Set(nil)
	_ = stops[0]()
}

// TestThrottledMember: the time for which a broker makes a daemon wait because of a quota is none for which it cannot
// write: what follows on that counts.
func TestThrottledMember(t *testing.T) {
	t.Parallel()
	now := time.Now()
	produce := func(until time.Duration) kafka.Throttle {
		return kafka.Throttle{Request: "Produce", Until: now.Add(until)}
	}
	for _, c := range []struct {
		throttles []kafka.Throttle
		low, high time.Duration
	}{
		{nil, 30 * time.Second, 30 * time.Second},
		{[]kafka.Throttle{produce(time.Minute)}, 0, 0},
		{[]kafka.Throttle{produce(-10 * time.Second), produce(-time.Hour)}, 10 * time.Second, 25 * time.Second},
		{[]kafka.Throttle{produce(-time.Hour)}, 30 * time.Second, 30 * time.Second},
		{[]kafka.Throttle{{Request: "Fetch", Until: now.Add(time.Minute)}}, 30 * time.Second, 30 * time.Second},
	} {
		if got := unthrottled(30*time.Second, c.throttles); got < c.low || got > c.high {
			t.Errorf("%+v: %v, want %v to %v", c.throttles, got, c.low, c.high)
		}
	}
}
