package group

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/stream/stops"
)

// Config says what a member of the group is.
type Config struct {
	Instance  string        // its name, which no other process of the group has
	Session   time.Duration // without heartbeats for so long the group goes on without it
	Settings  string        // fingerprint of what members share: those with another one get no tasks
	Format    int           // newest checkpoint format that it reads
	Standbys  int           // how many members follow each task
	Failover  time.Duration // work that waits for so long is a reason to ask who has it; 0: nothing is
	State     func() State  // called from Run before joins and heartbeats; must not wait
	Transport Transport
	Log       zerolog.Logger

	Name func(task int32) string // a task's name in logs; nil: its number
}

// State is what a process has.
type State struct {
	Tasks int    // number of tasks there are: the input's partitions, or 1
	Held  []Held // those that it has or follows, in any order
}

// Held is a task that a process has or follows.
type Held struct {
	Task   int32
	Live   bool          // the process predicts
	Behind time.Duration // how far it is behind whoever has the task; if Live, how long it cannot write

	Stopped string // the stop that ended the task here for good; empty: none
	Differs bool   // the process follows it, and cannot have it: its settings are others
}

// A member that is behind by coldAfter gets no task while there is another one, until it is behind by less than
// warmBefore.
const (
	coldAfter  = 10 * time.Second
	warmBefore = 5 * time.Second
)

// Member is this process's part in the group. Next and Assigned may be called from any goroutine.
type Member struct {
	config    Config
	wake      chan struct{} // there is something to tell at once
	suspected chan struct{} // likewise, unless an assignment has answered it

	mu       sync.Mutex
	newest   Assignment
	news     chan struct{}    // closed with the next assignment and when Run has ended
	ended    bool             // Run has
	fenced   map[int32]fences // of tasks
	handed   map[int32]handed // likewise
	suspects suspicions

	// of Run's goroutine
	nonce  uint64
	joined Metadata  // what it has joined with last
	since  time.Time // of the assignment behind it
	patience
}

// New returns a Member. It does not join before Run.
func New(c Config) *Member {
	return &Member{
		config: c, wake: make(chan struct{}, 1), suspected: make(chan struct{}, 1), news: make(chan struct{}),
		fenced: map[int32]fences{}, handed: map[int32]handed{}, nonce: rand.Uint64(),
		suspects: suspicions{doubts: doubts{first: c.Failover, most: c.Session}, asked: map[int32]bool{},
			cold: map[int32]bool{}, answers: map[int32]Suspicions{}},
	}
}

// Run is in the group until ctx ends, and then leaves it. The error is a *stops.Error.
func (m *Member) Run(ctx context.Context) error {
	defer m.end()
	m.responded = time.Now()
	pause := firstPause
	for {
		joined, err := m.takePart(ctx)
		if joined {
			pause = firstPause
		}
		switch {
		case ctx.Err() != nil:
			m.leave(ctx)
			return nil
		case errors.As(err, new(*stops.Error)):
			return err
		case m.over(m.config.Session):
			m.config.Log.Warn().Err(err).Msg("group: no response for half of the session timeout")
			sleep(ctx, time.Until(m.quiet(m.config.Session)))
		case err != nil:
			sleep(ctx, pause/2+rand.N(pause/2))
			pause = min(2*pause, m.config.Session/10)
		}
	}
}

const firstPause = 10 * time.Millisecond

func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// takePart joins, and sends heartbeats until the member has to join again.
func (m *Member) takePart(ctx context.Context) (joined bool, err error) {
	select {
	case <-m.wake: // what woke it is told now
	default:
	}
	m.joined = m.metadata()
	m.tellSuspects(m.joined.Held)
	generation, data, err := m.config.Transport.Join(ctx, m.joined.encode(), assignTasks)
	//mutation:group-interrupted
	if generation > 0 {
		m.joined.Generation = generation // also where the next rebalance came before the assignment
	}
	if m.note(err); err != nil {
		return false, err
	}
	m.nonce++
	a, err := DecodeAssignment(data)
	//mutation:group-stale-assignment
	if err != nil || a.Nonce != m.joined.Nonce || a.Late {
		return false, errors.Join(ErrRejoin, err)
	}
	a.Generation = generation
	m.since = time.Now()
	m.deliver(a)
	m.joined.Held = m.assigned(m.joined.Held) // the group knows
	m.joined.Tasks = atLeast(m.joined.Tasks, m.joined.Held)
	return true, m.beat(ctx)
}

// metadata is what the member tells with the next join.
func (m *Member) metadata() Metadata {
	c := &m.config
	d := Metadata{
		Version: version, Nonce: m.nonce, Generation: m.joined.Generation, Settings: c.Settings, Format: c.Format,
		Standbys: c.Standbys,
	}
	d.Tasks, d.Held = m.tasks(c.State())
	return d
}

