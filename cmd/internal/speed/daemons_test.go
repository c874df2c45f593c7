package speed

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"rosenblatt/cmd/internal/tasklist"
)

// models is how many BenchmarkDaemons has.
const models = 16

// BenchmarkDaemons: a model for each partition, spread over daemons that have --standby, without followers and with one
// of each model; 0 is one daemon without --standby. The events of a backlog become readable at once when each model is
// in its place. CPU seconds are those of all daemons, from then on.
func BenchmarkDaemons(b *testing.B) {
	w, program := open(b), daemon(b)
	for _, c := range []struct{ daemons, standbys int }{{0, 0}, {1, 0}, {2, 0}, {4, 0}, {2, 1}, {4, 1}} {
		b.Run(fmt.Sprintf("%d/standbys-%d", c.daemons, c.standbys), func(b *testing.B) {
			sums := map[string]float64{}
			for range b.N {
				for unit, value := range w.in(b).shared(program, c.daemons, c.standbys) {
					sums[unit] += value
				}
			}
			for unit, sum := range sums {
				b.ReportMetric(sum/float64(b.N), unit)
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// shared measures so many daemons. The commit of the backlog begins the measurement.
func (b *bench) shared(program string, daemons, standbys int) map[string]float64 {
	input, output := b.input("shared", models), b.wide("predictions", models)
	all := b.members(program, input, output, daemons, standbys)
	if daemons > 0 {
		b.awaitSpread(program, input, output, models, daemons, standbys)
	}
	for b.records(output) < models { // the markers of the first takeovers
		time.Sleep(100 * time.Millisecond)
	}
	commit := b.hidden(input)
	spent := func() (sum time.Duration) {
		for _, p := range all {
			p.alive(b.B)
			sum += p.spent(b.B)
		}
		return sum
	}
	first, before, began := b.records(output), spent(), time.Now()
	commit()
	for b.records(output)-first < backlogEvents {
		time.Sleep(10 * time.Millisecond)
	}
	rate := backlogEvents / time.Since(began).Seconds()
	time.Sleep(2 * time.Second) // followers are behind, and the last checkpoints are saved
	cpu := spent() - before
	for _, p := range all {
		p.stop()
	}
	return map[string]float64{"events/s": rate, "CPU-s/Mevents": cpu.Seconds() / backlogEvents * 1e6,
		"in-B/event": b.size(input) / backlogEvents, "out-B/event": b.size(output) / backlogEvents,
		"checkpoints-MB": b.size(input+".checkpoints") / 1e6}
}

// size is what a topic has on the brokers' disks, in bytes.
func (b *bench) size(topic string) (bytes float64) {
	dirs, err := b.adm.DescribeAllLogDirs(context.Background(), nil)
	if err != nil {
		b.Fatal(err)
	}
	dirs.Each(func(d kadm.DescribedLogDir) {
		for _, p := range d.Topics[topic] {
			bytes += float64(p.Size)
		}
	})
	return bytes
}

// members starts so many daemons, d0, d1 ..., that share a model for each partition; 0 is one without --standby.
func (b *bench) members(program, input, output string, daemons, standbys int) (all []*process) {
	b.Cleanup(func() { _, _ = b.adm.DeleteTopics(context.Background(), input+".checkpoints") })
	for i := range max(1, daemons) {
		flags := []string{"--model-per", "partition", "--checkpoint-topic", input + ".checkpoints"}
		if daemons > 0 {
			flags = append(flags, "--standby", "--instance", fmt.Sprint("d", i), "--standbys", fmt.Sprint(standbys))
		}
		all = append(all, begin(b.B, b.run(program, input, output, flags...)))
	}
	return all
}

// awaitSpread waits until the daemons have as many models as one another, and each model has as many followers as it
// should. It returns the number of a daemon that has models.
func (b *bench) awaitSpread(program, input, output string, models, daemons, standbys int) (one int) {
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(200 * time.Millisecond) {
		out, err := exec.Command(program, "tasks", "--json", "--brokers", b.addr, "--input", input, "--output", output,
			"--dead-letter", input+".dlq", "--model", output, "--model-per", "partition").Output()
		var l tasklist.List
		if err == nil {
			err = json.Unmarshal(out, &l)
		}
		active := map[string]int{}
		followers := 0
		for _, t := range l.Tasks {
			active[t.Active]++
			followers += len(t.Followers)
		}
		good := err == nil && len(active) == min(models, daemons) && active[""] == 0 && followers == standbys*models
		for name, n := range active {
			good = good && n == max(1, models/daemons)
			_, _ = fmt.Sscanf(name, "d%d", &one)
		}
		if good {
			return one
		}
		if time.Now().After(deadline) {
			b.Fatalf("not spread: %v, %s", err, out)
		}
	}
}

// hidden fills a topic with the backlog in a transaction, and returns what commits that.
func (b *bench) hidden(topic string) (commit func()) {
	ctx := context.Background()
	cl := b.client(kgo.TransactionalID(topic), kgo.TransactionTimeout(10*time.Minute),
		kgo.ProducerBatchMaxBytes(500_000), kgo.ProducerLinger(20*time.Millisecond))
	if err := cl.BeginTransaction(); err != nil {
		b.Fatal(err)
	}
	b.produce(cl, topic, models)
	return func() {
		if err := cl.EndTransaction(ctx, kgo.TryCommit); err != nil {
			b.Fatal(err)
		}
	}
}
