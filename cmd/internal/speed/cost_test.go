package speed

import (
	"cmp"
	"context"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"rosenblatt/cmd/internal/generate"
)

// load is an input and what the daemon is told: the usual load with one thing changed.
type load struct {
	name       string
	features   int
	partitions int
	classes    int // 0 for two labels
	codec      kgo.CompressionCodec
	flags      []string
}

// millions is how many features a load holds in all: loads of wider events are of fewer.
const millions = 9_000_000

func (l *load) events() int { return min(max(millions/l.features, 10_000), 400_000) }

// loads lists the loads of BenchmarkCost.
func loads() []load {
	base := load{features: 30, partitions: 1, codec: kgo.NoCompression()}
	var all []load
	add := func(name string, change func(*load)) {
		l := base
		l.name = name
		change(&l)
		all = append(all, l)
	}
	for _, n := range []int{1, 10, 30, 100, 1000} {
		add(fmt.Sprintf("features/%d", n), func(l *load) { l.features = n })
	}
	for _, n := range []int{1, 4, 16} {
		add(fmt.Sprintf("partitions/%d", n), func(l *load) { l.partitions = n })
	}
	for _, n := range []int{16, 18, 20, 22, 24} {
		add(fmt.Sprintf("bits/%d", n), func(l *load) {
			l.flags = []string{"--bits", fmt.Sprint(n), "--scale",
				"standard"}
		})
	}
	for name, codec := range map[string]kgo.CompressionCodec{"lz4": kgo.Lz4Compression(),
		"zstd": kgo.ZstdCompression()} {
		add("codec/"+name, func(l *load) { l.codec = codec })
	}
	for _, learner := range []string{"perceptron", "averaged", "pa", "pa1", "pa2", "arow", "logistic",
		"dual:budget=100", "dual:kernel=rbf,gamma=0.1,budget=100"} {
		add("learner/"+learner, func(l *load) { l.flags = []string{"--learner", learner} })
	}
	for _, flags := range [][]string{nil, {"--no-profile"}, {"--drift", "none"}, {"--no-profile", "--drift", "none"},
		{"--decide", "cost=fp:1,fn:20"}} { // what is done beside learning
		add("beside/"+cmp.Or(strings.Join(flags, " "), "defaults"), func(l *load) { l.flags = flags })
	}
	for _, scale := range []string{"none", "standard"} {
		for _, n := range []int{0, 1, 2, 3, 8} {
			add(fmt.Sprintf("challengers/%s-%d", scale, n), func(l *load) {
				l.flags = []string{"--scale", scale}
				for range n {
					l.flags = append(l.flags, "--challenger", "pa1:C=0.1")
				}
			})
		}
	}
	for _, scheme := range []string{"direct", "ova", "ovo"} {
		for _, n := range []int{3, 10, 100} {
			if scheme == "ovo" && n == 100 {
				continue // 4,950 separators: two gigabytes at these bits
			}
			add(fmt.Sprintf("classes/%s-%d", scheme, n), func(l *load) {
				l.classes = n
				l.flags = []string{"--task", "multiclass", "--multiclass", scheme, "--bits", "14"}
			})
		}
	}
	return all
}

// BenchmarkCost shows how the daemon's cost grows with each thing that its users choose. The base is 30 features, one
// partition, no compression, a perceptron with 2^18 slots and no scaling.
func BenchmarkCost(b *testing.B) {
	w := open(b)
	program := daemon(b)
	for _, l := range loads() {
		b.Run(l.name, func(b *testing.B) {
			w := &bench{b, w.addr, w.cl, w.adm}
			input := w.input("events", l.partitions)
			w.spread(input, &l)
			w.drain(&l, func(output string) *exec.Cmd {
				return w.run(program, input, output, append([]string{"--until-end"}, l.flags...)...)
			})
		})
	}
}

// input creates a topic of events, and that of its dead letters.
func (b *bench) input(what string, partitions int) string {
	name := b.wide(what, partitions)
	b.createWide(name+".dlq", partitions)
	return name
}