// tasks returns what the member tells of its tasks: those that it is assigned, begun with or not.
// With its first join a member is cold: if it dies, the leader could not tell that by its generation.
func (m *Member) tasks(s State) (tasks int, held []TaskInfo) {
	for _, h := range s.Held {
		//mutation:group-stop-told
		if h.Stopped != "" {
			held = append(held, TaskInfo{Task: h.Task, Stopped: h.Stopped})
			continue
		}
		//mutation:group-difference-told
		if h.Differs {
			held = append(held, TaskInfo{Task: h.Task, Differs: true})
			continue
		}
		if h.Live {
			m.live(h.Task)
		}
		t := TaskInfo{Task: h.Task, Starting: !h.Live}
		before, _ := m.joined.held(h.Task)
		//mutation:group-cold
		if h.Behind >= coldAfter || before.Cold && h.Behind >= warmBefore || m.joined.Generation == 0 {
			t.Cold, t.Behind, t.stuck = true, int64(h.Behind/time.Second), h.Live && h.Behind >= warmBefore
		}
		held = append(held, t)
	}
	held = m.assigned(held)
	return atLeast(s.Tasks, held), held
}

// atLeast is how many tasks there are: the leader knows of partitions that this member may not have found yet.
func atLeast(tasks int, held []TaskInfo) int {
	//mutation:group-added-task
	if n := len(held); n > 0 {
		tasks = max(tasks, int(held[n-1].Task)+1)
	}
	return tasks
}

// assigned keeps the tasks that are assigned to the member, and marks those that it is to have and that are not fenced
// since. One that it loads, or cannot take over, it tells as cold when it had the time to. One that it is to follow and
// has not loaded it tells as cold at once: or another member would be to follow it after the next rebalance. What has
// stopped here it tells for good, and as nothing else.
func (m *Member) assigned(held []TaskInfo) []TaskInfo {
	m.mu.Lock()
	defer m.mu.Unlock()
	//mutation:group-not-assigned
	held = slices.DeleteFunc(held, func(t TaskInfo) bool {
		return t.Stopped == "" && m.newest.Number > 0 && !m.newest.has(t.Task)
	})
	for i := range held {
		held[i].Owner, held[i].Starting = 0, held[i].Starting && m.newest.active(held[i].Task)
		held[i].Since, held[i].Suspected = 0, false
	}
	slices.SortFunc(held, func(a, b TaskInfo) int { return cmp.Compare(a.Task, b.Task) })
	for _, task := range m.newest.Active {
		f := m.fenced[task]
		//mutation:group-fenced-owner
		if f.number == m.newest.Number {
			continue
		}
		i, ok := search(held, task)
		if ok && (held[i].Stopped != "" || held[i].Differs) {
			continue
		}
		if !ok {
			loading := TaskInfo{Task: task, Cold: true, Behind: int64(time.Since(f.given) / time.Second)}
			held = slices.Insert(held, i, loading)
		}
		if !f.live.IsZero() {
			held[i].Since = f.live.UnixMilli()
		}
		//mutation:group-time-to-load
		if held[i].Owner = m.newest.Generation; !held[i].stuck && time.Since(f.given) < f.grace(m.config.Session) {
			held[i].Cold, held[i].Behind = false, 0
		}
	}
	for _, task := range m.newest.Follow {
		//mutation:group-not-loaded
		if i, ok := search(held, task); !ok {
			held = slices.Insert(held, i, TaskInfo{Task: task, Cold: true, Behind: NotLoaded})
		}
	}
	return held
}

// changed tells whether the group would assign otherwise if it knew what the member has now.
func (m *Member) changed() bool {
	tasks, held := m.tasks(m.config.State())
	counts := func(all []TaskInfo) (counting []TaskInfo) {
		for _, t := range all {
			//mutation:group-begins
			if before, _ := m.joined.held(t.Task); !before.Starting {
				t.Starting = false // it has begun to: nothing follows from that
			}
			//mutation:group-since-told
			t.Since = 0 // likewise
			if !t.Cold || t.Stopped != "" {
				counting = append(counting, t)
			}
		}
		return counting
	}
	return tasks != m.joined.Tasks || !slices.Equal(counts(held), counts(m.joined.Held))
}

// Tell makes the member tell the group at once what it has now, as that a task has stopped.
func (m *Member) Tell() {
	select {
	case m.wake <- struct{}{}:
	default: // it is about to
	}
}

// leave tries until a third of the session timeout is over.
func (m *Member) leave(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), m.config.Session/3)
	defer cancel()
	for {
		err := m.config.Transport.Leave(ctx)
		if err == nil {
			return
		}
		if sleep(ctx, beatEvery); ctx.Err() != nil || errors.As(err, new(*stops.Error)) {
			m.config.Log.Warn().Err(err).Msg("group: cannot leave; the others wait for the session timeout")
			return
		}
	}
}
