package kafka

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/group"
	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/internal/check"
	"rosenblatt/stream/kafka/verdict"
	"rosenblatt/stream/stops"
)

// session is the session timeout where members are dropped: as short as the brokers allow.
func session() time.Duration {
	if real() {
		return 6 * time.Second
	}
	return 900 * time.Millisecond
}

// long is that of members that are not to be dropped, also on a machine with other work.
const long = 30 * time.Second

// members is a group whose members have in no time what they are assigned.
type members struct {
	*bed
	group string
	tasks int
	alive time.Duration // the session timeout
	keep  bool          // every member follows every task, assigned or not: no assignment leads to another
	mu    sync.Mutex
	moved chan struct{} // closed with the next assignment
}

func newMembers(t *testing.T, tasks int, opts ...kfake.Opt) *members {
	b := newBed(t, 0, append(opts, kfake.GroupMinSessionTimeout(100*time.Millisecond))...)
	return &members{bed: b, group: b.name + ".tasks", tasks: tasks, alive: long, moved: make(chan struct{})}
}

// process is one of them.
type process struct {
	*group.Member
	ms   *members
	link *link
	end  context.CancelFunc // a clean stop
	done chan error

	ice    *frozen          // suspends it; may be nil
	stuck  bool             // it is never live, nor warm
	other  bool             // its settings are others than those of the tasks
	newest group.Assignment // under ms.mu
	at     time.Time
}

// start starts a process; change alters what it is.
func (ms *members) start(instance string, change func(*group.Config)) *process {
	return ms.run(&process{}, instance, change)
}

func (ms *members) run(p *process, instance string, change func(*group.Config)) *process {
	p.ms, p.link, p.done = ms, &link{}, make(chan error, 1)
	client := ms.client(func(o *Options) { o.Dial = p.link.dial })
	c := group.Config{
		Instance: instance, Session: ms.alive, Settings: "s", Format: 3, Standbys: 1, State: p.state,
		Transport: client.Member(ms.group, instance, ms.alive), Log: zerolog.New(zerolog.NewTestWriter(ms.t)),
	}
	if change != nil {
		change(&c)
	}
	p.Member = group.New(c)
	ctx, cancel := context.WithCancel(context.Background())
	p.end = cancel
	stopped := make(chan struct{})
	go func() { defer close(stopped); p.done <- p.Run(ctx) }()
	go p.listen()
	ms.t.Cleanup(func() { cancel(); <-stopped; p.link.kill() })
	return p
}

// listen notes the assignments.
func (p *process) listen() {
	for last := int32(0); ; {
		a, err := p.Next(context.Background(), last)
		if err != nil {
			a = group.Assignment{}
		}
		p.ms.mu.Lock()
		p.newest, p.at = a, time.Now()
		close(p.ms.moved)
		p.ms.moved = make(chan struct{})
		p.ms.mu.Unlock()
		if last = a.Number; err != nil {
			return
		}
	}
}

func (p *process) state() group.State {
	p.ms.mu.Lock()
	defer p.ms.mu.Unlock()
	s := group.State{Tasks: p.ms.tasks}
	for task := range int32(p.ms.tasks) {
		if p.ms.keep || slices.Contains(p.newest.Active, task) || slices.Contains(p.newest.Follow, task) {
			h := group.Held{Task: task, Live: !p.stuck && slices.Contains(p.newest.Active, task)}
			if p.stuck {
				h.Behind = time.Hour
			}
			h.Differs = p.other
			s.Held = append(s.Held, h)
		}
	}
	return s
}

// within begins what is to be done in time, and returns what ends it. Beside other tests, times of kfake's short
// sessions tell nothing.
func (ms *members) within(limit time.Duration, what string) (done func()) {
	began, late := time.Now(), timeout(ms.t, limit)
	return func() {
		ms.t.Helper()
		if ms.t.Logf("%v %s", time.Since(began), what); real() && late.Err() != nil {
			ms.t.Errorf("want at most %v", limit)
		}
	}
}

// assigned is the newest assignment of a process.
func (p *process) assigned() group.Assignment {
	p.ms.mu.Lock()
	defer p.ms.mu.Unlock()
	return p.newest
}

// await waits until the assignments of processes are as they ought to be.
func (ms *members) await(what string, right func() bool) {
	ms.t.Helper()
	late := timeout(ms.t, 30*time.Second).Done()
	for {
		ms.mu.Lock()
		ok, moved := right(), ms.moved
		ms.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-moved:
		case <-late:
			ms.t.Fatalf("%s: does not happen", what)
		}
	}
}

