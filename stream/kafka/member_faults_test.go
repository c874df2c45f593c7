package kafka

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/group"
)

// After any error of the coordinator, in any request, the group is complete again.
func TestGroupErrors(t *testing.T) {
	t.Parallel()
	requests := map[kmsg.Key][]*kerr.Error{
		kmsg.FindCoordinator: {kerr.CoordinatorNotAvailable},
		kmsg.JoinGroup:       {kerr.CoordinatorLoadInProgress, kerr.NotCoordinator, kerr.UnknownMemberID},
		kmsg.SyncGroup:       {kerr.RebalanceInProgress, kerr.NotCoordinator, kerr.UnknownMemberID},
		kmsg.Heartbeat: {kerr.NotCoordinator, kerr.CoordinatorNotAvailable, kerr.CoordinatorLoadInProgress,
			kerr.RebalanceInProgress, kerr.IllegalGeneration, kerr.UnknownMemberID, kerr.UnknownServerError},
		kmsg.LeaveGroup: {kerr.NotCoordinator, kerr.CoordinatorLoadInProgress},
	}
	for key, codes := range requests {
		for _, code := range codes {
			t.Run(key.Name()+" "+code.Message, func(t *testing.T) {
				t.Parallel()
				needsFake(t)
				ms := newMembers(t, 2, kfake.NumBrokers(2))
				a, b := ms.start("a", nil), ms.start("b", nil)
				ms.awaitSpread("two members", a, b)
				seen := ms.refuse(key, code)
				c := ms.start("c", nil)
				ms.await("the third has joined", func() bool { return c.newest.Number > 0 })
				a.end()
				if key == kmsg.LeaveGroup { // it may be too late to try twice: then others wait for the session timeout
					<-a.done
				} else {
					<-seen
				}
				ms.awaitSpread("and goes on", b, c)
			})
		}
	}
}

// A process that is suspended for longer than the session timeout finds that others have its tasks, and follows.
func TestPausedMember(t *testing.T) {
	t.Parallel()
	ms := newMembers(t, 1)
	ms.alive = session()
	ice := &frozen{}
	a := ms.start("a", func(c *group.Config) { ice.Transport, c.Transport = c.Transport, ice })
	ms.awaitSpread("one member", a)
	b := ms.start("b", nil)
	ms.await("the other follows", func() bool { return len(b.newest.Follow) == 1 })
	done := ms.within(session()+time.Second, "without an owner")
	wake := ice.pause()
	ms.await("the other has it", func() bool { return len(b.newest.Active) == 1 })
	done()
	wake()
	ms.await("it follows", func() bool { return len(a.newest.Active) == 0 && len(a.newest.Follow) == 1 })
	if len(b.assigned().Active) != 1 {
		t.Error("it took its task back")
	}
}

// frozen is a Transport that can be suspended.
type frozen struct {
	group.Transport
	mu sync.Mutex
}

func (p *frozen) pause() (wake func()) {
	p.mu.Lock()
	return p.mu.Unlock
}

func (p *frozen) Heartbeat(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.Transport.Heartbeat(ctx)
}

// Of two members that die one after the other, neither is given the other's tasks, and the first one's do not wait for
// the second.
func TestTwoMembersDie(t *testing.T) {
	t.Parallel()
	if real() && testing.Short() {
		t.Skip("it waits for a session timeout, which is longer on real Kafka")
	}
	ms := newMembers(t, 6)
	ms.alive = session()
	ms.keep = true
	all := []*process{ms.start("m0", nil), ms.start("m1", nil), ms.start("m2", nil)}
	ms.awaitSpread("three members", all...)
	ms.awaitTold(all)
	first := all[0].assigned().Active
	one := ms.within(session()+time.Second, "without an owner")
	both := ms.within(session()*3/2+time.Second, "without an owner for the second one's")
	all[0].link.kill()
	time.Sleep(session() / 2) // not to wait for something, but the time between the two
	all[1].link.kill()
	ms.await("the first one's tasks", func() bool {
		has := all[2].newest.Active
		return !slices.ContainsFunc(first, func(task int32) bool { return !slices.Contains(has, task) })
	})
	one()
	ms.awaitSpread("all of them", all[2])
	both()
}

