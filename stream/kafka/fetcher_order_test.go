package kafka

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
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
	lead(c, 1, partitions)
	c.inputs.Store(partitions)
	b := &brokerFetches{id: 1, first: true, second: true}
	c.fetcher.brokers[1] = b
	return c, b
}

// lead makes a broker, b1 or b2, the leader of all partitions of the input.
func lead(c *Client, broker, partitions int32) {
	topic := "in"
	res := kmsg.NewPtrMetadataResponse()
	for id := range int32(2) {
		res.Brokers = append(res.Brokers, kmsg.MetadataResponseBroker{NodeID: id + 1, Host: fmt.Sprint("b", id+1)})
	}
	m := kmsg.NewMetadataResponseTopic()
	m.Topic = &topic
	for i := range partitions {
		m.Partitions = append(m.Partitions, kmsg.MetadataResponseTopicPartition{Partition: i, Leader: broker})
	}
	res.Topics = append(res.Topics, m)
	if err := c.noteMetadata(res, "b1"); err != nil {
		panic(err)
	}
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
// backlogs, when the reader has the result. Those that are read in turns are not: they would take memory. At the end of
// its log a partition that is not read in turns is not either.
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
		{wide + 1, 100, false, false, true}, {wide, 1, false, false, false}, {wide + 1, 1, false, false, false}} {
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

// TestPausedPartitionMoves: a partition that is kept out of requests for a moment, because a transaction is open at its
// end, is requested from its new leader then.
func TestPausedPartitionMoves(t *testing.T) {
	t.Parallel()
	c, b := idleFetcher(t, 1)
	t.Cleanup(c.Close)
	requested := make(chan struct{}, 1)
	c.pool.dialer.Dial = func(_ context.Context, _, address string) (net.Conn, error) {
		if strings.HasPrefix(address, "b2:") {
			select {
			case requested <- struct{}{}:
			default:
			}
		}
		return nil, errors.New("not there")
	}
	lead(c, 2, 1)
	s := newSubscription("in", 0, 5)
	s.asked = time.Now().Add(time.Minute) // its reader goes on asking
	c.fetcher.deliver(b, false, []*subscription{s}, []fetched{{result: &fetchResult{high: 6, stable: 5}}},
		&fetchRequest{})
	select {
	case <-requested:
	case <-timeout(t, 10*time.Second).Done():
		t.Error("the partition is not requested any more")
	}
}
