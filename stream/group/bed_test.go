package group

import (
	"bytes"
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"
)

const (
	session  = 10 * time.Second
	failover = 300 * time.Millisecond
)

// script is a Transport for one member: by default a group in which it is alone.
type script struct {
	join  func(m *Metadata) (Assignment, error)
	beat  func() error
	leave error

	joins  []Metadata
	joined []time.Time
	beats  []time.Time
	leaves int
}

func (s *script) Join(_ context.Context, data []byte, assign AssignTasks) (int32, []byte, error) {
	turns.Load()
	m, err := DecodeMetadata(data)
	if err != nil {
		return 0, nil, err
	}
	s.joins, s.joined = append(s.joins, m), append(s.joined, time.Now())
	if s.join == nil {
		return int32(len(s.joins)), assign([]Entry{{"a", data}})[0], nil
	}
	a, err := s.join(&m)
	return int32(len(s.joins)), a.encode(), err
}

func (s *script) Heartbeat(context.Context) error {
	turns.Load()
	s.beats = append(s.beats, time.Now())
	if s.beat == nil {
		return nil
	}
	return s.beat()
}

func (s *script) Leave(context.Context) error {
	s.leaves++
	return s.leave
}

// bed is a running member.
type bed struct {
	*Member
	*script
	t     *testing.T
	log   bytes.Buffer
	mu    sync.Mutex
	state State
	end   context.CancelFunc
	done  chan error
}

// set sets how far the member is behind with its task; not at all: it is live; without one: it loads it.
func (b *bed) set(behind ...time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.state = State{Tasks: 1}
	for _, d := range behind {
		b.state.Held = append(b.state.Held, Held{Live: d == 0, Behind: d})
	}
}

// follow sets which tasks of three the member follows.
func (b *bed) follow(tasks ...int32) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.state = State{Tasks: 3}
	for _, task := range tasks {
		b.state.Held = append(b.state.Held, Held{Task: task})
	}
}

// run starts a member with a task.
func run(t *testing.T, s *script) *bed {
	b := &bed{script: s, t: t, done: make(chan error, 1)}
	b.set(0)
	b.Member = New(Config{
		Instance: "a", Session: session, Settings: "s", Format: 3, Standbys: 1, Failover: failover, Transport: s,
		Log: zerolog.New(&b.log),
		State: func() State {
			b.mu.Lock()
			defer b.mu.Unlock()
			return b.state
		},
	})
	ctx, cancel := context.WithCancel(context.Background())
	b.end = cancel
	go func() { b.done <- b.Run(ctx) }()
	return b
}

func (b *bed) stop() {
	b.t.Helper()
	b.end()
	if err := <-b.done; err != nil {
		b.t.Fatal(err)
	}
}

// turns orders what a test does with a script before what a member does with it after that.
var turns atomic.Int64

// wait lets time pass.
func wait(d time.Duration) {
	turns.Add(1)
	time.Sleep(d)
	synctest.Wait()
}

// assigned waits until the member is to have its task.
func (b *bed) assigned(ctx context.Context, fenced int32) (context.Context, int32, error) {
	g, err := b.Task(0).Assigned(ctx, fenced)
	return g.Assigned, g.Number, err
}
