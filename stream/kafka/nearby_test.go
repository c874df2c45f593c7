package kafka

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// racks is a cluster whose leader of the input names a replica to whoever is in the rack "here", in place of records.
type racks struct {
	*bed
	leader, near int32
	named        atomic.Int32 // the replica that the leader names
	fetches      atomic.Int64 // that the replica has got
	foreign      atomic.Int64 // requests with a rack that are about other topics
	result       atomic.Pointer[func(p *kmsg.FetchResponseTopicPartition, at int64) error]
}

var errAway = errors.New("away")

func newRacks(t *testing.T) *racks {
	t.Helper()
	r := &racks{bed: fakeBed(t, 1, kfake.NumBrokers(3))}
	in := r.name + "-in"
	m, err := r.admin.cluster.DescribeOne(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	r.leader = m.Leaders[0]
	r.near = (r.leader + 1) % 3
	r.named.Store(r.near)
	r.fake.SetFollowers(in, 0, []int32{r.near})
	r.fake.ControlKey(int16(kmsg.Fetch), func(req kmsg.Request) (kmsg.Response, error, bool) {
		r.fake.KeepControl()
		return r.control(req.(*kmsg.FetchRequest), m.ID)
	})
	return r
}

func (r *racks) control(req *kmsg.FetchRequest, input [16]byte) (kmsg.Response, error, bool) {
	node := r.fake.CurrentNode()
	if req.Rack != "here" || len(req.Topics) == 0 {
		return nil, nil, false
	}
	if len(req.Topics) > 1 || req.Topics[0].TopicID != input {
		r.foreign.Add(1)
		return nil, nil, false
	}
	at := req.Topics[0].Partitions[0].FetchOffset
	p := kmsg.NewFetchResponseTopicPartition()
	p.HighWatermark, p.LastStableOffset = at, at
	switch result := r.result.Load(); {
	case node == r.leader:
		p.PreferredReadReplica = r.named.Load()
	case node == r.near:
		r.fetches.Add(1)
		if result == nil {
			return nil, nil, false
		}
		if err := (*result)(&p, at); err != nil {
			return nil, err, true
		}
	}
	res := req.ResponseKind().(*kmsg.FetchResponse)
	res.Topics = []kmsg.FetchResponseTopic{{TopicID: input, Partitions: []kmsg.FetchResponseTopicPartition{p}}}
	return res, nil, true
}

func (r *racks) here(o *Options) { o.Rack = "here" }

// TestNearby: the input is read from the replica that its leader names; what decides is read from leaders, by requests
// that name no rack.
func TestNearby(t *testing.T) {
	t.Parallel()
	r := newRacks(t)
	c := r.client(r.here)
	j := c.Journal()
	f := takeover(t, j, topics.NoProducer)
	want := numbered("v", 20)
	r.put(r.name+"-in", 0, recordbatch.None, want...)
	in := c.Open(topics.Input, 0, 0)
	if values, _ := read(t, in, 20); !slices.Equal(values, want) {
		t.Fatal(values)
	}
	if got := c.Nearby(); len(got) != 1 || got[0] != (Nearby{Topic: r.name + "-in", Broker: r.near}) {
		t.Errorf("%+v", got)
	}
	if r.fetches.Load() == 0 {
		t.Error("the replica was not asked")
	}
	end := appendAll(t, j, topics.Output, 0, want...)
	if values, _ := read(t, c.Open(topics.Output, 0, f.Output[0]), end); !slices.Equal(values, want) {
		t.Fatal(values)
	}
	if n := r.foreign.Load(); n > 0 {
		t.Errorf("%d requests that name the rack are about other topics than the input", n)
	}
	r.put(r.name+"-in", 0, recordbatch.None, "more")
	if values, _ := read(t, in, 21); !slices.Equal(values, []string{"more"}) {
		t.Error(values)
	}
}

// TestNearbyFails: whatever a replica does, the leader is asked before anything is made of it.
func TestNearbyFails(t *testing.T) {
	t.Parallel()
	damaged, err := build("x").Seal(recordbatch.Unsequenced, recordbatch.Unsequenced, recordbatch.Unsequenced,
		recordbatch.None)
	if err != nil {
		t.Fatal(err)
	}
	damaged[len(damaged)-1]++
	coded := func(code *kerr.Error) func(*kmsg.FetchResponseTopicPartition, int64) error {
		return func(p *kmsg.FetchResponseTopicPartition, _ int64) error { p.ErrorCode = code.Code; return nil }
	}
	for name, result := range map[string]func(*kmsg.FetchResponseTopicPartition, int64) error{
		"it lags behind the position": coded(kerr.OffsetOutOfRange),
		"it is none any more":         coded(kerr.NotLeaderForPartition),
		"it does not have the topic":  coded(kerr.UnknownTopicID),
		"its disk is broken":          coded(kerr.KafkaStorageError),
		"it closes the connection":    func(*kmsg.FetchResponseTopicPartition, int64) error { return errAway },
		"it has nothing, for a while": func(*kmsg.FetchResponseTopicPartition, int64) error { return nil },
		"its copy is damaged": func(p *kmsg.FetchResponseTopicPartition, _ int64) error {
			p.RecordBatches = damaged
			return nil
		},
		"the leader names one nowhere": nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRacks(t)
			if r.result.Store(&result); result == nil {
				r.named.Store(99)
			}
			c := r.client(r.here)
			top, err := c.Topology(timeout(t, 20*time.Second))
			if err != nil {
				t.Fatal(err)
			}
			want := numbered("v", 20)
			r.put(r.name+"-in", 0, recordbatch.None, want...)
			ctx, stop := context.WithCancel(timeout(t, 40*time.Second))
			watched := make(chan struct{})
			go func() { // as a task does each second
				defer close(watched)
				for ctx.Err() == nil {
					_, _ = c.Watch(ctx, top)
					time.Sleep(20 * time.Millisecond)
				}
			}()
			values, _, err := readErr(ctx, c.Open(topics.Input, 0, 0), 20)
			stop()
			<-watched
			if err != nil || !slices.Equal(values, want) {
				t.Error(values, err)
			}
			if got := c.Nearby(); len(got) > 0 && name != "its copy is damaged" {
				t.Errorf("%+v", got)
			}
		})
	}
}
