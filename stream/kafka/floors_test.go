package kafka

import (
	"slices"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"

	"rosenblatt/stream/kafka/internal/check"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// floor caps kfake at the lowest versions that we need, of those that depend on them.
func floor() kfake.Opt {
	v := kversion.V3_0_0()
	for key, version := range map[kmsg.Key]int16{
		kmsg.Metadata: 7, kmsg.JoinGroup: 5, kmsg.SyncGroup: 3, kmsg.Heartbeat: 3, kmsg.LeaveGroup: 3, kmsg.Fetch: 11,
		kmsg.Produce: 3, kmsg.InitProducerID: 3, kmsg.OffsetForLeaderEpoch: 3, kmsg.DescribeGroups: 3,
		kmsg.FindCoordinator: 1, kmsg.CreateTopics: 4,
	} {
		v.SetMaxKeyVersion(int16(key), version)
	}
	return kfake.MaxVersions(v)
}

// TestLowestVersions: brokers that speak the lowest version of each request carry all that a task does.
func TestLowestVersions(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 2, floor())
	if b.fetchesByID() {
		t.Error("Metadata 7 has no ids")
	}
	c := b.client(nil)
	if _, err := c.Topology(timeout(t, 20*time.Second)); err != nil {
		t.Fatal(err)
	}
	j := c.Journal()
	f := takeover(t, j, topics.NoProducer)
	end := appendAll(t, j, topics.Output, 0, "x", "y")
	if values, _ := read(t, c.Open(topics.Output, 0, f.Output[0]), end); !slices.Equal(values, []string{"x", "y"}) {
		t.Fatal(values)
	}
	b.put(b.name+"-in", 1, recordbatch.None, "in")
	if values, _ := read(t, c.Open(topics.Input, 1, 0), 1); !slices.Equal(values, []string{"in"}) {
		t.Fatal(values)
	}
	if err := c.Commit(t.Context(), []int64{0, 1}); err != nil {
		t.Error(err)
	}
	if got, err := c.Committed(t.Context()); err != nil || !slices.Equal(got, []int64{0, 1}) {
		t.Error(got, err)
	}
	next := b.client(nil).Journal()
	takeover(t, next, topics.NoProducer)
	appendAll(t, next, topics.Output, 0, "z")
	_, err := appendOne(timeout(t, 20*time.Second), j, topics.Output, 0, build("late"))
	check.Stop(t, err, stops.Fenced)
}

// TestMembersOfLowestVersions: nor do members need more, also one that leads, is killed and comes back.
func TestMembersOfLowestVersions(t *testing.T) {
	needsFake(t)
	t.Parallel()
	ms := newMembers(t, 4, floor())
	ms.alive = session()
	all := []*process{ms.start("m0", nil), ms.start("m1", nil), ms.start("m2", nil)}
	ms.awaitSpread("three members", all...)
	all[0].link.kill()
	ms.awaitSpread("one is killed", all[1:]...)
	all[0] = ms.start("m0", nil)
	ms.awaitSpread("it is started again", all...)
	all[1].end()
	ms.awaitSpread("one leaves", all[0], all[2])
	if err := <-all[1].done; err != nil {
		t.Error(err)
	}
}
