package daemon

import (
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/cmd/internal/proxytest"
	"rosenblatt/stream/board"
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
