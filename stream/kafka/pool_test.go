package kafka

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"rosenblatt/stream/kafka/wire"
)

// TestBrokerWithoutResponses: of several brokers one that accepts connections and never responds leaves time for the
// others, in whatever order they are tried; and where there is no other one, the error names it.
func TestBrokerWithoutResponses(t *testing.T) {
	t.Parallel()
	live := newBed(t, 0).brokers[0]
	silent := listen(t, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }) // until the client closes it
	for range 6 {
		p := pool{dialer: wire.Dialer{Dial: (&net.Dialer{}).DialContext}, limit: 2 * time.Second}
		c, err := p.get(t.Context(), live, silent)
		if err != nil || c.Address != live {
			t.Fatalf("%v, %v", c, err)
		}
		p.close()
	}
	p := pool{dialer: wire.Dialer{Dial: (&net.Dialer{}).DialContext}, limit: 100 * time.Millisecond}
	if _, err := p.get(t.Context(), silent); err == nil || !strings.Contains(err.Error(), silent) {
		t.Errorf("%v: want %s", err, silent)
	}
}
