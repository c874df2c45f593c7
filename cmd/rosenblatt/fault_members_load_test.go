package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"rosenblatt/stream/streamtest"
)

// spell is a transaction, which holds what is behind its first record.
type spell struct {
	topic     string
	partition int32
	first     int64
	end       time.Time
}

// load produces events and labels in all partitions, plainly and in transactions, of which some stay open for seconds
// and some are aborted; with tombstones, labels that repeat or contradict others, are late, or of no event, labels
// before their events, and ids that are used again. Now and then a partition has no events for some seconds.
type load struct {
	*streamtest.Setup
	t       *testing.T
	stop    context.Context
	plain   *kgo.Client
	running sync.WaitGroup // of transactions
	rest    sync.WaitGroup

	mu      sync.Mutex
	records []*loaded
	spells  []spell
	due     [][]*loaded // by partition
	ids     []int
	still   time.Duration // the longest time in which this process did nothing
}

func (l *load) client(opts ...kgo.Opt) *kgo.Client {
	c, err := kgo.NewClient(append(opts, kgo.SeedBrokers(l.Cluster.Brokers...),
		kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.ProducerLinger(0))...)
	if err != nil {
		l.t.Fatal(err)
	}
	return c
}

// startLoad returns a load that goes on until end is called, which returns when all is stored.
func startLoad(t *testing.T, s *streamtest.Setup, partitions int, seed uint64) (l *load, end func()) {
	t.Helper()
	stop, cancel := context.WithCancel(context.Background())
	l = &load{Setup: s, t: t, stop: stop, due: make([][]*loaded, partitions), ids: make([]int, partitions)}
	l.plain = l.client()
	for p := range int32(partitions) {
		random := func(n uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 100*n+uint64(p))) }
		l.rest.Go(func() { l.plainly(p, random(1)) })
		for i, labels := range []bool{false, true} {
			c := l.client(kgo.TransactionalID(fmt.Sprintf("%s-%d-%v", s.Name, p, labels)))
			l.running.Go(func() {
				defer c.Close()
				for r := random(uint64(2 + i)); l.pause(r, 4*time.Second); {
					l.transaction(c, p, labels, r)
				}
			})
		}
	}
	end = sync.OnceFunc(func() {
		cancel()
		l.running.Wait()
		l.rest.Wait()
		if err := l.plain.Flush(context.Background()); err != nil {
			t.Error(err)
		}
		l.plain.Close()
	})
	t.Cleanup(end)
	return l, end
}

// pause waits up to so long. It reports false at the end.
func (l *load) pause(r *rand.Rand, most time.Duration) bool {
	select {
	case <-l.stop.Done():
		return false
	case <-time.After(time.Duration(r.Int64N(int64(most)))):
		return true
	}
}

// plainly produces some forty records a second without transactions, and in the end the labels that are due soon.
func (l *load) plainly(p int32, r *rand.Rand) {
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	last, quiet := time.Now(), time.Time{}
	for {
		now := <-tick.C
		l.mu.Lock()
		l.still = max(l.still, now.Sub(last), time.Since(now))
		l.mu.Unlock()
		last = now
		for x := l.take(p, ""); x != nil; x = l.take(p, "") {
			l.produce(l.plain, x, nil)
		}
		switch left := l.soon(p); {
		case l.stop.Err() != nil && left == 0:
			return
		case l.stop.Err() != nil:
		case now.Before(quiet):
			l.produce(l.plain, &loaded{what: aNull, topic: l.Name, partition: p}, nil)
		default:
			l.event(l.plain, p, r, nil)
			if r.IntN(600) == 0 {
				quiet = now.Add(time.Duration(r.Int64N(int64(5 * time.Second))))
			}
		}
	}
}

// transaction produces events, or labels that are due, for up to six seconds. Of four transactions one is aborted.
func (l *load) transaction(c *kgo.Client, p int32, labels bool, r *rand.Rand) {
	if err := c.BeginTransaction(); err != nil {
		l.t.Errorf("begin: %v", err)
		return
	}
	var in []*loaded
	for until := time.Now().Add(time.Duration(r.Int64N(int64(6 * time.Second)))); ; {
		if !labels {
			l.event(c, p, r, &in)
		} else if x := l.take(p, l.Name+".labels"); x != nil {
			l.produce(c, x, &in)
		}
		if time.Now().After(until) || !l.pause(r, 400*time.Millisecond) {
			break
		}
	}
	commit := kgo.TransactionEndTry(r.IntN(4) > 0)
	err := c.Flush(context.Background())
	if err == nil {
		err = c.EndTransaction(context.Background(), commit)
	}
	if err != nil {
		l.t.Errorf("end: %v", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	for _, x := range in {
		if x.aborted = !bool(commit); !x.aborted {
			x.readable = now
		}
	}
	if len(in) > 0 {
		l.spells = append(l.spells, spell{in[0].topic, p, in[0].offset, now})
	}
}

// produce sends a record, plainly or in a transaction.
func (l *load) produce(c *kgo.Client, x *loaded, in *[]*loaded) {
	l.mu.Lock()
	l.records = append(l.records, x)
	l.mu.Unlock()
	if in != nil {
		*in = append(*in, x)
	}
	r := &kgo.Record{Topic: x.topic, Partition: x.partition, Value: x.value}
	c.Produce(context.Background(), r, func(r *kgo.Record, err error) {
		if err != nil {
			l.t.Errorf("produce: %v", err)
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		x.offset = r.Offset
		if in == nil {
			x.readable = time.Now()
		}
	})
}

// from is when a record was first to be read: transactions hold what is behind them.
func (l *load) from(x *loaded) time.Time {
	at := x.readable
	for _, s := range l.spells {
		if s.topic == x.topic && s.partition == x.partition && s.first < x.offset && s.end.After(at) {
			at = s.end
		}
	}
	return at
}