// awaitSpread waits until these processes have all tasks, each as many of them and one of them each.
func (ms *members) awaitSpread(what string, all ...*process) {
	ms.t.Helper()
	ms.await(what, func() bool {
		owners, follower := map[int32]int{}, map[int32]int{}
		for _, p := range all {
			for _, task := range p.newest.Active {
				owners[task]++
			}
			for _, task := range p.newest.Follow {
				follower[task]++
			}
			if n := len(p.newest.Active); n < ms.tasks/len(all) || n > (ms.tasks+len(all)-1)/len(all) {
				return false
			}
		}
		for task := range int32(ms.tasks) {
			if owners[task] != 1 || follower[task] != min(1, len(all)-1) {
				return false
			}
		}
		return true
	})
}

// Four members share eight tasks: one leaves, one is killed, one is suspended and comes back, one is started again.
func TestMembersOfAGroup(t *testing.T) {
	t.Parallel()
	ms := newMembers(t, 8)
	ms.alive = session()
	all := make([]*process, 4)
	for i := range all {
		all[i] = ms.start(fmt.Sprint("m", i), nil)
	}
	ms.awaitSpread("four members", all...)

	done := ms.within(session()*9/10, "after a member left")
	all[0].end()
	ms.awaitSpread("one leaves", all[1:]...)
	done()
	if err := <-all[0].done; err != nil {
		t.Error(err)
	}

	if real() && testing.Short() {
		return // what follows waits for session timeouts, which are longer there
	}
	done = ms.within(session()+time.Second, "after a member was killed")
	all[1].link.kill()
	ms.awaitSpread("one is killed", all[2:]...)
	done()

	all[2].link.deafen()
	ms.awaitSpread("one hears nothing", all[3])
	all[2].link.restore()
	ms.awaitSpread("it hears again", all[2:]...)

	old := all[3]
	old.link.kill()
	all[3] = ms.start("m3", nil)
	ms.awaitSpread("one is started again", all[2:]...)
}

// A member that is given a task and does not get live with it loses it to one that follows.
func TestOwnerNotLive(t *testing.T) {
	needsFake(t)
	t.Parallel()
	ms := newMembers(t, 1)
	ms.alive = session()
	a := ms.run(&process{stuck: true}, "a", nil)
	ms.awaitSpread("one member", a)
	b := ms.start("b", nil)
	ms.await("the other has the task", func() bool { return len(b.newest.Active) == 1 && len(a.newest.Follow) == 1 })
}

// Nobody takes a group of ours for one of consumers.
func TestGroupOfItsOwnType(t *testing.T) {
	t.Parallel()
	ms := newMembers(t, 1)
	a := ms.start("a", nil)
	ms.awaitSpread("one member", a)
	describe := kmsg.NewPtrDescribeGroupsRequest()
	describe.Groups = []string{ms.group}
	to := cluster.Coordinator(cluster.OfGroup, ms.group)
	res, err := cluster.Ask[*kmsg.DescribeGroupsResponse](t.Context(), ms.admin.cluster, to, describe)
	if err != nil || res.Groups[0].ProtocolType != group.ProtocolType || *res.Groups[0].Members[0].InstanceID != "a" {
		t.Errorf("%+v %v", res, err)
	}
	consumer := kmsg.NewPtrJoinGroupRequest()
	consumer.Group, consumer.SessionTimeoutMillis, consumer.InstanceID = ms.group, 6000, kmsg.StringPtr("c")
	consumer.ProtocolType = "consumer"
	consumer.Protocols = []kmsg.JoinGroupRequestProtocol{{Name: "range"}}
	joined, err := cluster.Ask[*kmsg.JoinGroupResponse](t.Context(), ms.admin.cluster, to, consumer)
	if err != nil || !errors.Is(verdict.Coded(joined.ErrorCode, ""), kerr.InconsistentGroupProtocol) {
		t.Error(joined, err)
	}
}

// The later process of one instance stays.
func TestTwoProcessesOfOneInstance(t *testing.T) {
	t.Parallel()
	ms := newMembers(t, 1)
	first := ms.start("a", nil)
	ms.awaitSpread("one member", first)
	second := ms.start("a", nil)
	check.Stop(t, <-first.done, stops.Fenced)
	ms.awaitSpread("the other", second)
}

// The late copy of a join is another process no more when it is long ago.
func TestIndeterminateJoin(t *testing.T) {
	t.Parallel()
	for age, rejoins := range map[time.Duration]bool{time.Second: true, 2 * time.Minute: false} {
		m := &Member{id: "1", indeterminateJoin: time.Now().Add(-age)}
		err := m.coded(kerr.FencedInstanceID.Code, "Heartbeat")
		if errors.Is(err, group.ErrRejoin) != rejoins || stops.Is(err, stops.Fenced) == rejoins {
			t.Errorf("%v ago: %v", age, err)
		}
	}
}