// A member dies and another one joins: the first one's tasks are assigned in that rebalance, though the coordinator
// keeps it in the group.
func TestRebalanceBehindADeath(t *testing.T) {
	t.Parallel()
	if !real() {
		t.Skip("kfake drops static members that do not join")
	}
	ms := newMembers(t, 6)
	ms.alive = session()
	ms.keep = true
	r := &record{joined: "m3"}
	keep := func(c *group.Config) { c.Transport = &recorded{c.Transport, r} }
	all := []*process{ms.start("m0", keep), ms.start("m1", keep), ms.start("m2", keep)}
	ms.awaitSpread("three members", all...)
	ms.awaitTold(all)
	all[0].link.kill()
	all[0] = ms.start("m3", keep)
	ms.await("the fourth has joined", func() bool { return all[0].newest.Number > 0 })
	r.mu.Lock()
	dead, ok := r.assigned["m0"]
	r.mu.Unlock()
	if !ok || len(dead.Active) > 0 {
		t.Errorf("the dead member is assigned %+v, %v", dead, ok)
	}
	ms.awaitSpread("the others have all", all...)
}

// awaitTold waits until members have told what they were assigned, in one generation.
func (ms *members) awaitTold(all []*process) {
	ms.t.Helper()
	ms.await("they have told of that", func() bool {
		return !slices.ContainsFunc(all, func(p *process) bool {
			return p.newest.Number < 2 || p.newest.Generation != all[0].newest.Generation
		})
	})
}

// record is what the leader assigns the first time that a member has joined.
type record struct {
	joined   string
	mu       sync.Mutex
	assigned map[string]group.Assignment
}

type recorded struct {
	group.Transport
	*record
}

func (r *recorded) Join(ctx context.Context, metadata []byte, assign group.AssignTasks) (int32, []byte, error) {
	return r.Transport.Join(ctx, metadata, func(members []group.Entry) [][]byte {
		out := assign(members)
		r.mu.Lock()
		defer r.mu.Unlock()
		joined := func(e group.Entry) bool { return e.Instance == r.joined }
		if r.assigned == nil && slices.ContainsFunc(members, joined) {
			r.assigned = map[string]group.Assignment{}
			for i, e := range members {
				r.assigned[e.Instance], _ = group.DecodeAssignment(out[i])
			}
		}
		return out
	})
}

// The coordinator takes a join whose response is lost, and a late copy of it after the next: nobody else has joined.
func TestLostJoin(t *testing.T) {
	t.Parallel()
	needsFake(t)
	ms := newMembers(t, 1)
	var joins, beats atomic.Int32
	ms.fake.ControlKey(int16(kmsg.JoinGroup), func(kmsg.Request) (kmsg.Response, error, bool) {
		ms.fake.KeepControl()
		if joins.Add(1) == 1 {
			return nil, errors.New("the connection ends"), true
		}
		return nil, nil, false
	})
	ms.fake.ControlKey(int16(kmsg.Heartbeat), func(q kmsg.Request) (kmsg.Response, error, bool) {
		ms.fake.KeepControl()
		if beats.Add(1) == 1 {
			res := q.ResponseKind().(*kmsg.HeartbeatResponse)
			res.ErrorCode = kerr.FencedInstanceID.Code
			return res, nil, true
		}
		return nil, nil, false
	})
	a := ms.start("a", nil)
	ms.await("it joins again", func() bool { return a.newest.Number >= 2 })
	select {
	case err := <-a.done:
		t.Fatal(err)
	default:
	}
}

// refuse makes kfake refuse the next two requests of a kind.
func (ms *members) refuse(key kmsg.Key, code *kerr.Error) (seen chan struct{}) {
	seen = make(chan struct{})
	var n atomic.Int32
	ms.fake.ControlKey(int16(key), func(q kmsg.Request) (kmsg.Response, error, bool) {
		ms.fake.KeepControl()
		switch k := n.Add(1); {
		case k > 2:
			return nil, nil, false
		case k == 2:
			close(seen)
		}
		res := q.ResponseKind()
		switch r := res.(type) {
		case *kmsg.FindCoordinatorResponse:
			r.ErrorCode = code.Code
		case *kmsg.JoinGroupResponse:
			r.ErrorCode = code.Code
		case *kmsg.SyncGroupResponse:
			r.ErrorCode = code.Code
		case *kmsg.HeartbeatResponse:
			r.ErrorCode = code.Code
		case *kmsg.LeaveGroupResponse:
			r.ErrorCode = code.Code
		}
		return res, nil, true
	})
	return seen
}
