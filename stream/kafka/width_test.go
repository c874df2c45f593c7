package kafka

import (
	"context"
	"net"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// lag lets those nodes of kfake tell of fewer partitions of a topic than there are.
func (b *bed) lag(topic string, partitions int, lags func(node int32) bool) {
	b.t.Helper()
	_, known, err := b.admin.cluster.Describe(timeout(b.t, 10*time.Second), b.name+"-in", b.name+"-out", b.name+"-dlq")
	if err != nil {
		b.t.Fatal(err)
	}
	b.fake.ControlKey(int16(kmsg.Metadata), func(req kmsg.Request) (kmsg.Response, error, bool) {
		b.fake.KeepControl()
		if !lags(b.fake.CurrentNode()) {
			return nil, nil, false
		}
		res := req.ResponseKind().(*kmsg.MetadataResponse)
		for i, address := range b.brokers {
			host, port, _ := net.SplitHostPort(address)
			n, _ := strconv.Atoi(port)
			res.Brokers = append(res.Brokers, kmsg.MetadataResponseBroker{NodeID: int32(i), Host: host, Port: int32(n)})
		}
		for _, asked := range req.(*kmsg.MetadataRequest).Topics {
			i := slices.IndexFunc(known, func(m cluster.Topic) bool { return m.Name == *asked.Topic })
			t := kmsg.NewMetadataResponseTopic()
			t.Topic, t.TopicID = asked.Topic, known[i].ID
			for p, leader := range known[i].Leaders {
				if t.Topic != nil && *t.Topic == topic && p >= partitions {
					break
				}
				t.Partitions = append(t.Partitions, kmsg.MetadataResponseTopicPartition{
					Partition: int32(p), Leader: leader,
				})
			}
			res.Topics = append(res.Topics, t)
		}
		return res, nil, true
	})
}

// TestFewerPartitions: of three brokers the only one that is given lags. What is known of a topic is not made less by
// its word, at a start and later.
func TestFewerPartitions(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 3, kfake.NumBrokers(3))
	ctx := timeout(t, 30*time.Second)
	top, err := b.admin.Topology(ctx)
	if err != nil {
		t.Fatal(err)
	}
	b.lag(b.name+"-in", 2, func(node int32) bool { return node == 0 })
	x := &tap{}
	c := b.client(func(o *Options) { o.Brokers, o.Dial = b.brokers[:1], x.dial })
	c.Known(topics.Input, top.Input.ID, 3)
	for range 20 {
		if top, err = c.Topology(ctx); err != nil || len(top.Input.Partitions) != 3 {
			t.Fatalf("%d partitions, %v", len(top.Input.Partitions), err)
		}
		x.closeAll() // any broker may be asked next
	}
}

// TestFewerPartitionsForGood: where no broker knows of more for some time, the topic has fewer.
func TestFewerPartitionsForGood(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 3, kfake.NumBrokers(3))
	c := b.client(func(o *Options) { o.FewerFor = time.Second })
	b.lag(b.name+"-in", 2, func(int32) bool { return true })
	c.Known(topics.Input, "", 3)
	began := time.Now()
	top, err := c.Topology(timeout(t, 30*time.Second))
	if err != nil || len(top.Input.Partitions) != 2 {
		t.Fatal(top, err)
	}
	if took := time.Since(began); took < time.Second {
		t.Errorf("given up after %v", took)
	}
}

// TestFewerPartitionsInTurn: until then the brokers are asked in turn.
func TestFewerPartitionsInTurn(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 3, kfake.NumBrokers(3))
	c := b.client(func(o *Options) { o.FewerFor = time.Hour })
	asked := make(chan int32, 1000)
	b.lag(b.name+"-in", 2, func(node int32) bool { asked <- node; return true })
	c.Known(topics.Input, "", 3)
	ctx, cancel := context.WithCancel(timeout(t, time.Minute))
	done := make(chan error, 1)
	go func() { _, err := c.Topology(ctx); done <- err }()
	for before, i := <-asked, 0; i < 4; i++ {
		now := <-asked
		if now == before {
			t.Errorf("node %d was asked twice in a row", now)
		}
		before = now
	}
	cancel()
	if err := <-done; err == nil {
		t.Error("the topic has fewer partitions")
	}
}

// TestNarrowOutput: before the stop, other brokers are asked.
func TestNarrowOutput(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 2, kfake.NumBrokers(2))
	all := false
	b.lag(b.name+"-out", 1, func(node int32) bool { return all || node == 0 })
	ctx := timeout(t, 30*time.Second)
	if _, err := b.client(func(o *Options) { o.Brokers = b.brokers[:1] }).Ensure(ctx, false); err != nil {
		t.Error(err)
	}
	all = true
	if _, err := b.client(nil).Ensure(ctx, false); !stops.Is(err, stops.OutputTooNarrow) {
		t.Error(err)
	}
}

// TestLookBehindTheFence: the broker that told which partitions a fence has to cover lags. Another one is asked behind
// it, so that a look knows what the fence lacks.
func TestLookBehindTheFence(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 2, kfake.NumBrokers(3))
	ctx := timeout(t, 30*time.Second)
	c := b.client(func(o *Options) { o.FewerFor = time.Minute })
	var wider atomic.Bool
	var others atomic.Int32
	lags := int32(-1)
	b.lag(b.name+"-out", 1, func(node int32) bool {
		if !wider.Load() {
			return true
		}
		if lags < 0 {
			lags = node // the first that is asked
		}
		if node != lags {
			others.Add(1)
		}
		return node == lags
	})
	if _, err := c.cluster.Metadata(ctx); err != nil {
		t.Fatal(err)
	}
	wider.Store(true)
	f := takeover(t, c.Journal(), topics.NoProducer)
	if len(f.Output) != 1 {
		t.Skipf("the fence has %d partitions: its broker does not lag", len(f.Output))
	}
	if others.Load() == 0 {
		t.Error("no other broker was asked")
	}
	for range 5 {
		top, err := c.Topology(ctx)
		if err != nil || len(top.Output.Partitions) != 2 {
			t.Fatal(top, err)
		}
	}
}

// TestAnyBroker: where the given brokers are away, those that the last metadata named are asked.
func TestAnyBroker(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	given := b.brokers[0]
	var away atomic.Bool
	x := &tap{}
	c := b.client(func(o *Options) {
		o.Brokers = []string{"given.invalid:9092"}
		o.Dial = x.dialAs(func(address string) (string, bool) {
			if address == "given.invalid:9092" {
				return given, !away.Load()
			}
			return address, true
		})
	})
	ctx := timeout(t, 30*time.Second)
	if _, err := c.Topology(ctx); err != nil {
		t.Fatal(err)
	}
	away.Store(true)
	x.closeAll()
	if _, err := c.Topology(ctx); err != nil {
		t.Fatal(err)
	}
	err := c.cluster.Retry(ctx, "coordinator", 20*time.Second, func(ctx context.Context) error {
		_, err := cluster.Coordinator(cluster.OfGroup, "g")(ctx, c.cluster)
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
