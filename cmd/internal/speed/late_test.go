package speed

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"rosenblatt/cmd/internal/generate"
)

// fillLate puts the events of fill into a topic, without their labels, 10,000 a second by their timestamps, and the
// labels into another one, 5 to 15 seconds later, in random order.
func (b *bench) fillLate(events, labels string, n int) {
	const perSecond = 10_000
	g, random := generate.New(1), rand.New(rand.NewPCG(1, 1))
	g.Features = 30
	type label struct {
		at    time.Time
		value []byte
	}
	later := make([]label, n)
	began := time.Now().Add(-time.Minute - time.Duration(n)*time.Second/perSecond)
	for i := range later {
		e := g.Next()
		own := fmt.Appendf(nil, `,"label":%d`, e.Label)
		at := began.Add(time.Duration(i) * time.Second / perSecond)
		b.cl.Produce(context.Background(), &kgo.Record{Topic: events, Timestamp: at,
			Value: bytes.Replace(e.AppendJSON(nil), own, nil, 1)}, nil)
		delay := 5*time.Second + time.Duration(random.Int64N(int64(10*time.Second)))
		later[i] = label{at.Add(delay), fmt.Appendf(nil, `{"id":"e%d"%s}`, e.Number, own)}
	}
	slices.SortFunc(later, func(x, y label) int { return x.at.Compare(y.at) })
	for _, l := range later {
		b.cl.Produce(context.Background(), &kgo.Record{Topic: labels, Timestamp: l.at, Value: l.value}, nil)
	}
	if err := b.cl.Flush(context.Background()); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkLate: the events of BenchmarkEndToEnd, once with their labels until the last prediction is readable, once
// with labels that come 10 seconds later on average until the last outcome is. Then an event is two records in and two
// out.
func BenchmarkLate(b *testing.B) {
	const n = 300_000
	w := open(b)
	program := daemon(b)
	input, events, labels := w.topic("events"), w.topic("unlabelled"), w.topic("labels")
	w.fill(input, n)
	w.fillLate(events, labels, n)
	b.Run("at once", func(b *testing.B) {
		w := &bench{b, w.addr, w.cl, w.adm}
		w.measure(n, "ours", func(output string) *exec.Cmd { return w.run(program, input, output, "--until-end") })
	})
	b.Run("later", func(b *testing.B) {
		w := &bench{b, w.addr, w.cl, w.adm}
		w.measure(n, "outcomes", func(outcomes string) *exec.Cmd {
			return w.run(program, events, outcomes+".predictions", "--until-end", "--labels", labels,
				"--outcomes", outcomes)
		})
	})
}

// eventsBeforeLabels returns a source of events without their labels. With each one goes the label of the hundredth
// before it.
func (b *bench) eventsBeforeLabels(labels string) (next func() []byte) {
	g := generate.New(1)
	g.Features = 30
	var later [][]byte
	return func() []byte {
		e := g.Next()
		own := fmt.Appendf(nil, `,"label":%d`, e.Label)
		later = append(later, fmt.Appendf(nil, `{"id":"e%d"%s}`, e.Number, own))
		if n := len(later) - 100; n >= 0 {
			b.cl.Produce(context.Background(), &kgo.Record{Topic: labels, Value: later[n]}, nil)
		}
		return bytes.Replace(e.AppendJSON(nil), own, nil, 1)
	}
}