// A consumer that has taken the group while it was empty does not end a member that may be live; a start it does.
func TestGroupTakenByAConsumer(t *testing.T) {
	t.Parallel()
	needsFake(t)
	ms := newMembers(t, 1)
	ctx := timeout(t, 30*time.Second)
	lead := func([]group.Entry) [][]byte { return [][]byte{nil} }
	m := ms.admin.Member(ms.group, "a", long)
	if _, _, err := m.Join(ctx, []byte("{}"), lead); err != nil {
		t.Fatal(err)
	}
	ms.fake.ControlKey(int16(kmsg.JoinGroup), func(q kmsg.Request) (kmsg.Response, error, bool) {
		ms.fake.KeepControl()
		res := q.ResponseKind().(*kmsg.JoinGroupResponse)
		res.ErrorCode = kerr.InconsistentGroupProtocol.Code
		return res, nil, true
	})
	if _, _, err := m.Join(ctx, []byte("{}"), lead); err == nil || errors.As(err, new(*stops.Error)) {
		t.Error(err)
	}
	_, _, err := ms.admin.Member(ms.group, "b", long).Join(ctx, []byte("{}"), lead)
	check.Stop(t, err, stops.KafkaError)
}

// TestMembersThatDiffer: the members that have tasks say which settings are right. The other tests wait meanwhile: an
// owner that does not join within half a second is not asked.
func TestMembersThatDiffer(t *testing.T) {
	ms := newMembers(t, 1)
	a := ms.start("b", nil)
	ms.awaitSpread("one member", a)
	other := ms.start("a", func(c *group.Config) { c.Settings = "other" })
	older := ms.start("c", func(c *group.Config) { c.Format = 2 })
	ms.await("both are refused", func() bool { return other.newest.Refused != "" && older.newest.Refused != "" })
	ms.awaitSpread("it keeps the task", a)
	t.Log(other.assigned().Refused, older.assigned().Refused)
}

// TestMemberOfOtherSettings: one that cannot have a task tells so once it has loaded it. It follows; whoever can have
// the task gets it, also back from one that was given it, as happens to an owner that is not asked.
func TestMemberOfOtherSettings(t *testing.T) {
	t.Parallel()
	ms := newMembers(t, 1)
	other := ms.run(&process{other: true}, "a", nil)
	ms.await("nobody has it", func() bool {
		return len(other.newest.Follow) == 1 && len(other.newest.Active) == 0 && other.newest.Number > 1
	})
	b := ms.start("b", nil)
	has := func(m, follower *process) func() bool {
		return func() bool {
			return len(m.newest.Active) == 1 && len(follower.newest.Active) == 0 && len(follower.newest.Follow) == 1
		}
	}
	ms.await("it has the task", has(b, other))
	c := ms.start("c", nil)
	ms.await("a standby beside the one that differs", func() bool {
		return has(b, other)() && len(c.newest.Follow) == 1
	})
	b.end()
	ms.await("the standby has the task", has(c, other))
	c.end()
	ms.await("nobody has it again", func() bool { return len(other.newest.Follow) == 1 && other.Alone() })
}

// join joins as group.Member does: a broker that is new has no coordinator before it is asked for one.
func (ms *members) join(m *Member, assign group.AssignTasks) (generation int32, data []byte, err error) {
	err = ms.admin.cluster.Retry(timeout(ms.t, 30*time.Second), "join", 0, func(ctx context.Context) (err error) {
		generation, data, err = m.Join(ctx, []byte("{}"), assign)
		return err
	})
	return generation, data, err
}

func TestSessionTimeoutOutOfBounds(t *testing.T) {
	t.Parallel()
	ms := newMembers(t, 1)
	m := ms.admin.Member(ms.group, "a", 20*time.Millisecond)
	_, _, err := ms.join(m, nil)
	check.Stop(t, err, stops.KafkaError)
	t.Log(err)
}

// A leader that comes back gets the present generation, and must not assign anew.
func TestSkipAssignment(t *testing.T) {
	t.Parallel()
	ms := newMembers(t, 1)
	lead := func(members []group.Entry) [][]byte { return [][]byte{[]byte("first")} }
	first, data, err := ms.join(ms.admin.Member(ms.group, "a", long), lead)
	if err != nil || string(data) != "first" {
		t.Fatal(string(data), err)
	}
	again, data, err := ms.join(ms.admin.Member(ms.group, "a", long),
		func([]group.Entry) [][]byte { t.Error("assigned anew"); return [][]byte{nil} })
	if err != nil || again != first || string(data) != "first" {
		t.Error(first, again, string(data), err)
	}
}
