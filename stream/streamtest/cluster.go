// Package streamtest has what the end-to-end tests are built on: a broker, topics, and an audit that recomputes every
// published prediction. Only tests import it.
package streamtest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol"
	"github.com/twmb/franz-go/pkg/kfake"
)

// EnvBrokers names the environment variable that sends the tests to a real cluster.
const EnvBrokers = "ROSENBLATT_TEST_BROKERS"

// Real reports whether the tests run against a real cluster.
func Real() bool { return os.Getenv(EnvBrokers) != "" }

// Cluster is a running broker: a real one, or kfake in this process.
type Cluster struct {
	Brokers []string
	Fake    *kfake.Cluster // nil for a real one
	client  *kafka.Client
}

var serial atomic.Int64

// Start returns the cluster of ROSENBLATT_TEST_BROKERS, or a fresh kfake that ends with the test.
func Start(t testing.TB, opts ...kfake.Opt) *Cluster {
	t.Helper()
	if Real() {
		return Connect(t, strings.Split(os.Getenv(EnvBrokers), ",")...)
	}
	fake, err := kfake.NewCluster(append([]kfake.Opt{kfake.NumBrokers(1)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(fake.Close)
	c := Connect(t, fake.ListenAddrs()...)
	c.Fake = fake
	return c
}

// Connect returns the real cluster at these addresses.
func Connect(t testing.TB, brokers ...string) *Cluster {
	tr := &kafka.Transport{MetadataTTL: 100 * time.Millisecond}
	t.Cleanup(tr.CloseIdleConnections)
	return &Cluster{Brokers: brokers,
		client: &kafka.Client{Addr: kafka.TCP(brokers...), Timeout: 10 * time.Minute, Transport: tr}}
}

// Name makes a topic name that no other test has.
func Name(t testing.TB) string {
	clean := strings.NewReplacer("/", "-", " ", "-", "#", "-", "=", "-").Replace(t.Name())
	return fmt.Sprintf("%s-%d-%d", clean, time.Now().UnixNano()%1e9, serial.Add(1))
}

// Topic creates a topic; config is name, value, name, value ...
func (c *Cluster) Topic(t testing.TB, name string, partitions int, config ...string) {
	t.Helper()
	var entries []kafka.ConfigEntry
	for i := 0; i+1 < len(config); i += 2 {
		entries = append(entries, kafka.ConfigEntry{ConfigName: config[i], ConfigValue: config[i+1]})
	}
	ctx := Timeout(t, 2*time.Minute)
	for {
		res, err := c.client.CreateTopics(ctx, &kafka.CreateTopicsRequest{Topics: []kafka.TopicConfig{{Topic: name,
			NumPartitions: partitions, ReplicationFactor: -1, ConfigEntries: entries}}})
		if err == nil {
			err = res.Errors[name]
		}
		// Right after the start of a cluster there may be no controller for a moment.
		switch {
		case err == nil, errors.Is(err, kafka.TopicAlreadyExists):
			c.await(ctx, t, name, partitions)
			return
		case !errors.Is(err, kafka.BrokerNotAvailable) && !errors.Is(err, kafka.InvalidReplicationFactor) ||
			ctx.Err() != nil:
			t.Fatalf("create topic %s: %v", name, err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// await returns when every partition has a leader that responds.
func (c *Cluster) await(ctx context.Context, t testing.TB, name string, partitions int) {
	t.Helper()
	requests := make([]kafka.OffsetRequest, partitions)
	for p := range requests {
		requests[p] = kafka.LastOffsetOf(p)
	}
	failed := func(p kafka.PartitionOffsets) bool { return p.Error != nil }
	for {
		res, err := c.client.ListOffsets(ctx,
			&kafka.ListOffsetsRequest{Topics: map[string][]kafka.OffsetRequest{name: requests}})
		if err == nil && len(res.Topics[name]) == partitions && !slices.ContainsFunc(res.Topics[name], failed) {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("topic %s has no leaders: %v", name, err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Produce appends values to a partition, with keys k0, k1 ...
func (c *Cluster) Produce(t testing.TB, topic string, partition int, values ...string) {
	t.Helper()
	for from := 0; from < len(values); from += 2000 {
		var records []kafka.Record
		for i, v := range values[from:min(from+2000, len(values))] {
			records = append(records, kafka.Record{Key: kafka.NewBytes(fmt.Appendf(nil, "k%d", from+i)),
				Value: kafka.NewBytes([]byte(v))})
		}
		c.ProduceRecords(t, topic, partition, records...)
	}
}

// ProduceRecords appends records to a partition in one batch.
func (c *Cluster) ProduceRecords(t testing.TB, topic string, partition int, records ...kafka.Record) {
	t.Helper()
	ctx := Timeout(t, 2*time.Minute)
	for {
		res, err := c.client.Produce(ctx, &kafka.ProduceRequest{Topic: topic, Partition: partition,
			RequiredAcks: kafka.RequireAll, Records: kafka.NewRecordReader(records...)})
		if err == nil {
			err = res.Error
		}
		if err == nil {
			return
		}
		// the client does not know a new partition yet, or who leads it now: nothing was appended
		if !strings.Contains(err.Error(), "not found") && !errors.Is(err, kafka.NotLeaderForPartition) {
			t.Fatalf("produce to %s/%d: %v", topic, partition, err)
		}
		select {
		case <-ctx.Done():
			t.Fatalf("produce to %s/%d: %v", topic, partition, err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// ProduceBatch appends the bytes of a record batch.
func (c *Cluster) ProduceBatch(t testing.TB, topic string, partition int, batch []byte) {
	t.Helper()
	set := protocol.RawRecordSet{Reader: bytes.NewReader(append(binary.BigEndian.AppendUint32(nil, uint32(len(batch))),
		batch...))}
	res, err := c.client.RawProduce(context.Background(), &kafka.RawProduceRequest{Topic: topic, Partition: partition,
		RequiredAcks: kafka.RequireAll, RawRecords: set})
	if err == nil {
		err = res.Error
	}
	if err != nil {
		t.Fatalf("produce a batch to %s/%d: %v", topic, partition, err)
	}
}
