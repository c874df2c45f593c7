package kafka

import (
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/recordbatch"
)

// idleFetcher returns a client of an input of some partitions and its leader, whose requests both seem to be under way.
func idleFetcher(t *testing.T, partitions int32) (*Client, *brokerFetches) {
	t.Helper()
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
	for i := range partitions {
		m.Partitions = append(m.Partitions, kmsg.MetadataResponseTopicPartition{Partition: i, Leader: 1})
	}
	res.Topics = append(res.Topics, m)
	c.cache.note(res)
	c.inputs.Store(partitions)
	b := &brokerFetches{id: 1, first: true, second: true}
	c.fetcher.brokers[1] = b
	return c, b
}

// TestUnservedComesFirst: a partition for which a response had no room comes before those that readers have taken from
// meanwhile.
func TestUnservedComesFirst(t *testing.T) {
	t.Parallel()
	c, b := idleFetcher(t, 2)
	backlogged, unserved := newSubscription("in", 0, 0), newSubscription("in", 1, 0)
	backlogged.asked, unserved.asked = time.Now(), time.Now()
	backlogged.full = true
	c.fetcher.taken(backlogged)
	c.fetcher.deliver(b, false, []*subscription{unserved}, []fetched{{result: &fetchResult{high: 100, stable: 100}}},
		&fetchRequest{})
	if b.waiting[0] != unserved {
		t.Error("the partition without records does not come first in the next request")
	}
}

// TestReadsAhead: a partition is requested again before its reader asks for more: at once, or, of a wide topic's
// backlogs, when the reader has the result. Those that are read in turns are not: they would take memory.
func TestReadsAhead(t *testing.T) {
	t.Parallel()
	var one recordbatch.Builder
	one.Append(1, nil, []byte("x"))
	data, err := one.Seal(-1, -1, -1, recordbatch.None)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		partitions     int32
		stable         int64
		inTurns, ahead bool
		taken          bool // requested when the reader has the result
	}{{wide, 100, true, true, true}, {wide + 1, 100, true, false, false}, {wide + 1, 1, true, true, true},
		{wide + 1, 100, false, false, true}} {
		client, b := idleFetcher(t, c.partitions)
		s := newSubscription("in", 0, 0)
		s.asked, s.inTurns = time.Now(), c.inTurns
		client.fetcher.deliver(b, false, []*subscription{s},
			[]fetched{{result: &fetchResult{data: data, high: 200, stable: c.stable}}},
			&fetchRequest{})
		if got := len(b.waiting) > 0; got != c.ahead {
			t.Errorf("%+v: requested %v", c, got)
		}
		<-s.results
		client.fetcher.taken(s)
		if got := len(b.waiting) > 0; got != c.taken {
			t.Errorf("%+v: requested %v after the reader has the result", c, got)
		}
		if client.fetcher.asked(s); len(b.waiting) != 1 {
			t.Errorf("%+v: %d requested when the reader asks for more", c, len(b.waiting))
		}
	}
}