// wide creates a topic of a name of its own.
func (b *bench) wide(what string, partitions int) string {
	serial++
	name := fmt.Sprintf("%s-%d-%d", what, time.Now().UnixNano()%1e9, serial)
	b.createWide(name, partitions)
	return name
}

// createWide creates a topic of several partitions, and waits until all of its partitions have leaders.
func (b *bench) createWide(name string, partitions int) {
	if _, err := b.adm.CreateTopic(context.Background(), int32(partitions), -1, nil, name); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _, _ = b.adm.DeleteTopics(context.Background(), name) })
	for led := 0; led < partitions; time.Sleep(10 * time.Millisecond) {
		ends, err := b.adm.ListEndOffsets(context.Background(), name)
		if led = 0; err == nil && ends.Error() == nil {
			led = len(ends[name])
		}
	}
}

// spread fills a topic with the load's events, partition after partition in turn.
func (b *bench) spread(topic string, l *load) {
	cl := b.client(kgo.ProducerBatchCompression(l.codec),
		kgo.ProducerBatchMaxBytes(500_000), kgo.ProducerLinger(20*time.Millisecond))
	g := generate.New(1)
	g.Features = l.features
	for i := range l.events() {
		var value []byte
		if l.classes == 0 {
			value = g.AppendJSON(nil)
		} else {
			value = classEvent(g, l.classes)
		}
		cl.Produce(context.Background(), &kgo.Record{Topic: topic, Partition: int32(i / 1000 % l.partitions),
			Value: value}, nil)
	}
	if err := cl.Flush(context.Background()); err != nil {
		b.Fatal(err)
	}
}

// classEvent is the next event with a class for a label: the part of its range in which the first feature lies.
func classEvent(g *generate.Hyperplane, classes int) []byte {
	e := g.Next()
	value := fmt.Appendf(nil, `{"id":"e%d","label":"c%d","features":{`, e.Number,
		min(int((e.Features[0]+1)/2*float64(classes)), classes-1))
	for i, v := range e.Features {
		if i > 0 {
			value = append(value, ',')
		}
		value = fmt.Appendf(value, `"f%d":%v`, i, v)
	}
	return append(value, "}}"...)
}

// drain runs a command until all events are predicted. The time runs from the first predictions that are readable, and
// only those after them count: the start is not the subject. CPU seconds are those of the whole process.
func (b *bench) drain(l *load, command func(output string) *exec.Cmd) {
	var spent, cpu time.Duration
	var counted, memory int64
	n := int64(l.events())
	for range b.N {
		out := b.wide("predictions", l.partitions)
		c := command(out)
		c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		if err := c.Start(); err != nil {
			b.Fatal(err)
		}
		var first int64
		var begin time.Time
		for done := int64(0); done < n; time.Sleep(time.Millisecond) {
			if done = b.records(out) - int64(l.partitions); done > 0 && first == 0 {
				first, begin = done, time.Now()
			}
		}
		spent += time.Since(begin)
		counted += n - first
		if err := c.Wait(); err != nil {
			b.Fatal(err)
		}
		cpu += c.ProcessState.UserTime() + c.ProcessState.SystemTime()
		memory = max(memory, c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss<<10)
	}
	b.ReportMetric(float64(counted)/spent.Seconds(), "events/s")
	b.ReportMetric(cpu.Seconds()/float64(n*int64(b.N))*1e6, "CPU-s/Mevents")
	b.ReportMetric(float64(memory)/1e6, "peak-MB")
	b.ReportMetric(0, "ns/op")
}

// records counts what is readable, markers too.
func (b *bench) records(topic string) (n int64) {
	ends, err := b.adm.ListEndOffsets(context.Background(), topic)
	if err != nil {
		return 0 // not made yet
	}
	ends.Each(func(o kadm.ListedOffset) { n += max(0, o.Offset) })
	return n
}
