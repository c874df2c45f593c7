package main

import (
	"context"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"rosenblatt/cmd/internal/generate"
	"rosenblatt/stream/board"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// sessionTimeout is that of the members: the least that brokers allow by default.
const sessionTimeout = 6 * time.Second

// pair is two daemons that share a task, one of which predicts.
type pair struct {
	setup   *streamtest.Setup
	dirs    [2]string
	flags   []string
	members [2]*process
}

func (x *pair) start(t *testing.T, i int) {
	x.members[i] = start(t, x.setup, x.dirs[i], append(slices.Clone(x.flags), "--standby",
		"--instance", []string{"a", "b"}[i], "--session-timeout", sessionTimeout.String(), "--log-format", "json",
		"--checkpoint-topic", x.setup.Name+".checkpoints", "--create-topics")...)
}

// await waits until a member is in a state, and is ready.
func (x *pair) await(t *testing.T, i int, state string) {
	t.Helper()
	x.members[i].await(t, state, func(s daemonStatus) bool { return s.State == state && s.Ready })
}

// feed appends an event to each partition every ten milliseconds, until it is stopped, without waiting for the brokers.
// Stopping waits for all, and returns how many.
func feed(t *testing.T, s *streamtest.Setup, partitions int) (stop func() int) {
	return feedMany(t, s, partitions, 1)
}

// feedMany appends so many events each time.
func feedMany(t *testing.T, s *streamtest.Setup, partitions, each int) (stop func() int) {
	g := generate.New(5)
	return feedTicks(t, s, func(_ int, send sender) int {
		for i := range partitions * each {
			send(s.Name, i%partitions, g.AppendJSON(nil))
		}
		return partitions * each
	})
}

// sender appends a record to a partition of a topic, without waiting for the brokers.
type sender func(topic string, partition int, value []byte)

// feedTicks appends what step sends every ten milliseconds, until it is stopped. step takes the number of the tick, and
// returns how many events it sent. Stopping waits for all, and returns how many there are.
func feedTicks(t *testing.T, s *streamtest.Setup, step func(tick int, send sender) int) (stop func() int) {
	c, err := kgo.NewClient(kgo.SeedBrokers(s.Cluster.Brokers...), kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.ProducerLinger(0))
	if err != nil {
		t.Fatal(err)
	}
	send := func(topic string, partition int, value []byte) {
		r := &kgo.Record{Topic: topic, Partition: int32(partition), Value: value}
		c.Produce(context.Background(), r, func(_ *kgo.Record, err error) {
			if err != nil {
				t.Errorf("produce: %v", err)
			}
		})
	}
	n, end := 0, make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() {
		ticker := time.NewTicker(10 * time.Millisecond)
		defer ticker.Stop()
		for tick := 0; ; tick++ {
			select {
			case <-end:
				return
			case <-ticker.C:
			}
			n += step(tick, send)
		}
	})
	return sync.OnceValue(func() int {
		close(end)
		running.Wait()
		if err := c.Flush(context.Background()); err != nil {
			t.Error(err)
		}
		c.Close()
		return n
	})
}

// longestGap is the longest time between two records of a topic, by their timestamps, from a time on. Between two that
// feed has appended, it is how long this machine has stood still.
func longestGap(t *testing.T, s *streamtest.Setup, topic topics.Topic, since time.Time) (longest time.Duration) {
	t.Helper()
	c := s.Client(t)
	top, err := c.Topology(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var times []int64
	for p, b := range top.Of(topic).Partitions {
		for _, r := range streamtest.Read(t, topics.Log(c), topic, int32(p), b) {
			if r.Timestamp >= since.UnixMilli() {
				times = append(times, r.Timestamp)
			}
		}
	}
	slices.Sort(times)
	for i := range max(0, len(times)-1) {
		longest = max(longest, time.Duration(times[i+1]-times[i])*time.Millisecond)
	}
	return longest
}

// TestStandbyKilled: the daemon that predicts is killed, and the one that follows goes on within the session timeout
// and a second; under load, three. It comes back, follows, and is handed the task over without a noticeable gap.
func TestStandbyKilled(t *testing.T) {
	t.Parallel()
	wholeProgram(t)
	const partitions = 3
	s := streamtest.New(t, streamtest.Start(t), partitions)
	x := &pair{setup: s, dirs: [2]string{s.Dir, t.TempDir()}}
	x.start(t, 0)
	x.await(t, 0, board.Live)
	x.start(t, 1)
	x.await(t, 1, board.Following)
	stop := feed(t, s, partitions)
	defer stop()
	time.Sleep(time.Second) // of predictions, before which and after which gaps are measured

	killed := time.Now()
	_ = x.members[0].Process.Kill()
	x.await(t, 1, board.Live)
	time.Sleep(time.Second)
	since := killed.Add(-500 * time.Millisecond)
	gap, stall := longestGap(t, s, topics.Output, since), longestGap(t, s, topics.Input, since)
	if gap > sessionTimeout+3*time.Second+stall {
		t.Errorf("after the kill, nothing was predicted for %v; the machine stood still for %v", gap, stall)
	} else {
		t.Logf("gap after the kill: %v, with a session timeout of %v", gap, sessionTimeout)
	}

	x.start(t, 0)
	x.await(t, 0, board.Following)
	time.Sleep(time.Second)
	left := time.Now()
	_ = x.members[1].Process.Signal(syscall.SIGTERM)
	if code := x.members[1].exit(t, 20*time.Second); code != 0 {
		t.Errorf("the one that handed over ended with %d:\n%s", code, x.members[1].tail())
	}
	x.await(t, 0, board.Live)
	time.Sleep(time.Second)
	t.Logf("gap of the hand-over: %v", longestGap(t, s, topics.Output, left.Add(-500*time.Millisecond)))
	n := stop()
	x.members[0].await(t, "all", func(d daemonStatus) bool { return d.Seq == int64(n) })
	_ = x.members[0].Process.Signal(syscall.SIGTERM)
	if code := x.members[0].exit(t, 20*time.Second); code != 0 {
		t.Errorf("the last one ended with %d:\n%s", code, x.members[0].tail())
	}
	s.Audit(t)
}
