package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/internal/awake"
	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/recordbatch"
)

// idleFetcher returns a fetcher of an input of some partitions and its leader, whose requests both seem to be under
// way. dial may be nil.
func idleFetcher(
	t *testing.T, partitions int32, dial func(ctx context.Context, network, address string) (net.Conn, error),
) (*Fetcher, *brokerFetches) {
	t.Helper()
	c, err := cluster.Connect(cluster.Options{Brokers: []string{"x:1"}, Dial: dial}, "in")
	if err != nil {
		t.Fatal(err)
	}
	lead(c, 1, partitions)
	f := New(c, Options{Reads: func(topic string) bool { return topic == "in" }, MaxBatch: 64 << 20,
		Wait: time.Second})
	f.SetInputs(int(partitions))
	b := &brokerFetches{place: place{broker: 1}, first: true, second: true}
	f.brokers[b.place] = b
	return f, b
}

// lead makes a broker, b1 or b2, the leader of all partitions of the input.
func lead(c *cluster.Cluster, broker, partitions int32) {
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
	if err := c.NoteMetadata(res, "b1"); err != nil {
		panic(err)
	}
}

// TestUnservedComesFirst: a partition for which a response had no room comes before those that readers have taken from
// meanwhile.
func TestUnservedComesFirst(t *testing.T) {
	t.Parallel()
	c, b := idleFetcher(t, 2, nil)
	backlogged, unserved := NewSubscription("in", 0, 0), NewSubscription("in", 1, 0)
	backlogged.asked, unserved.asked = time.Now(), time.Now()
	backlogged.full = true
	c.Taken(backlogged)
	c.deliver(b, false, []*Subscription{unserved}, []Fetched{{Result: &Result{High: 100, stable: 100}}},
		&Request{})
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
		client, b := idleFetcher(t, c.partitions, nil)
		s := NewSubscription("in", 0, 0)
		s.asked, s.InTurns = time.Now(), c.inTurns
		client.deliver(b, false, []*Subscription{s},
			[]Fetched{{Result: &Result{Data: data, High: 200, stable: c.stable}}},
			&Request{})
		if got := len(b.waiting) > 0; got != c.ahead {
			t.Errorf("%+v: requested %v", c, got)
		}
		<-s.Results
		client.Taken(s)
		if got := len(b.waiting) > 0; got != c.taken {
			t.Errorf("%+v: requested %v after the reader has the result", c, got)
		}
		if client.Asked(s); len(b.waiting) != 1 {
			t.Errorf("%+v: %d requested when the reader asks for more", c, len(b.waiting))
		}
	}
}

// TestPausedPartitionMoves: a partition that is kept out of requests for a moment, because a transaction is open at its
// end, is requested from its new leader then.
func TestPausedPartitionMoves(t *testing.T) {
	t.Parallel()
	requested := make(chan struct{}, 1)
	c, b := idleFetcher(t, 1, func(_ context.Context, _, address string) (net.Conn, error) {
		if strings.HasPrefix(address, "b2:") {
			select {
			case requested <- struct{}{}:
			default:
			}
		}
		return nil, errors.New("not there")
	})
	t.Cleanup(c.Close)
	lead(c.cluster, 2, 1)
	s := NewSubscription("in", 0, 5)
	s.asked = time.Now().Add(time.Minute) // its reader goes on asking
	c.deliver(b, false, []*Subscription{s}, []Fetched{{Result: &Result{High: 6, stable: 5}}},
		&Request{})
	within, cancel := awake.Timeout(context.Background(), 10*time.Second)
	defer cancel()
	select {
	case <-requested:
	case <-within.Done():
		t.Error("the partition is not requested any more")
	}
}
