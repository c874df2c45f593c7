package speed

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"
)

// A steady load of eight seconds. A daemon is stopped in its middle. The latency of the first second, and of those
// before and after the stop, does not count.
const (
	stopRate = 1000 // events a second
	stopAt   = 4 * stopRate
)

// BenchmarkHandOver: daemons with --standby share a model for each partition, and one that has some is stopped while
// 1000 events/s come. The longest time without a prediction of a model (which has an event each ms, and with 16 models
// each 16 ms), and how long events take from when they are due to a reader, before and after. Medians of the repeats.
// In the rows "none" no daemon is stopped.
func BenchmarkHandOver(b *testing.B) {
	w, program := open(b), daemon(b)
	for _, c := range []struct{ daemons, models int }{{2, 1}, {4, 1}, {2, models}, {4, models}} {
		for _, stopped := range []string{"none", "one"} {
			b.Run(fmt.Sprintf("%d/models-%d/%s", c.daemons, c.models, stopped), func(b *testing.B) {
				all := map[string][]time.Duration{}
				for range b.N {
					for what, took := range w.in(b).handOver(program, c.daemons, c.models, stopped == "one") {
						all[what] = append(all[what], took)
					}
				}
				for what, took := range all {
					slices.Sort(took)
					b.ReportMetric(milliseconds(took[len(took)/2]), what+"-ms")
				}
				b.ReportMetric(milliseconds(slices.Max(all["gap"])), "worst-gap-ms")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// handOver measures one stop of a daemon that has a model, or none.
func (b *bench) handOver(program string, daemons, models int, stop bool) map[string]time.Duration {
	in, out := b.input("events", models), b.wide("predictions", models)
	all := b.members(program, in, out, daemons, 1)
	one := b.awaitSpread(program, in, out, models, daemons, 1)
	l := &steady{cl: b.client(), topic: in, partitions: models}
	r := b.arrivals(out, models+2*stopAt)
	l.produce(0, models)
	if err := l.cl.Flush(context.Background()); err != nil {
		b.Fatal(err)
	}
	other := all[(one+1)%daemons]
	r.await(other, models, time.Now().Add(time.Minute))
	at := pace{stopRate, time.Now()}
	go l.run(at, 2*stopAt)
	if stop {
		time.AfterFunc(time.Until(at.due(stopAt)), all[one].stop)
	}
	r.await(other, len(r.at), at.due(2*stopAt).Add(liveLate))
	if r.n < len(r.at) {
		b.Fatalf("%d of %d predictions", r.n, len(r.at))
	}
	for _, p := range all {
		p.stop()
	}
	came := r.at[models:]
	took := map[string]time.Duration{"gap": longest(came[stopAt-stopRate:stopAt+2*stopRate], models)}
	took["before-p50"], took["before-p99"] = at.latency(came[:stopAt-stopRate], stopRate)
	took["after-p50"], took["after-p99"] = at.latency(came, stopAt+stopRate)
	return took
}

// longest is the longest time between predictions of a partition. The events went to the partitions in turn.
func longest(came []time.Time, partitions int) (gap time.Duration) {
	for i := partitions; i < len(came); i++ {
		gap = max(gap, came[i].Sub(came[i-partitions]))
	}
	return gap
}

// latency is how long the events from one on took from when they were due.
func (p pace) latency(came []time.Time, from int) (p50, p99 time.Duration) {
	var took []time.Duration
	for i := from; i < len(came); i++ {
		took = append(took, came[i].Sub(p.due(i)))
	}
	slices.Sort(took)
	return took[len(took)/2], took[len(took)*99/100]
}
