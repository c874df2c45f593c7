package speed

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"rosenblatt/cmd/internal/generate"
	"rosenblatt/cmd/internal/proxytest"
)

// contenders are the programs that BenchmarkWide compares.
func contenders(b *testing.B) []contender {
	program := daemon(b)
	all := []contender{
		{"rosenblatt", 1, func(b *bench, input, output string) *exec.Cmd { return b.run(program, input, output) }},
		{"pass-through", 0, func(b *bench, input, output string) *exec.Cmd {
			return become(b.B, "pass-through", "BROKERS="+b.addr, "INPUT="+input, "OUTPUT="+output)
		}},
	}
	for line := range strings.Lines(os.Getenv("ROSENBLATT_SPEED_PEERS")) {
		all = append(all, peer(strings.TrimSpace(line)))
	}
	return all
}

// peer is one more program: NAME=COMMAND, which gets all it needs from the environment, and reads from the start.
func peer(line string) contender {
	name, command, _ := strings.Cut(line, "=")
	return contender{name, 0, func(b *bench, input, output string) *exec.Cmd {
		c := exec.Command("sh", "-c", "exec "+command)
		c.Env = append(os.Environ(), "BROKERS="+b.addr, "INPUT="+input, "OUTPUT="+output, "GROUP="+output,
			"STATE_DIR="+b.TempDir())
		return c
	}}
}

type contender struct {
	name    string
	markers int64 // that it writes to each partition
	command func(b *bench, input, output string) *exec.Cmd
}

// BenchmarkWide: topics of many partitions, and some milliseconds between the programs and their brokers in each
// direction. How many events a second are predicted of a backlog, and how long one of a steady load takes from its
// producer to a reader of the output, both of which are close to the brokers. At the end it prints a table.
//
// A broker is slow with the first requests for so many partitions: each program runs three times unmeasured, and which
// one is first changes. Backlogs come after all steady loads: a broker is slow for a while after one.
//
// ROSENBLATT_SPEED_ROUNDS runs each, default 1, of some ten seconds, in turn; the table has medians. To select:
// -bench 'Wide/^256$/live/^2ms$/rosenblatt'.
func BenchmarkWide(b *testing.B) {
	rounds := rounds(b)
	w, programs := open(b), contenders(b)
	var rows table
	for _, partitions := range []int{1, 16, 64, 256, 1000} {
		b.Run(fmt.Sprint(partitions), func(b *testing.B) {
			m := &measurement{bench: w.in(b), programs: programs, partitions: partitions, rounds: rounds}
			b.Run("live", func(b *testing.B) { m.delays(b, (*bench).live) })
			b.Run("backlog", func(b *testing.B) {
				w := w.in(b)
				m.backlog = w.input("backlog", partitions)
				w.pile(m.backlog, partitions)
				m.delays(b, (*bench).catchUp)
			})
			rows = append(rows, m.rows...)
		})
	}
	names := make([]string, len(programs))
	for i, c := range programs {
		names[i] = c.name
	}
	fmt.Printf("\n%s, %s:\n%s", w.kind(), strings.Join(names, ", "), rows.text(programs))
}

// measurement is that of topics of so many partitions.
type measurement struct {
	*bench
	programs   []contender
	partitions int
	rounds     int
	backlog    string // topic
	warm       int    // unmeasured runs so far
	rows       table
}

// delays measures all programs with each delay.
func (m *measurement) delays(b *testing.B, measure func(*bench, *figures, *run)) {
	for i, delay := range []time.Duration{0, 2 * time.Millisecond, 10 * time.Millisecond} {
		b.Run(delay.String(), func(b *testing.B) {
			far := m.in(b)
			far.addr = far.behind(delay)
			for ; m.warm < warmUps*len(m.programs); m.warm++ {
				c := m.programs[m.warm%len(m.programs)]
				b.Run("warm-up", func(b *testing.B) { m.in(b).live(&figures{}, &run{c, m, m.addr}) })
			}
			for round := range m.rounds {
				for _, c := range inOrder(m.programs, i+round) {
					time.Sleep(time.Duration(m.partitions) * deletion)
					b.Run(c.name, func(b *testing.B) {
						measure(m.in(b), m.rows.of(m.partitions, delay).round(c.name, round), &run{c, m, far.addr})
					})
				}
			}
		})
	}
}

