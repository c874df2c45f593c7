package speed

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"rosenblatt/cmd/internal/generate"
)

// bench is a cluster with the tools to look at it.
type bench struct {
	*testing.B
	addr string
	cl   *kgo.Client
	adm  *kadm.Client
}

func open(b *testing.B) *bench {
	b.Helper()
	addr := brokers(b)
	w := &bench{B: b, addr: addr}
	w.cl = w.client(kgo.ProducerLinger(0))
	w.adm = kadm.NewClient(w.cl)
	return w
}

// client makes a client that ends with the benchmark.
func (b *bench) client(opts ...kgo.Opt) *kgo.Client {
	b.Helper()
	cl, err := kgo.NewClient(append([]kgo.Opt{kgo.SeedBrokers(strings.Split(b.addr, ",")...),
		kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.ProducerBatchCompression(kgo.NoCompression())}, opts...)...)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(cl.Close)
	return cl
}

var serial int

func (b *bench) topic(what string) string {
	serial++
	name := fmt.Sprintf("%s-%d-%d", what, time.Now().UnixNano()%1e9, serial)
	b.create(name)
	return name
}

func (b *bench) create(name string) {
	if _, err := b.adm.CreateTopic(context.Background(), 1, 1, nil, name); err != nil {
		b.Fatal(err)
	}
}

// fill puts n JSON events of 30 features, about 500 bytes each, into a topic.
func (b *bench) fill(topic string, n int) {
	g := generate.New(1)
	g.Features = 30
	for range n {
		b.cl.Produce(context.Background(), &kgo.Record{Topic: topic, Value: g.AppendJSON(nil)}, nil)
	}
	if err := b.cl.Flush(context.Background()); err != nil {
		b.Fatal(err)
	}
}

func (b *bench) end(topic string) int64 {
	ends, err := b.adm.ListEndOffsets(context.Background(), topic)
	if err != nil {
		b.Fatal(err)
	}
	o, _ := ends.Lookup(topic, 0)
	return o.Offset
}

// measure runs a command until n predictions are readable and reports events and CPU seconds.
func (b *bench) measure(n int, output string, command func(output string) *exec.Cmd) {
	var spent, cpu time.Duration
	for range b.N {
		out := b.topic(output)
		c := command(out)
		c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		begin := time.Now()
		if err := c.Start(); err != nil {
			b.Fatal(err)
		}
		for b.end(out) < int64(n) {
			time.Sleep(5 * time.Millisecond)
		}
		spent += time.Since(begin)
		if err := c.Wait(); err != nil {
			b.Fatal(err)
		}
		cpu += c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	}
	events := float64(n * b.N)
	b.ReportMetric(events/spent.Seconds(), "events/s")
	b.ReportMetric(cpu.Seconds()/events*1e6, "CPU-s/Mevents")
	b.ReportMetric(0, "ns/op")
}

// run is the daemon's command line.
func (b *bench) run(program, input, output string, more ...string) *exec.Cmd {
	c := exec.Command(program, append([]string{"run", "--brokers", b.addr, "--input", input, "--output", output,
		"--dead-letter", input + ".dlq", "--create-topics",
		"--model", output, "--state", b.TempDir(), "--scale", "none", "--http", "127.0.0.1:0", "--log-level", "warn"},
		more...)...)
	c.Stderr = os.Stderr
	return c
}

// BenchmarkEndToEnd: one partition of 500-byte JSON events with 30 features, consumed, predicted, learned, the
// predictions published with acks=all; the time runs from the start of the process until the last one is readable.
func BenchmarkEndToEnd(b *testing.B) {
	const most, few = 300_000, 60_000 // the idiomatic program is slower: it gets a fifth
	w := open(b)
	program := daemon(b)
	input := w.topic("events")
	w.fill(input, most)
	b.Run("rosenblatt", func(b *testing.B) {
		w := &bench{b, w.addr, w.cl, w.adm}
		w.measure(most, "ours", func(output string) *exec.Cmd { return w.run(program, input, output, "--until-end") })
	})
	b.Run("idiomatic", func(b *testing.B) {
		w := &bench{b, w.addr, w.cl, w.adm}
		w.measure(few, "idiomatic", func(output string) *exec.Cmd {
			return become(b, "idiomatic", "BROKERS="+w.addr, "INPUT="+input, "OUTPUT="+output,
				fmt.Sprint("COUNT=", few))
		})
	})
}

// BenchmarkLatency: one event at a time on an idle broker, from the produce call until its prediction is read; the same
// with labels that come later; and beside them produce and consume alone, from the produce call until the event itself
// is read.
func BenchmarkLatency(b *testing.B) {
	w := open(b)
	program := daemon(b)
	b.Run("rosenblatt", func(b *testing.B) {
		w := &bench{b, w.addr, w.cl, w.adm}
		input, output := w.topic("in"), w.topic("out")
		c := w.run(program, input, output)
		if err := c.Start(); err != nil {
			b.Fatal(err)
		}
		defer func() { _ = c.Process.Signal(syscall.SIGTERM); _ = c.Wait() }()
		w.roundTrips(input, output, w.events())
	})
	b.Run("later", func(b *testing.B) {
		w := &bench{b, w.addr, w.cl, w.adm}
		input, output, labels := w.topic("in"), w.topic("out"), w.topic("labels")
		c := w.run(program, input, output, "--labels", labels)
		if err := c.Start(); err != nil {
			b.Fatal(err)
		}
		defer func() { _ = c.Process.Signal(syscall.SIGTERM); _ = c.Wait() }()
		w.roundTrips(input, output, w.eventsBeforeLabels(labels))
	})
	b.Run("kafka-alone", func(b *testing.B) {
		w := &bench{b, w.addr, w.cl, w.adm}
		topic := w.topic("alone")
		w.roundTrips(topic, topic, w.events())
	})
}

// events returns a source of events of 30 features.
func (b *bench) events() (next func() []byte) {
	g := generate.New(1)
	g.Features = 30
	return func() []byte { return g.AppendJSON(nil) }
}

// roundTrips produces to one topic and waits for a record of the other, again and again.
func (b *bench) roundTrips(input, output string, next func() []byte) {
	consumer := b.client(
		kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{output: {0: kgo.NewOffset().AtStart()}}))
	var took []time.Duration
	const warm, rounds = 200, 1000
	for i := range warm + rounds {
		value := next()
		begin := time.Now()
		r := &kgo.Record{Topic: input, Value: value}
		if err := b.cl.ProduceSync(context.Background(), r).FirstErr(); err != nil {
			b.Fatal(err)
		}
		for got := 0; got == 0; {
			got = consumer.PollFetches(context.Background()).NumRecords()
		}
		if i >= warm {
			took = append(took, time.Since(begin))
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "median-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(0, "ns/op")
}
