package stream_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

const mib = 1 << 20

// held is the memory in use after a garbage collection, in bytes.
func held() int64 {
	runtime.GC()
	runtime.GC() // what pools gave up the first time
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// countingLog counts the records that input readers deliver.
type countingLog struct {
	topics.Log
	records *atomic.Int64
}

type countingReader struct {
	topics.Reader
	records *atomic.Int64
}

func (l countingLog) Open(topic topics.Topic, partition int32, from int64) topics.Reader {
	r := l.Log.Open(topic, partition, from)
	if topic == topics.Input {
		return countingReader{r, l.records}
	}
	return r
}

func (r countingReader) Read(ctx context.Context, c *topics.Run, max int) error {
	err := r.Reader.Read(ctx, c, max)
	r.records.Add(int64(len(c.Records)))
	return err
}

// still waits until a number has not changed for half a second.
func still(t *testing.T, what string, n *atomic.Int64) {
	t.Helper()
	last, since := n.Load(), time.Now()
	streamtest.Await(t, what, func() bool {
		if now := n.Load(); now != last {
			last, since = now, time.Now()
		}
		return last > 0 && time.Since(since) > 500*time.Millisecond
	})
}

// TestMemoryWithASlowOutput (row 27): the output takes nothing; the intake stops, and what is held is bounded: chunks
// of at most 4 MiB of events and one event more, with their features, eight of them here; and of each partition the
// batch that is being delivered, as unpacked, with the one fetched ahead.
func TestMemoryWithASlowOutput(t *testing.T) {
	if testing.Short() || streamtest.Real() {
		t.Skip("measures memory: not with -short; on real Kafka, TestFaultSlowOutput")
	}
	small := good(60_000)
	for i := range small {
		small[i] = fmt.Sprintf(`{"label":1,%s"pad":"%s"}`,
			`"a":1,"b":2.5,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":10,`, strings.Repeat("x", 500))
	}
	large := make([]string, 100) // a batch holds the predictions for two of them
	for i := range large {
		large[i] = fmt.Sprintf(`{"id":"%s","label":1,"x":%d%s}`, strings.Repeat("i", 400_000), i,
			strings.Repeat(" ", 500_000))
	}
	for _, c := range []struct {
		name    string
		produce func(*streamtest.Setup)
		most    int64
	}{
		{"small events", func(s *streamtest.Setup) {
			for at := 0; at < len(small); at += 1000 {
				s.Cluster.Produce(t, s.Name, 0, small[at:at+1000]...)
			}
		}, 24 * mib},
		{"events of 0.9 MB", func(s *streamtest.Setup) {
			for _, v := range large {
				s.Cluster.Produce(t, s.Name, 0, v)
			}
		}, 8*5*mib + 8*mib},
		{"batches that unpack to 45 MB", func(s *streamtest.Setup) {
			for range 6 {
				produceCompressed(t, s, 50, large[0])
			}
		}, 8*5*mib + 3*50*mib},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := streamtest.New(t, streamtest.Start(t), 1)
			c.produce(s)
			records := new(atomic.Int64)
			blocked := make(chan struct{})
			var once sync.Once
			s.Wrap = func(l topics.Log) topics.Log { return countingLog{l, records} }
			s.Adjust = func(task *stream.Task) {
				task.Journal = &hookJournal{Journal: task.Journal, append: func(ctx context.Context, _ int) error {
					once.Do(func() { close(blocked) })
					<-ctx.Done()
					return ctx.Err()
				}}
			}
			s.Config.Grace = 10 * time.Millisecond
			before := held()
			_, stop, _ := live(t, s)
			<-blocked
			still(t, "the intake does not move", records)
			took := held() - before
			t.Logf("%d records read ahead, %.1f MiB held, bound %d MiB", records.Load(), float64(took)/mib, c.most/mib)
			if took > c.most {
				t.Errorf("%d MiB held, want at most %d", took/mib, c.most/mib)
			}
			if err := stop(); !errors.Is(err, stream.ErrUnfinished) {
				t.Error(err)
			}
		})
	}
}

// unplugged is a network whose cable can be pulled: then connections break and no new ones come about.
type unplugged struct {
	mu    sync.Mutex
	out   bool
	conns map[net.Conn]bool
	dials int
}

func (u *unplugged) dial(ctx context.Context, network, address string) (net.Conn, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.dials++
	if u.out {
		return nil, errors.New("no route to host")
	}
	c, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err == nil {
		u.conns[c] = true
	}
	return c, err
}

func (u *unplugged) pull(out bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.out = out
	for c := range u.conns {
		c.Close()
	}
	clear(u.conns)
}

// TestMemoryWhileTheBrokerIsDown: a daemon whose brokers are away with a backlog before it holds no more than with a
// slow output, starts no more goroutines the longer it waits, and dials a few times a second. Then it goes on.
func TestMemoryWhileTheBrokerIsDown(t *testing.T) {
	s := streamtest.New(t, streamtest.Start(t), 2)
	net := &unplugged{conns: map[net.Conn]bool{}}
	s.Kafka.Dial = net.dial
	for p := range 2 {
		s.Cluster.Produce(t, s.Name, p, events(uint64(p), 20_000)...)
	}
	before := held()
	task, stop, _ := live(t, s)
	streamtest.Await(t, "some predictions", func() bool { return task.Status().Acknowledged > 1000 })
	net.pull(true)
	records := new(atomic.Int64)
	watch := func() { records.Store(task.Status().Counts.Read) }
	watch()
	streamtest.Await(t, "trouble", func() bool { watch(); net.mu.Lock(); defer net.mu.Unlock(); return net.dials > 20 })
	net.mu.Lock()
	goroutines, dials, began := runtime.NumGoroutine(), net.dials, time.Now()
	net.mu.Unlock()
	streamtest.Await(t, "two seconds of trouble", func() bool { return time.Since(began) > 2*time.Second })
	took := held() - before
	net.mu.Lock()
	rate := float64(net.dials-dials) / time.Since(began).Seconds()
	net.mu.Unlock()
	t.Logf("%.1f MiB held, %d goroutines, then %d, %.1f dials a second", float64(took)/mib, goroutines,
		runtime.NumGoroutine(), rate)
	if took > 40*mib {
		t.Errorf("%d MiB held without a broker", took/mib)
	}
	if more := runtime.NumGoroutine() - goroutines; more > 20 {
		t.Errorf("%d more goroutines after two seconds", more)
	}
	if rate > 100 {
		t.Errorf("%.0f dials a second", rate)
	}
	net.pull(false)
	streamtest.Await(t, "all records", func() bool {
		return task.Status().Counts.Read == 40_000 && task.Status().Acknowledged == task.Status().Seq
	})
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	s.Audit(t)
}
