package kafka

import (
	"bytes"
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/broker"
	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/internal/check"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// closeAt makes a tap to brokers that close the connection at some requests.
func closeAt(does func(request []byte) bool) *tap {
	return &tap{onWrite: func(c *tapped, p []byte) error {
		if !does(p) {
			return nil
		}
		_ = c.Conn.(*net.TCPConn).CloseRead() // so the next read is at its end
		return errSwallow
	}}
}

// TestUnsupportedBroker: a broker that closes the connection at one request for three seconds, and responds to others,
// is a stop that names the request, the broker and the versions.
func TestUnsupportedBroker(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	b.put(b.name+"-in", 0, 0, "x")
	for key, use := range map[kmsg.Key]func(context.Context, *Client) error{
		kmsg.ListOffsets:     func(ctx context.Context, c *Client) error { _, err := c.Topology(ctx); return err },
		kmsg.DescribeConfigs: func(ctx context.Context, c *Client) error { _, err := c.Topology(ctx); return err },
		kmsg.InitProducerID: func(ctx context.Context, c *Client) error {
			_, err := c.Journal().Takeover(ctx, topics.NoProducer)
			return err
		},
		kmsg.EndTxn: func(ctx context.Context, c *Client) error {
			_, err := c.Journal().Takeover(ctx, topics.NoProducer)
			return err
		},
		kmsg.Fetch: func(ctx context.Context, c *Client) error {
			r := c.Open(topics.Input, 0, 0)
			for {
				if err := r.Read(ctx, &topics.Run{}, 10); err != nil {
					return err
				}
			}
		},
		kmsg.Produce: func(ctx context.Context, c *Client) error {
			j := c.Journal()
			if _, err := j.Takeover(ctx, topics.NoProducer); err != nil {
				return err
			}
			_, err := appendOne(ctx, j, topics.Output, 0, build("x"))
			return err
		},
	} {
		t.Run(key.Name(), func(t *testing.T) {
			t.Parallel()
			var closed atomic.Int64
			x := closeAt(func(p []byte) bool { return isRequest(p, key) && closed.Add(1) > 0 })
			c := b.client(func(o *Options) { o.Dial, o.TransactionalID = x.dial, b.name+key.Name() })
			err := use(timeout(t, 20*time.Second), c)
			check.Stop(t, err, stops.UnsupportedBroker)
			want := []string{"closes the connection at each request " + key.Name(),
				" to " + c.opt.Brokers[0] + " (it offers versions "}
			for _, text := range want {
				if err == nil || !strings.Contains(err.Error(), text) {
					t.Errorf("%v: want %q", err, text)
				}
			}
			if n := closed.Load(); n < 3 || n > 40 { // two may go side by side
				t.Errorf("%d requests", n)
			}
		})
	}
}

// TestConfigsInOtherForms: where a broker closes the connection at a request for configurations, another form is tried.
func TestConfigsInOtherForms(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	for name, reads := range map[string]func(version int16, named bool) bool{
		"all":                       func(int16, bool) bool { return true },
		"before tagged fields":      func(version int16, _ bool) bool { return version < 4 },
		"all configurations alone":  func(version int16, named bool) bool { return !named },
		"neither names nor 4, as Z": func(version int16, named bool) bool { return !named && version < 4 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var closed atomic.Int64
			x := closeAt(func(p []byte) bool {
				named := bytes.Contains(p, []byte("retention.ms"))
				if !isRequest(p, kmsg.DescribeConfigs) || reads(int16(p[7]), named) {
					return false
				}
				closed.Add(1)
				return true
			})
			c := b.client(func(o *Options) { o.Dial = x.dial })
			for range 2 {
				top, err := c.Topology(timeout(t, 20*time.Second))
				if err != nil || top.Input.MaxMessageBytes == 0 || !top.Input.Deleted {
					t.Fatalf("%+v, %v", top, err)
				}
			}
			if n := closed.Load(); n > 2 {
				t.Errorf("%d requests that it cannot read", n)
			}
		})
	}
}

