package kafka

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// allEnds calls Ends once and returns what it found, by topic and partition.
func allEnds(t *testing.T, c *Client, highs bool) map[topics.Topic]map[int32]topics.PartitionEnd {
	t.Helper()
	all := map[topics.Topic]map[int32]topics.PartitionEnd{topics.Input: {}, topics.Labels: {}}
	var mu sync.Mutex
	c.Ends(timeout(t, 60*time.Second), highs, func(ends []topics.PartitionEnd) {
		mu.Lock()
		defer mu.Unlock()
		for _, e := range ends {
			if _, twice := all[e.Topic][e.Partition]; twice {
				t.Errorf("%+v twice", e)
			}
			all[e.Topic][e.Partition] = e
		}
	})
	return all
}

// endsOf returns the last stable offsets of input and labels, all of which are known.
func endsOf(t *testing.T, c *Client) (input, labels []int64) {
	t.Helper()
	all := allEnds(t, c, false)
	for topic, of := range map[topics.Topic]*[]int64{topics.Input: &input, topics.Labels: &labels} {
		for p := range int32(len(all[topic])) {
			e, known := all[topic][p]
			if !known || e.Err != nil || e.High != -1 {
				t.Fatal(all)
			}
			*of = append(*of, e.Stable)
		}
	}
	return input, labels
}

// TestEndsTellOpenTransactions: with high watermarks, ends tell that something is stored that cannot be read yet.
func TestEndsTellOpenTransactions(t *testing.T) {
	t.Parallel()
	b := newBed(t, 2)
	c := b.withLabels(nil)
	in, ctx := b.name+"-in", timeout(t, 60*time.Second)
	b.put(in, 0, recordbatch.None, numbered("e", 3)...)
	open := b.txnProducer("open", in)
	open.put(ctx, "held", "held")
	all := allEnds(t, c, true)
	if e := all[topics.Input][0]; e.Stable != 3 || e.High != 5 || e.Err != nil {
		t.Errorf("%+v, want 3 of 5", e)
	}
	if e := all[topics.Input][1]; e.Stable != 0 || e.High != 0 || e.Err != nil {
		t.Errorf("%+v of an empty partition", e)
	}
	open.end(ctx, true)
}

// TestEndsBeside: a leader that does not respond holds up no other one, and is not asked again meanwhile. One that
// closes the connection is told of, and not asked again at once.
func TestEndsBeside(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 3, kfake.NumBrokers(3))
	c := b.withLabels(nil)
	in := b.name + "-in"
	for p := range int32(3) {
		for _, topic := range []string{in, c.opt.Labels} {
			if err := b.fake.MoveTopicPartition(topic, p, p); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := c.Topology(timeout(t, 60*time.Second)); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	asked, cut, release := 0, false, make(chan struct{})
	b.fake.ControlKey(int16(kmsg.ListOffsets), func(kmsg.Request) (kmsg.Response, error, bool) {
		b.fake.KeepControl()
		if b.fake.CurrentNode() != 0 {
			return nil, nil, false
		}
		mu.Lock()
		asked++
		hold := !cut
		mu.Unlock()
		if hold {
			b.fake.SleepControl(func() { <-release })
		}
		return nil, errors.New("cut"), true
	})
	told := make(chan []topics.PartitionEnd, 10)
	var running sync.WaitGroup
	ask := func() {
		running.Go(func() {
			c.Ends(timeout(t, 60*time.Second), false, func(ends []topics.PartitionEnd) { told <- ends })
		})
	}
	for range 2 {
		ask()
		for range 2 {
			for _, e := range <-told {
				if e.Partition == 0 || e.Err != nil {
					t.Errorf("%+v of a leader that does not respond", e)
				}
			}
		}
	}
	close(release)
	ends := <-told
	running.Wait()
	if len(ends) != 2 || ends[0].Err == nil || ends[1].Err == nil || ends[0].Partition != 0 {
		t.Errorf("%+v, want that partition 0 of both topics cannot be asked", ends)
	}
	mu.Lock()
	defer mu.Unlock()
	if asked != 1 {
		t.Errorf("it was asked %d times", asked)
	}
}

// TestEndsWithoutLeader: a partition without a leader is told of, and holds up no other one.
func TestEndsWithoutLeader(t *testing.T) {
	t.Parallel()
	b := newBed(t, 2)
	c := b.withLabels(nil)
	if _, err := c.Topology(timeout(t, 60*time.Second)); err != nil {
		t.Fatal(err)
	}
	m, err := c.cluster.Metadata(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m.Leaders[b.name+"-in"] = []int32{m.Leaders[b.name+"-in"][0], -1}
	all := allEnds(t, c, false)
	if e := all[topics.Input][1]; !errors.As(e.Err, new(cluster.NoLeader)) {
		t.Errorf("%+v, want no leader", e)
	}
	if e := all[topics.Input][0]; e.Err != nil || len(all[topics.Labels]) != 3 {
		t.Errorf("%+v", all)
	}
}

// TestWatchWithoutLeader: a partition that nobody leads does not keep a look from what others tell.
func TestWatchWithoutLeader(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 2)
	c := b.withLabels(nil)
	was, err := c.Topology(timeout(t, 60*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	for p := range int32(2) {
		b.put(b.name+"-in", p, recordbatch.None, "a", "b", "c")
	}
	refused := b.fake.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.ListOffsets}, Topic: b.name + "-in",
		Partitions: []int32{1}, Err: kerr.NotLeaderForPartition, Count: -1})
	now, err := c.Watch(timeout(t, 10*time.Second), was)
	if err != nil {
		t.Fatal(err)
	}
	if in := now.Input.Partitions; in[0].Stable != 3 || in[0].Untold || in[1].Stable != 0 || !in[1].Untold {
		t.Errorf("%+v", in)
	}
	refused.Remove()
	if now, err = c.Watch(timeout(t, 10*time.Second), now); err != nil {
		t.Fatal(err)
	}
	if in := now.Input.Partitions; in[1].Stable != 3 || in[1].Untold {
		t.Errorf("%+v", in)
	}
}