// run is that of a program with the brokers' addresses.
type run struct {
	contender
	*measurement
	addr string
}

func (r *run) begin(b *bench, input, output string) *process {
	return begin(b.B, r.command(&bench{b.B, r.addr, b.cl, b.adm}, input, output))
}

// inOrder are the programs, in the opposite order every other time.
func inOrder(programs []contender, time int) []contender {
	if programs = slices.Clone(programs); time%2 == 1 {
		slices.Reverse(programs)
	}
	return programs
}

func rounds(b *testing.B) int {
	text := cmp.Or(os.Getenv("ROSENBLATT_SPEED_ROUNDS"), "1")
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		b.Fatalf("ROSENBLATT_SPEED_ROUNDS=%s is not a number from 1 on", text)
	}
	return n
}

const warmUps = 3

// in is the same cluster in a sub-benchmark.
func (b *bench) in(sub *testing.B) *bench { return &bench{sub, b.addr, b.cl, b.adm} }

// behind returns the addresses at which the brokers are some time away.
func (b *bench) behind(delay time.Duration) string {
	if delay == 0 {
		return b.addr
	}
	p := proxytest.Start(b, strings.Split(b.addr, ",")...)
	p.Delay(delay)
	return strings.Join(p.Brokers(), ",")
}

// deletion is how long brokers are given, for each partition, to delete the topics of the program before, which they do
// in the background.
const deletion = 5 * time.Millisecond

const (
	backlogEvents = 1_000_000
	backlogTime   = 5 * time.Second // of measuring, at most
)

// values are events of some 480 bytes with 30 features, whose ids are e0, e1, e2 ...
var values = sync.OnceValue(func() (all [][]byte) {
	g := generate.New(1)
	g.Features = 30
	for range 50_000 {
		all = append(all, g.AppendJSON(nil))
	}
	return all
})

// pile fills a topic with the backlog, partition after partition in turn.
func (b *bench) pile(topic string, partitions int) {
	b.produce(b.client(kgo.ProducerBatchMaxBytes(500_000), kgo.ProducerLinger(20*time.Millisecond)), topic, partitions)
}

func (b *bench) produce(cl *kgo.Client, topic string, partitions int) {
	all := values()
	for i := range backlogEvents {
		cl.Produce(context.Background(), &kgo.Record{Topic: topic, Partition: int32(i / 100 % partitions),
			Value: all[i%len(all)]}, nil)
	}
	if err := cl.Flush(context.Background()); err != nil {
		b.Fatal(err)
	}
}

// catchUp measures a program that has everything ahead of it, from its first readable records on.
func (b *bench) catchUp(f *figures, r *run) {
	out := b.wide("predictions", r.partitions)
	p := r.begin(b, r.backlog, out)
	every := max(10*time.Millisecond, time.Duration(r.partitions)*50*time.Microsecond) // looking costs the broker, too
	var first, done int64
	var began time.Time
	for ; done < backlogEvents && (first == 0 || time.Since(began) < backlogTime); time.Sleep(every) {
		p.alive(b.B)
		if done = b.records(out) - r.markers*int64(r.partitions); done > 0 && first == 0 {
			first, began = done, time.Now()
		}
	}
	f.rate = float64(done-first) / time.Since(began).Seconds()
	f.peak = max(f.peak, p.peak(b.B))
	p.stop()
	b.ReportMetric(f.rate, "events/s")
	b.ReportMetric(f.peak, "peak-MB")
	b.ReportMetric(0, "ns/op")
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// kind is what the brokers are.
func (b *bench) kind() string {
	if os.Getenv("ROSENBLATT_TEST_BROKERS") == "" {
		return "kfake"
	}
	return fmt.Sprintf("%d node(s)", strings.Count(b.addr, ",")+1)
}