// TestClosingsOfARestart: what a broker does that ends, starts again or wants a login is not taken for a request that
// it does not know.
func TestClosingsOfARestart(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	run := func(name string, dial func(context.Context, string, string) (net.Conn, error),
		use func(context.Context, *Client) error) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := b.client(func(o *Options) { o.Dial, o.Patience = dial, 10*time.Second })
			if err := use(timeout(t, 20*time.Second), c); err != nil {
				t.Error(err)
			}
		})
	}
	ends := func(ctx context.Context, c *Client) error { _, err := c.Topology(ctx); return err }
	isEnds := func(p []byte) bool { return isRequest(p, kmsg.ListOffsets) }

	var responded, later atomic.Int64
	x := closeAt(func(p []byte) bool {
		// Topology asks three times: the first one has its response.
		return isEnds(p) && responded.Add(1) > 1 && later.Add(1) <= 6
	})
	run("a response came before", x.dial, ends)

	var closed, refused atomic.Int64
	y := closeAt(func(p []byte) bool { return isEnds(p) && closed.Add(1) <= 6 })
	run("connections fail in between", func(ctx context.Context, network, address string) (net.Conn, error) {
		if n := closed.Load(); n > 0 && n%2 == 0 && refused.CompareAndSwap(n-2, n) {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
		}
		return y.dial(ctx, network, address)
	}, ends)

	const beside = 8
	var many atomic.Int64
	var round sync.WaitGroup
	round.Add(beside)
	z := closeAt(func(p []byte) bool {
		if !isRequest(p, kmsg.OffsetFetch) || many.Add(1) > beside {
			return false
		}
		round.Done()
		round.Wait() // all of them are under way
		return true
	})
	run("side by side", z.dial, func(ctx context.Context, c *Client) error {
		if _, err := c.Topology(ctx); err != nil {
			return err
		}
		all := make(chan error, beside)
		for range beside {
			go func() { _, err := c.Committed(ctx); all <- err }()
		}
		var errs []error
		for range beside {
			errs = append(errs, <-all)
		}
		return errors.Join(errs...)
	})

	all := closeAt(func(p []byte) bool { return !isRequest(p, kmsg.ApiVersions) })
	run("a login is wanted", all.dial, func(ctx context.Context, c *Client) error {
		_, err := c.Topology(ctx)
		check.Stop(t, err, stops.Unreachable)
		return nil
	})
}

// TestErrorsNameRequests: errors that repeat say which request, to whom and in which versions.
func TestErrorsNameRequests(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 1)
	c := b.client(func(o *Options) { o.Patience = 300 * time.Millisecond })
	b.fake.ControlKey(int16(kmsg.FindCoordinator), func(kreq kmsg.Request) (kmsg.Response, error, bool) {
		b.fake.KeepControl()
		res := kreq.ResponseKind().(*kmsg.FindCoordinatorResponse)
		res.ErrorCode = 15
		return res, nil, true
	})
	_, err := c.Journal().Takeover(timeout(t, 20*time.Second), topics.NoProducer)
	want := "COORDINATOR_NOT_AVAILABLE (code 15): The coordinator is not available, in response to" +
		" FindCoordinator 3 to " +
		c.opt.Brokers[0] + " (it offers versions 0 to "
	if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "used are 1 to 3)") {
		t.Errorf("%v: want %q", err, want)
	}
	_, err = cluster.Ask[*kmsg.MetadataResponse](t.Context(), b.client(func(o *Options) {
		o.Dial = swallow(kmsg.Metadata, 10).dial
		o.ResponseTimeout = 100 * time.Millisecond
	}).cluster, cluster.AnyBroker, broker.MetadataRequest())
	if want := "Metadata 12 to " + c.opt.Brokers[0]; err == nil || !strings.HasPrefix(err.Error(), want) ||
		!strings.Contains(err.Error(), "no response within 100ms") {
		t.Errorf("%v: want %q", err, want)
	}
}
