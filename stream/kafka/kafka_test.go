package kafka

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/internal/awake"
	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/produce"
	"rosenblatt/stream/kafka/verdict"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// A bed is a cluster for one test: kfake in the test's process, or the real Kafka of ROSENBLATT_TEST_BROKERS.
type bed struct {
	t       testing.TB
	fake    *kfake.Cluster // nil on real Kafka
	brokers []string
	name    string // prefix of the topics
	admin   *Client
}

var beds atomic.Int64

// real tells whether the tests run on a real Kafka.
func real() bool { return os.Getenv("ROSENBLATT_TEST_BROKERS") != "" }

// newBed makes three topics: the input with the given number of partitions, two of output and one of dead letters.
func newBed(t testing.TB, partitions int32, opts ...kfake.Opt) *bed {
	t.Helper()
	b := &bed{t: t, name: fmt.Sprintf("k%d-%d", time.Now().UnixNano()%1e9, beds.Add(1))}
	if real() {
		b.brokers = strings.Split(os.Getenv("ROSENBLATT_TEST_BROKERS"), ",")
	} else {
		b.fakeCluster(append([]kfake.Opt{kfake.NumBrokers(1)}, opts...)...)
	}
	b.admin = b.client(nil)
	if partitions > 0 {
		b.create(b.name+"-in", partitions)
		b.create(b.name+"-out", 2)
		b.create(b.name+"-dlq", 1)
	}
	return b
}

// fakeBed is newBed on kfake whatever the environment says, for faults that only kfake can be made to cause.
func fakeBed(t testing.TB, partitions int32, opts ...kfake.Opt) *bed {
	t.Helper()
	needsFake(t)
	return newBed(t, partitions, opts...)
}

func needsFake(t testing.TB) {
	t.Helper()
	if real() {
		t.Skip("this fault is made by kfake; not run with ROSENBLATT_TEST_BROKERS")
	}
}

// realBed is newBed on real Kafka, for what kfake does otherwise.
func realBed(t testing.TB, partitions int32) *bed {
	t.Helper()
	if !real() {
		t.Skip("kfake behaves differently here: set ROSENBLATT_TEST_BROKERS to a real Kafka to run it")
	}
	return newBed(t, partitions)
}

func (b *bed) fakeCluster(opts ...kfake.Opt) {
	c, err := kfake.NewCluster(opts...)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(c.Close)
	b.fake, b.brokers = c, c.ListenAddrs()
}

// client makes a client of the bed's topics; change alters its options.
func (b *bed) client(change func(*Options)) *Client {
	b.t.Helper()
	opt := Options{
		ClusterOptions: ClusterOptions{Brokers: b.brokers, ClientID: "test", Log: zerolog.Nop()},
		Input:          b.name + "-in", Output: b.name + "-out", DeadLetters: b.name + "-dlq",
		TransactionalID: "rosenblatt." + b.name, Group: "group-" + b.name,
		fetchWait: 200 * time.Millisecond,
	}
	if change != nil {
		change(&opt)
	}
	c, err := New(opt)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(c.Close)
	return c
}

