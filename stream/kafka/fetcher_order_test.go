package kafka

import (
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// TestUnservedComesFirst: a partition for which a response had no room comes before those that readers have taken from
// meanwhile.
func TestUnservedComesFirst(t *testing.T) {
	c, err := New(Options{ClusterOptions: ClusterOptions{Brokers: []string{"x:1"}}, Input: "in", Output: "out",
		DeadLetters: "dead", TransactionalID: "x", Group: "g"})
	if err != nil {
		t.Fatal(err)
	}
	topic := "in"
	res := kmsg.NewPtrMetadataResponse()
	res.Brokers = append(res.Brokers, kmsg.MetadataResponseBroker{NodeID: 1, Host: "x", Port: 1})
	m := kmsg.NewMetadataResponseTopic()
	m.Topic = &topic
	for i := range int32(2) {
		m.Partitions = append(m.Partitions, kmsg.MetadataResponseTopicPartition{Partition: i, Leader: 1})
	}
	res.Topics = append(res.Topics, m)
	c.cache.note(res)
	b := &brokerFetches{id: 1, first: true, second: true}
	c.fetcher.brokers[1] = b
	backlogged, unserved := newSubscription("in", 0, 0), newSubscription("in", 1, 0)
	backlogged.asked, unserved.asked = time.Now(), time.Now()
	backlogged.full = true
	c.fetcher.taken(backlogged)
	c.fetcher.deliver(b, false, []*subscription{unserved}, []fetched{{result: &fetchResult{high: 100, stable: 100}}})
	if b.waiting[0] != unserved {
		t.Error("the partition without records does not come first in the next request")
	}
}
