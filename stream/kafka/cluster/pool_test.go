package cluster

import (
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rosenblatt/stream/kafka/broker"
	"rosenblatt/stream/kafka/internal/check"
)

// TestBrokerWithoutResponses: of several brokers one that accepts connections and never responds leaves time for the
// others, in whatever order they are tried, also if this process was suspended meanwhile; and where there is no other
// one, the error names it.
func TestBrokerWithoutResponses(t *testing.T) {
	t.Parallel()
	const live, silent, limit = "live:9092", "silent:9092", 2 * time.Second
	for name, suspended := range map[string]time.Duration{"": 0, "suspended": time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			dial := func(_ context.Context, _, address string) (net.Conn, error) {
				ours, theirs := net.Pipe()
				if address == live {
					go check.RefuseLogin(theirs) // of which nothing is asked here
				} else {
					time.Sleep(suspended)
					go func() { _, _ = io.Copy(io.Discard, theirs) }() // until the client closes it
				}
				return ours, nil
			}
			for _, addresses := range [][]string{{live, silent}, {silent, live}} {
				p := pool{dialer: broker.Dialer{Dial: dial}, limit: limit}
				c, err := p.get(t.Context(), addresses...)
				if err != nil || c.Address != live {
					t.Fatalf("%s: %v, %v", name, c, err)
				}
				p.close()
			}
			p := pool{dialer: broker.Dialer{Dial: dial}, limit: limit}
			if _, err := p.get(t.Context(), silent); err == nil || !strings.Contains(err.Error(), silent) {
				t.Errorf("%s: %v: want %s", name, err, silent)
			}
		})
	}
}
