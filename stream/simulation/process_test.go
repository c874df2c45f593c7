package simulation

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/checkpoint"
	"rosenblatt/stream"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/stops"
)

// What is done to a process at one of its steps.
const (
	kill     = "kill -9"
	power    = "power loss"
	stopSlow = "SIGSTOP"
	rival    = "a rival starts"
	term     = "SIGTERM"
	outage   = "the brokers go away" // for longer than every limit of a start
)

// process is one incarnation of the daemon: a task, its connections and its sight of the disk.
type process struct {
	w      *world
	id     int
	folder *folder
	task   *stream.Task
	cancel context.CancelFunc
	ended  chan struct{}
	err    error // once ended

	ops    atomic.Int64 // requests and operations of the disk so far
	busy   bool         // only what changes something at the brokers or on the disk counts as a step
	steps  atomic.Int64 // so far
	at     int64        // the step at which something is done to it, 0 for never
	what   string
	away   time.Duration // of an outage
	struck chan struct{} // closed then
	dead   atomic.Bool
	made   atomic.Bool // its task is
	member *membership // of a member, which follows, and again when it is fenced; else nil

	mu     sync.Mutex
	conns  map[net.Conn]struct{}
	dice   map[kmsg.Key]*rand.Rand
	disk   *rand.Rand
	broken int           // operations of the disk that fail yet
	hurt   atomic.Bool   // an operation has failed
	full   bool          // the disk is, as soon as the process is live
	gate   chan struct{} // not nil while it is stopped: closed when it goes on

	positions []int64 // of its newest checkpoint; w.mu
	moves     int64   // of log starts before it started; w.mu
	knows     *saved  // the newest manifest that it has read; w.mu
	newest    int16   // epoch that it has written with; w.mu
	fenced    int16   // epoch that a response said is fenced, -1 for none; w.mu
	told      bool    // that it was the owner when it asked, since its takeover; w.mu
}

func (p *process) String() string { return fmt.Sprintf("#%d", p.id) }

// step counts what the process does, and strikes at its time. False: it is dead.
func (p *process) step(changes bool) bool {
	if p.dead.Load() {
		return false
	}
	p.ops.Add(1)
	if p.busy && !changes || p.steps.Add(1) != p.at {
		return true
	}
	p.w.logf("%v at step %d: %s", p, p.at, p.what)
	p.w.count(p.what)
	switch p.what {
	case kill, power:
		p.die()
	case stopSlow:
		p.mu.Lock()
		p.gate = make(chan struct{})
		p.mu.Unlock()
	case term:
		p.cancel()
	case outage:
		p.w.restart(p.away)
	}
	close(p.struck)
	return !p.dead.Load()
}

// die ends a process as kill -9 does: nothing that it does from here on reaches broker or disk.
func (p *process) die() {
	p.dead.Store(true)
	p.hangUp()
	p.cancel()
	p.wake()
}

// awake waits while the process is stopped.
func (p *process) awake() {
	p.mu.Lock()
	gate := p.gate
	p.mu.Unlock()
	if gate != nil {
		<-gate
	}
}

// wake lets a stopped process go on.
func (p *process) wake() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.gate != nil {
		close(p.gate)
		p.gate = nil
	}
}

// start starts a process on a folder.
func (w *world) start(f *folder, untilEnd bool, at int64, what string, busy bool) *process {
	p := &process{w: w, id: len(w.processes) + 1, folder: f, at: at, what: what, busy: busy, newest: -1, fenced: -1,
		away:  time.Duration(len(w.processes)%3+1) * 70 * time.Second,
		ended: make(chan struct{}), struck: make(chan struct{}), dice: map[kmsg.Key]*rand.Rand{}}
	p.disk = rand.New(rand.NewPCG(w.seed, uint64(p.id)<<32))
	p.full = p.disk.Float64() < w.mood.full
	w.mu.Lock()
	w.processes = append(w.processes, p)
	p.moves = w.moves
	w.mu.Unlock()
	w.count("processes")
	f.used.Store(true)
	s := w.setup
	o := s.Kafka
	o.Brokers, o.Input, o.Output, o.DeadLetters = s.Cluster.Brokers, s.Name, s.Output(), s.DeadLetters()
	o.Checkpoints = s.State
	o.TransactionalID, o.Group, o.ClientID, o.Log, o.Dial = "rosenblatt."+s.Output(), "rosenblatt-"+s.Name, p.String(),
		s.Log, p.dial
	c, err := kafka.New(o)
	if err != nil {
		w.t.Fatal(err)
	}
	if o.Split {
		c = c.Task(w.partition())
	}
	if err := f.made(); err != nil {
		w.t.Fatal(err)
	}
	config := s.Config
	config.UntilEnd = untilEnd
	config.Labels = w.labelsOf(p)
	log := s.Log.With().Str("process", p.String()).Logger()
	journal := c.Journal()
	p.task = (&stream.Task{Config: config, Log: c, Journal: journal, Group: c, Logger: log,
		Store: &checkpoint.Store{FS: &disk{p, f, f.mem}, Dir: f.dir()}, NewPending: w.newPending(p)}).Open()
	if s.State != "" {
		p.task.Checkpoints = &knower{Log: journal.Checkpoints(), p: p}
	}
	if !untilEnd && !w.loses {
		p.task.Standby = w.newMembership(p)
		p.task.Log = &looks{c, rand.New(rand.NewPCG(w.seed, 8<<32|uint64(p.id)))}
	}
	w.askFor(p)
	p.made.Store(true)
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	w.background(func() {
		p.err = p.task.Run(ctx)
		c.Close()
		cancel()
		p.hangUp()
		f.used.Store(false)
		w.logf("%v ended: %v", p, p.err)
		w.judge(p)
		p.dead.Store(true) // with the process end its goroutines, such as one that waits for the disk
		close(p.ended)
	})
	return p
}

