package streamtest

import (
	"context"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// OpenTransaction appends values to a partition in a transaction, which stays open until end is called. When end
// returns, the partition's last stable offset is its end: brokers write a transaction's markers after they have
// answered EndTxn.
func (c *Cluster) OpenTransaction(
	t testing.TB, topic string, partition int32, values ...string,
) (end func(commit bool)) {
	t.Helper()
	cl, err := kgo.NewClient(kgo.SeedBrokers(c.Brokers...), kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.TransactionalID(Name(t)), kgo.TransactionTimeout(10*time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cl.Close)
	ctx := Timeout(t, 30*time.Second)
	if err := cl.BeginTransaction(); err != nil {
		t.Fatal(err)
	}
	for _, v := range values {
		record := &kgo.Record{Topic: topic, Partition: partition, Value: []byte(v)}
		if err := cl.ProduceSync(ctx, record).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
	return func(commit bool) {
		t.Helper()
		if err := cl.EndTransaction(context.Background(), kgo.TransactionEndTry(commit)); err != nil {
			t.Fatal(err)
		}
		ctx, admin := Timeout(t, 2*time.Minute), kadm.NewClient(cl)
		Await(t, "the transaction's marker is written", func() bool { return stable(ctx, t, admin, topic, partition) })
	}
}

// stable reports whether the partition's last stable offset is its end.
func stable(ctx context.Context, t testing.TB, admin *kadm.Client, topic string, partition int32) bool {
	t.Helper()
	committed, err := admin.ListCommittedOffsets(ctx, topic)
	if err != nil {
		t.Fatal(err)
	}
	end, err := admin.ListEndOffsets(ctx, topic)
	if err != nil {
		t.Fatal(err)
	}
	last, _ := committed.Lookup(topic, partition)
	high, _ := end.Lookup(topic, partition)
	return last.Err == nil && high.Err == nil && last.Offset == high.Offset
}
