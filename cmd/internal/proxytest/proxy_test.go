package proxytest_test

import (
	"context"
	"fmt"
	"net"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"

	"rosenblatt/cmd/internal/proxytest"
	"rosenblatt/stream/streamtest"
)

// client returns a client of three brokers through a proxy, for a topic of six partitions.
func client(t *testing.T) (*proxytest.Proxy, *kgo.Client) {
	t.Helper()
	cluster, err := kfake.NewCluster(kfake.NumBrokers(3), kfake.SeedTopics(6, "t"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Close)
	p := proxytest.Start(t, cluster.ListenAddrs()...)
	cl, err := kgo.NewClient(kgo.SeedBrokers(p.Brokers()...), kgo.ConsumeTopics("t"), kgo.DefaultProduceTopic("t"),
		kgo.MetadataMinAge(50*time.Millisecond), kgo.RequestTimeoutOverhead(500*time.Millisecond),
		kgo.ProduceRequestTimeout(500*time.Millisecond), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cl.Close)
	return p, cl
}

// roundTrip sends ten records and reads them.
func roundTrip(t *testing.T, cl *kgo.Client) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	for i := range 10 {
		if err := cl.ProduceSync(ctx, kgo.StringRecord(fmt.Sprint(i))).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]int{}
	for n := 0; n < 10; {
		fetches := cl.PollFetches(ctx)
		if err := ctx.Err(); err != nil {
			t.Fatal(err)
		}
		fetches.EachRecord(func(r *kgo.Record) { seen[string(r.Value)]++; n++ })
	}
	if len(seen) != 10 {
		t.Errorf("read %v", seen)
	}
}

func TestAllConnectionsUseTheProxy(t *testing.T) {
	p, cl := client(t)
	var produced, fetched atomic.Int64
	p.Set(func(m *proxytest.Message) proxytest.Verdict {
		switch {
		case !m.Response && kmsg.Key(m.Key) == kmsg.Produce:
			produced.Add(1)
		case m.Response && kmsg.Key(m.Key) == kmsg.Fetch:
			fetched.Add(1)
		}
		return proxytest.Pass
	})
	roundTrip(t, cl)
	if produced.Load() < 10 || fetched.Load() < 1 || p.Connections() < 3 {
		t.Errorf("%d produce requests and %d fetch responses over %d connections", produced.Load(), fetched.Load(),
			p.Connections())
	}
}

// Coordinators, too, are found at the proxy's addresses, whatever the version of the response.
func TestCoordinatorsAreTheProxy(t *testing.T) {
	p, _ := client(t)
	for _, versions := range []*kversion.Versions{kversion.V2_3_0(), kversion.Stable()} {
		cl, err := kgo.NewClient(kgo.SeedBrokers(p.Brokers()...), kgo.MaxVersions(versions))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(cl.Close)
		req := kmsg.NewPtrFindCoordinatorRequest()
		req.CoordinatorKey, req.CoordinatorKeys = "g", []string{"g"}
		res, err := req.RequestWith(t.Context(), cl)
		if err != nil {
			t.Fatal(err)
		}
		host, port := res.Host, res.Port
		if len(res.Coordinators) > 0 {
			host, port = res.Coordinators[0].Host, res.Coordinators[0].Port
		}
		if at := net.JoinHostPort(host, fmt.Sprint(port)); !slices.Contains(p.Brokers(), at) {
			t.Errorf("the coordinator is at %s, not one of %v", at, p.Brokers())
		}
	}
}

// An idempotent client that retries delivers each record once despite any fault.
func TestVerdicts(t *testing.T) {
	for name, verdict := range map[string]proxytest.Verdict{"cut": proxytest.Cut, "half": proxytest.CutHalf,
		"swallow": proxytest.Swallow} {
		t.Run(name, func(t *testing.T) {
			p, cl := client(t)
			hits := make(chan struct{}, 1) // lose one acknowledgement
			hits <- struct{}{}
			p.Set(func(m *proxytest.Message) proxytest.Verdict {
				if m.Response && kmsg.Key(m.Key) == kmsg.Produce {
					select {
					case <-hits:
						return verdict
					default:
					}
				}
				return proxytest.Pass
			})
			roundTrip(t, cl)
			if len(hits) != 0 {
				t.Error("no acknowledgement was lost")
			}
		})
	}
}

// TestDelay: a request and its response take the delay each, and requests that are under way together share it.
func TestDelay(t *testing.T) {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "t"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Close)
	p := proxytest.Start(t, cluster.ListenAddrs()...)
	const delay, rounds = 100 * time.Millisecond, 20
	p.Delay(delay)
	var requests atomic.Int64
	p.Set(func(m *proxytest.Message) proxytest.Verdict {
		if !m.Response && kmsg.Key(m.Key) == kmsg.Produce {
			requests.Add(1)
		}
		return proxytest.Pass
	})
	cl, err := kgo.NewClient(kgo.SeedBrokers(p.Brokers()...), kgo.DefaultProduceTopic("t"), kgo.ProducerLinger(0),
		kgo.DisableIdempotentWrite(), kgo.MaxProduceRequestsInflightPerBroker(rounds))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cl.Close)
	produce := func() {
		if err := cl.ProduceSync(t.Context(), kgo.StringRecord("x")).FirstErr(); err != nil {
			t.Error(err)
		}
	}
	produce()
	began := time.Now()
	produce()
	if took := time.Since(began); took < 2*delay {
		t.Errorf("a round trip took %v", took)
	}
	late := streamtest.Timeout(t, rounds*delay*3/4) // one after the other: (rounds + 1) * delay
	began = time.Now()
	var together sync.WaitGroup
	for i := range int64(rounds) {
		together.Go(produce)
		for requests.Load() < 3+i { // so that each is a request of its own
			runtime.Gosched()
		}
	}
	together.Wait()
	if late.Err() != nil {
		t.Errorf("%d round trips at once took %v", rounds, time.Since(began))
	}
}

// Metadata responses keep the broker's address, so only the first connection uses the proxy.
func TestRaw(t *testing.T) {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "t"))
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Close()
	p := proxytest.StartRaw(t, cluster.ListenAddrs()[0])
	cl, err := kgo.NewClient(kgo.SeedBrokers(p.Brokers()...), kgo.DefaultProduceTopic("t"))
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	if err := cl.ProduceSync(t.Context(), kgo.StringRecord("x")).FirstErr(); err != nil {
		t.Fatal(err)
	}
	if p.Connections() == 0 {
		t.Error("no connection")
	}
}