// judge checks that a process ended for a reason.
func (w *world) judge(p *process) {
	var stop *stops.Error
	err := p.err
	switch {
	case p.dead.Load():
	case p.member != nil && p.member.Left() && (err == nil || errors.Is(err, errLeft)):
		w.count("left")
	case err == nil:
		if !p.cancelled() {
			w.violate("%v ended by itself", p)
		}
	case stops.Is(err, stops.Fenced) && p.member == nil:
		if w.owner() == p {
			w.violate("%v stopped, and nobody took over: %v", p, err)
		}
		w.count("stopped: fenced")
	case w.loses && stops.Is(err, stops.BeyondEnd):
		w.count(replacedStop)
	case errors.As(err, &stop) && p.member == nil && p.live() && !p.mayStop(stop) &&
		!stops.Is(err, stops.UnsupportedBroker):
		w.violate("%v stopped without knowing who the writer is: %v", p, err)
	case w.quiet.Load() && !p.cancelled():
		w.violate("%v stopped though all was well: %v", p, err)
	case (stops.Is(err, stops.FenceFailed) || stops.Is(err, stops.Unreachable)) && !p.live():
		w.count("stopped: a start gave up")
	case stops.Is(err, stops.UnsupportedBroker) && !w.quiet.Load():
		w.count("stopped: the first eight requests of a kind were all cut")
	case stops.Is(err, stops.StateMissing) && !p.folder.published.Load():
		w.count("stopped: state-missing, rightly")
	case stops.Is(err, stops.StateUnwritable) && p.task.Status().Epoch > 0 && p.member == nil && w.owner() == p:
		w.violate("%v was live and stopped because it cannot save: %v", p, err)
	case errors.Is(err, errDisk):
		w.count("stopped: the disk")
	case w.overtaken(p, err):
		w.count("stopped: records are gone, rightly")
	case errors.As(err, &stop):
		w.violate("%v stopped: %v", p, err)
	case errors.Is(err, stream.ErrUnfinished), p.cancelled() && errors.Is(err, context.Canceled):
		w.count("ended unfinished")
	case strings.Contains(err.Error(), "stopped before the model was live"):
		w.count("ended before it was live")
	default:
		w.violate("%v ended: %v", p, err)
	}
}

// mayStop reports whether a process that took over was told before a stop that nobody has replaced it, or says that it
// does not know.
func (p *process) mayStop(stop *stops.Error) bool {
	p.w.mu.Lock()
	defer p.w.mu.Unlock()
	return p.told || strings.Contains(stop.What, "not known whether another process") ||
		strings.Contains(stop.What, "the first checkpoint of epoch") // it has fenced just before
}

// owner is the process that took over last.
func (w *world) owner() *process {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.txn.owner
}

// live reports whether a takeover of the process was ever complete.
func (p *process) live() bool {
	p.w.mu.Lock()
	defer p.w.mu.Unlock()
	return p.positions != nil
}

func (p *process) cancelled() bool {
	return p.what == term || p.task.Config.UntilEnd || p.w.quiet.Load()
}

// alive returns the processes that may have connections. The caller holds w.mu.
func (w *world) alive() (out []*process) {
	for _, p := range w.processes {
		if !p.dead.Load() {
			out = append(out, p)
		}
	}
	return out
}

// wait waits for a channel, a minute of the simulation's clock at a time, so that a process that hangs is found.
func (w *world) wait(what string, c <-chan struct{}) {
	limit := time.NewTimer(20 * time.Minute)
	defer limit.Stop()
	select {
	case <-c:
	case <-w.broken:
	case <-limit.C:
		w.violate("stuck: %s", what)
	}
}
