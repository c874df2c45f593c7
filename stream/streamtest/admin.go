package streamtest

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

func (c *Cluster) admin(t testing.TB) (*kadm.Client, context.Context) {
	t.Helper()
	cl, err := kgo.NewClient(kgo.SeedBrokers(c.Brokers...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cl.Close)
	ctx := Timeout(t, 2*time.Minute)
	return kadm.NewClient(cl), ctx
}

// DeleteRecords moves the start of a partition's log to offset.
func (c *Cluster) DeleteRecords(t testing.TB, topic string, partition int32, offset int64) {
	t.Helper()
	adm, ctx := c.admin(t)
	offsets := kadm.Offsets{}
	offsets.AddOffset(topic, partition, offset, -1)
	res, err := adm.DeleteRecords(ctx, offsets)
	if err == nil {
		err = res.Error()
	}
	if err != nil {
		t.Fatalf("delete records of %s/%d below %d: %v", topic, partition, offset, err)
	}
}

// Delete deletes a topic and waits until it is gone.
func (c *Cluster) Delete(t testing.TB, topic string) {
	t.Helper()
	adm, ctx := c.admin(t)
	if _, err := adm.DeleteTopics(ctx, topic); err != nil {
		t.Fatal(err)
	}
	Await(t, "the topic is gone", func() bool {
		meta, err := adm.Metadata(ctx, topic)
		return err == nil && meta.Topics[topic].Err != nil
	})
}

// Recreate deletes a topic and creates it again, empty and with another id.
func (c *Cluster) Recreate(t testing.TB, topic string, partitions int) {
	t.Helper()
	c.Delete(t, topic)
	c.Topic(t, topic, partitions)
}

// AddPartitions widens a topic to this many partitions.
func (c *Cluster) AddPartitions(t testing.TB, topic string, to int) {
	t.Helper()
	adm, ctx := c.admin(t)
	res, err := adm.UpdatePartitions(ctx, to, topic)
	if err == nil {
		err = res.Error()
	}
	if err != nil {
		t.Fatalf("widen %s to %d: %v", topic, to, err)
	}
	c.await(ctx, t, topic, to)
}

// SetConfig changes one setting of a topic.
func (c *Cluster) SetConfig(t testing.TB, topic, name, value string) {
	t.Helper()
	adm, ctx := c.admin(t)
	_, err := adm.AlterTopicConfigs(ctx, []kadm.AlterConfig{{Name: name, Value: &value}}, topic)
	if err != nil {
		t.Fatalf("set %s of %s: %v", name, topic, err)
	}
	Await(t, name+" of "+topic+", at the broker", func() bool {
		all, err := adm.DescribeTopicConfigs(ctx, topic)
		return err == nil && len(all) == 1 && slices.ContainsFunc(all[0].Configs, func(c kadm.Config) bool {
			return c.Key == name && sameValue(c.MaybeValue(), value)
		})
	})
}

// sameValue reports whether two spellings of a configuration's value are the same: brokers write 1 as 1.0.
func sameValue(a, b string) bool {
	x, err := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return a == b || err == nil && err2 == nil && x == y
}

// Topics returns the topics whose names begin with a prefix, each with its number of partitions.
func (c *Cluster) Topics(t testing.TB, prefix string) map[string]int {
	t.Helper()
	adm, ctx := c.admin(t)
	all, err := adm.ListTopics(ctx)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for name, topic := range all {
		if strings.HasPrefix(name, prefix) {
			found[name] = len(topic.Partitions)
		}
	}
	return found
}
