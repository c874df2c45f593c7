package speed

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// A steady load. An event that is not there at the end counts as of then.
const (
	liveRate  = 5000 // events a second
	liveWarm  = 5000 // events that do not count
	liveCount = 20_000
	liveLate  = 10 * time.Second // after the last event
)

// pace is so many events a second, from a time on.
type pace struct {
	rate  int
	began time.Time
}

// due is when an event of the load is due.
func (p pace) due(i int) time.Time {
	return p.began.Add(time.Duration(i) * time.Second / time.Duration(p.rate))
}

// live measures how long events take from when they are due to a reader. The load begins when an event of each
// partition has come through.
func (b *bench) live(f *figures, r *run) {
	partitions := r.partitions
	in, out := b.input("events", partitions), b.wide("predictions", partitions)
	l := &steady{cl: b.client(kgo.ProducerLinger(5 * time.Millisecond)), topic: in, partitions: partitions}
	came := b.arrivals(out, partitions+liveWarm+liveCount)
	l.produce(0, partitions)
	if err := l.cl.Flush(context.Background()); err != nil {
		b.Fatal(err)
	}
	began := time.Now()
	p := r.begin(b, in, out)
	came.await(p, partitions, began.Add(2*time.Minute))
	if came.n < partitions {
		b.Fatalf("%d of %d partitions in two minutes", came.n, partitions)
	}
	f.start = time.Since(began)

	at := pace{liveRate, time.Now()}
	go l.run(at, liveWarm+liveCount)
	came.await(p, len(came.at), at.due(liveWarm+liveCount).Add(liveLate))
	end := time.Now()
	if err := l.failed.Load(); err != nil {
		b.Fatal(*err)
	}
	f.peak = max(f.peak, p.peak(b.B))
	p.stop()
	var took []time.Duration
	for i := liveWarm; i < liveWarm+liveCount; i++ {
		there := came.at[partitions+i]
		if there.IsZero() {
			there = end
		}
		took = append(took, there.Sub(at.due(i)))
	}
	slices.Sort(took)
	f.p50, f.p99 = took[len(took)/2], took[len(took)*99/100]
	b.ReportMetric(milliseconds(f.p50), "p50-ms")
	b.ReportMetric(milliseconds(f.p99), "p99-ms")
	b.ReportMetric(milliseconds(f.start), "start-ms")
	b.ReportMetric(f.peak, "peak-MB")
	b.ReportMetric(0, "ns/op")
}

// steady produces events to the partitions of a topic in turn.
type steady struct {
	cl         *kgo.Client
	topic      string
	partitions int
	failed     atomic.Pointer[error]
}

func (l *steady) produce(from, to int) {
	for i := from; i < to; i++ {
		r := &kgo.Record{Topic: l.topic, Partition: int32(i % l.partitions), Value: values()[i]}
		l.cl.Produce(context.Background(), r, func(_ *kgo.Record, err error) {
			if err != nil {
				l.failed.Store(&err)
			}
		})
	}
}

// run produces each of so many events when it is due, or up to a millisecond later.
func (l *steady) run(at pace, events int) {
	for i := 0; i < events; time.Sleep(time.Millisecond) {
		n := min(int(time.Since(at.began)*time.Duration(at.rate)/time.Second)+1, events)
		l.produce(l.partitions+i, l.partitions+n)
		i = n
	}
}

// arrivals are the times at which a reader of the output has got the events, by their ids.
type arrivals struct {
	b  *testing.B
	cl *kgo.Client
	at []time.Time
	n  int // of at that are not zero
}

func (b *bench) arrivals(topic string, n int) *arrivals {
	return &arrivals{b: b.B, at: make([]time.Time, n),
		cl: b.client(kgo.ConsumeTopics(topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))}
}

// await reads until n events have come, or for a time.
func (a *arrivals) await(p *process, n int, until time.Time) {
	a.b.Helper()
	for a.n < n && time.Now().Before(until) {
		p.alive(a.b)
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		fetches := a.cl.PollFetches(ctx)
		cancel()
		now := time.Now()
		fetches.EachRecord(func(r *kgo.Record) {
			if i := number(r.Value); a.at[i].IsZero() {
				a.at[i] = now
				a.n++
			}
		})
	}
}

// number is that of an event, or of a prediction: it begins with {"id":"e7".
func number(value []byte) int {
	digits, _, _ := bytes.Cut(bytes.TrimPrefix(value, []byte(`{"id":"e`)), []byte(`"`))
	n, err := strconv.Atoi(string(digits))
	if err != nil {
		panic(err)
	}
	return n
}
