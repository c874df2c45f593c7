package group

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"
)

// ErrLeft is met after the member has left the group.
var ErrLeft = errors.New("this process has left the group")

// deliver makes an assignment the newest.
func (m *Member) deliver(a Assignment) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if a.Refused != "" && a.Refused != m.newest.Refused {
		m.config.Log.Warn().Str("reason", a.Refused).Msg("group: this member gets no tasks")
	}
	a.Number = m.newest.Number + 1
	m.tellOwners(&a)
	m.answer(&a)
	m.turn(&a)
	m.newest = a
	close(m.news)
	m.news = make(chan struct{})
}

// end wakes those that wait: no assignment follows.
func (m *Member) end() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ended = true
	m.turn(&Assignment{})
	close(m.news)
}

// Next waits for an assignment after the one of a number (0: any) and returns the newest. Its errors are the context's
// and ErrLeft.
func (m *Member) Next(ctx context.Context, after int32) (Assignment, error) {
	for {
		m.mu.Lock()
		newest, news, ended := m.newest, m.news, m.ended
		m.mu.Unlock()
		switch {
		case ended:
			return Assignment{}, ErrLeft
		case newest.Number > after && newest.Number > 0:
			return newest, nil
		}
		select {
		case <-news:
		case <-ctx.Done():
			return Assignment{}, ctx.Err()
		}
	}
}

// Alone reports whether no other member may be given a task that this one has, as far as it knows. It may be called
// after Run.
func (m *Member) Alone() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.newest.Others == 0
}

// Task is one of the group's tasks for this member.
type Task struct {
	member *Member
	number int32
}

// Task returns a task by its number.
func (m *Member) Task(number int32) Task { return Task{m, number} }

// Given is a task that is assigned to the member.
type Given struct {
	Assigned  context.Context // ended when the member is not to have it any more
	Number    int32           // of the assignment
	Suspected bool            // who had it was suspected
	Again     bool            // it was fenced, and nobody else had it in between
	First     bool            // nobody had it before, as far as this member knows
}

// Assigned returns when the member is to have the task, with a context that ends when it is not to have it any more, or
// ctx ends. A positive argument is the assignment under which it had the task until another process fenced it: it tells
// the group, and waits for an assignment after the present one. Processes that go on fencing each other pause longer
// and longer in between.
func (t Task) Assigned(ctx context.Context, fenced int32) (Given, error) {
	after := int32(0)
	if fenced > 0 {
		var pause time.Duration
		after, pause = t.member.fence(t.number, fenced)
		sleep(ctx, pause)
	}
	for {
		a, err := t.member.Next(ctx, after)
		if err != nil {
			return Given{}, err
		}
		if a.active(t.number) {
			g := t.member.give(ctx, t.number, a.Number)
			if g.Suspected = slices.Contains(a.Suspected, t.number); g.Assigned.Err() == nil {
				return g, nil
			}
		}
		after = a.Number
	}
}

// fences are how a task was assigned and lost.
type fences struct {
	given  time.Time          // when it was assigned, the last time that it was not before
	live   time.Time          // since when it has been live; zero: it is not yet
	again  bool               // it was fenced, and given to nobody else in between
	revoke context.CancelFunc // ends what Assigned returned; nil: nothing
	lost   int32              // the assignment under which the member had it last
	number int32              // the newest assignment when it was lost
	often  int                // times that it was lost, each before it was live for a session timeout
}

// grace is how long the member may take to be live, before the group gives the task to another one that is warm. It is
// longer each time that it was too short.
func (f *fences) grace(session time.Duration) time.Duration {
	return session << max(0, min(f.often, 5)-1)
}

// give returns a task with a context that has ended if an assignment is not the newest.
func (m *Member) give(ctx context.Context, task, number int32) Given {
	m.mu.Lock()
	defer m.mu.Unlock()
	ctx, revoke := context.WithCancel(ctx)
	if ctx.Err() != nil || m.ended || m.newest.Number != number {
		revoke()
		return Given{Assigned: ctx}
	}
	f := m.fenced[task]
	f.revoke = revoke
	m.fenced[task] = f
	//mutation:nobody-had-it
	return Given{Assigned: ctx, Number: number, Again: f.again, First: m.handed[task].before == ""}
}

// live notes that the member has a task in fact.
func (m *Member) live(task int32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if f := m.fenced[task]; f.live.IsZero() {
		f.live = time.Now()
		m.fenced[task] = f
	}
}

// turn notes which tasks the newest assignment gives to the member, and takes from it: what Assigned returned of those
// ends.
func (m *Member) turn(a *Assignment) {
	for _, task := range m.newest.Active {
		f := m.fenced[task]
		if a.active(task) {
			continue
		}
		//mutation:group-revoked
		if f.revoke != nil {
			f.revoke()
		}
		if f.live.IsZero() && f.number != m.newest.Number {
			f.often++
		}
		m.fenced[task] = f
	}
	for _, task := range a.Active {
		if f := m.fenced[task]; !m.newest.active(task) || f.number == m.newest.Number {
			f.given, f.live, f.again = time.Now(), time.Time{}, m.newest.active(task)
			m.fenced[task] = f
		}
	}
}

// fence notes, once, that a task was lost. It is taken again under an assignment after the returned one, and after a
// pause.
func (m *Member) fence(task, lost int32) (after int32, pause time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := m.fenced[task]
	if f.lost == lost {
		return f.number, 0
	}
	//mutation:group-contest
	if !f.live.IsZero() && time.Since(f.live) >= m.config.Session {
		f.often = 0
	}
	f.often++
	f.lost, f.number, f.live = lost, m.newest.Number, time.Time{}
	m.fenced[task] = f
	//mutation:group-fenced-by-the-owner
	if m.newest.active(task) {
		m.Tell()
	}
	if f.often > 1 {
		pause = rand.N(min(contestPause<<min(f.often, 16), m.config.Session))
		m.config.Log.Warn().Str("model", m.config.nameOf(task)).Int("times", f.often).Stringer("pause", pause).
			Msg("fence-contested: another process fences this task again and again; if it is not in this group, end it")
	}
	return f.number, pause
}

// contestPause doubles with each time.
const contestPause = 100 * time.Millisecond