// create makes a topic and waits until its partitions have leaders.
func (b *bed) create(name string, partitions int32, configs ...string) {
	b.t.Helper()
	ctx := timeout(b.t, 30*time.Second)
	values := map[string]string{}
	for i := 0; i+1 < len(configs); i += 2 {
		values[configs[i]] = configs[i+1]
	}
	if created, err := b.admin.cluster.CreateTopic(ctx, name, int(partitions), values); err != nil || !created {
		b.t.Fatal(created, err)
	}
	err := b.admin.cluster.Retry(ctx, "created", 20*time.Second, func(ctx context.Context) error {
		_, ms, err := b.admin.cluster.Describe(ctx, name)
		if err == nil && len(ms[0].Leaders) != int(partitions) {
			err = fmt.Errorf("not there yet")
		}
		if err == nil {
			_, err = b.admin.cluster.ListOffsets(ctx, cluster.LogEnd, cluster.Uncommitted, ms[0])
		}
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// remove deletes a topic and waits until it is gone.
func (b *bed) remove(name string) {
	b.t.Helper()
	ctx := timeout(b.t, 30*time.Second)
	req := kmsg.NewPtrDeleteTopicsRequest()
	req.TimeoutMillis, req.TopicNames = 10000, []string{name}
	res, err := cluster.Ask[*kmsg.DeleteTopicsResponse](ctx, b.admin.cluster, cluster.Controller, req)
	if err == nil {
		err = verdict.Coded(res.Topics[0].ErrorCode, "delete %s", name)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// cut deletes the records below an offset.
func (b *bed) cut(topic string, partition int32, before int64) {
	b.t.Helper()
	ctx := timeout(b.t, 30*time.Second)
	req := kmsg.NewPtrDeleteRecordsRequest()
	req.TimeoutMillis = 10000
	rt := kmsg.NewDeleteRecordsRequestTopic()
	rt.Topic = topic
	rp := kmsg.NewDeleteRecordsRequestTopicPartition()
	rp.Partition, rp.Offset = partition, before
	rt.Partitions = append(rt.Partitions, rp)
	req.Topics = append(req.Topics, rt)
	res, err := cluster.Ask[*kmsg.DeleteRecordsResponse](ctx, b.admin.cluster, cluster.Leader(topic, partition), req)
	if err == nil {
		err = verdict.Coded(res.Topics[0].Partitions[0].ErrorCode, "delete records")
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// put writes values to a partition, in one batch without a producer id, and returns the first one's offset.
func (b *bed) put(topic string, partition int32, codec recordbatch.Codec, values ...string) int64 {
	b.t.Helper()
	batch := build(values...)
	data, err := batch.Seal(recordbatch.Unsequenced, recordbatch.Unsequenced, recordbatch.Unsequenced, codec)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.putRaw(topic, partition, data)
}

func (b *bed) putRaw(topic string, partition int32, data []byte) (base int64) {
	b.t.Helper()
	err := b.admin.cluster.Retry(timeout(b.t, 30*time.Second), "put", 0, func(ctx context.Context) (err error) {
		base, err = produceRaw(ctx, b.admin, topic, partition, data, nil)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return base
}

// produceRaw sends a batch once.
func produceRaw(
	ctx context.Context, c *Client, topic string, partition int32, data []byte, transactionalID *string,
) (base int64, err error) {
	req := kmsg.NewPtrProduceRequest()
	req.Acks, req.TimeoutMillis, req.TransactionID = -1, 10000, transactionalID
	req.Topics = []kmsg.ProduceRequestTopic{{Topic: topic,
		Partitions: []kmsg.ProduceRequestTopicPartition{{Partition: partition, Records: data}}}}
	if _, err := c.cluster.Metadata(ctx); err != nil {
		return 0, err
	}
	res, err := cluster.Ask[*kmsg.ProduceResponse](ctx, c.cluster, cluster.Leader(topic, partition), req)
	if err != nil {
		return 0, err
	}
	p := &res.Topics[0].Partitions[0]
	return p.BaseOffset, verdict.Coded(p.ErrorCode, "put")
}

func build(values ...string) *recordbatch.Builder {
	batch := &recordbatch.Builder{Limit: 64 << 20}
	for i, v := range values {
		if !batch.Append(time.Now().UnixMilli(), []byte(fmt.Sprint("k", i)), []byte(v)) {
			panic("the batch is full")
		}
	}
	return batch
}

func numbered(prefix string, n int) []string {
	values := make([]string, n)
	for i := range values {
		values[i] = fmt.Sprint(prefix, i)
	}
	return values
}

// read takes records until the position reaches an offset.
func read(t testing.TB, r topics.Reader, to int64) (values []string, offsets []int64) {
	t.Helper()
	values, offsets, err := readErr(timeout(t, 60*time.Second), r, to)
	if err != nil {
		t.Fatal(err)
	}
	return values, offsets
}

func readErr(ctx context.Context, r topics.Reader, to int64) (values []string, offsets []int64, err error) {
	var c topics.Run
	for {
		if err := r.Read(ctx, &c, 7); err != nil {
			return values, offsets, err
		}
		for _, rec := range c.Records {
			values, offsets = append(values, string(rec.Value)), append(offsets, rec.Offset)
		}
		if c.Next >= to {
			return values, offsets, nil
		}
	}
}

// timeout ends what hangs: a time in which this process does not run does not count.
func timeout(t testing.TB, d time.Duration) context.Context {
	ctx, cancel := awake.Timeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

// deadline is for what does not happen before it.
func deadline(t testing.TB, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// takeover fences, or fails the test.
func takeover(t testing.TB, j *produce.Journal, held topics.Producer) *topics.Fence {
	t.Helper()
	ctx := timeout(t, 60*time.Second)
	f, err := j.Takeover(ctx, held)
	for err != nil && ctx.Err() == nil && (stops.Is(err, stops.FenceFailed) || stops.Is(err, stops.Unreachable)) {
		f, err = j.Takeover(ctx, held) // a client's patience may be too short for a busy machine
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// appendAll writes values as one batch, or fails the test.
func appendAll(t testing.TB, j *produce.Journal, topic topics.Topic, partition int32, values ...string) int64 {
	t.Helper()
	end, err := appendOne(timeout(t, 60*time.Second), j, topic, partition, build(values...))
	if err != nil {
		t.Fatal(err)
	}
	return end
}
