package group

import (
	"fmt"
	"strconv"
	"time"
)

// View is what a member knows of a task. Its own part in it apart, that is as of the group's last assignment.
type View struct {
	Owner     string    // the member that has it; empty: nobody has it, or that is not known
	Own       bool      // that is this member
	Since     time.Time // since when the owner predicts, by its own clock; zero: it had not begun to when it told
	Given     time.Time // since when the owner has it, as far as this member knows, by this member's clock
	Lost      bool      // it was this member's, and cannot be any more; who has it is not known yet
	Followers int       // members that follow it, 255 at most
	Able      int       // those of them that may take it over at once

	Asked      bool // the owner is suspected, and the group has not responded yet
	Suspicions Suspicions
	Awaits     string // why nobody asks for the owner where nobody predicts; empty: somebody would
}

// View returns what the member knows of the task.
func (t Task) View() View {
	m := t.member
	m.mu.Lock()
	defer m.mu.Unlock()
	v := View{Asked: m.suspects.asked[t.number], Suspicions: m.suspects.answers[t.number], Awaits: m.awaits(t.number)}
	if o, ok := m.newest.Predicts.of(t.number); ok {
		v.Owner, v.Own, v.Given = o.Instance, o.Instance == m.config.Instance, m.handed[t.number].at
		if o.Since > 0 {
			v.Since = time.UnixMilli(o.Since)
		}
	}
	//mutation:lost-and-own
	if v.Own && m.fenced[t.number].number == m.newest.Number {
		v.Owner, v.Own, v.Lost = "", false, true
	}
	n, differ, cold := m.newest.Predicts.followers(t.number)
	v.Followers, v.Able = n, n-differ-cold
	return v
}

// Awaits says why nobody asks for the member that has the task where nobody predicts; empty: somebody would.
func (t Task) Awaits() string {
	t.member.mu.Lock()
	defer t.member.mu.Unlock()
	return t.member.awaits(t.number)
}

// awaits is Awaits. The member's lock is held.
func (m *Member) awaits(task int32) string {
	const may = "no follower may take over: "
	switch n, differ, cold := m.newest.Predicts.followers(task); {
	case n > 0 && differ == n:
		return may + "other settings than the model has, without a token for them"
	case n > 0 && cold == n:
		return may + fmt.Sprintf("more than %d s behind", int(coldAfter.Seconds()))
	case n > 0 && differ+cold == n:
		return may + fmt.Sprintf("other settings, or more than %d s behind", int(coldAfter.Seconds()))
	case m.config.Failover <= 0:
		return fmt.Sprintf("--failover off: it is waited for until the brokers drop it, --session-timeout %v after its"+
			" last heartbeat", m.config.Session)
	}
	return ""
}

// followers returns how many members follow a task, how many of these have other settings, and how many of the others
// are too far behind.
func (p *Predicts) followers(task int32) (all, differ, cold int) {
	of := func(counts []byte) int {
		if int(task) >= len(counts) {
			return 0
		}
		return int(counts[task])
	}
	return of(p.Follow), of(p.Differ), of(p.Cold)
}

// handed is which member has a task, as far as this one knows.
type handed struct {
	to, before string    // before: who had it then; empty: nobody is known
	at         time.Time // by this member's clock
}

// hand notes that a member has a task, and reports whether it is given it anew. The lock is held.
func (m *Member) hand(task int32, to Owner) bool {
	was, ok := m.newest.Predicts.of(task)
	//mutation:handed-anew
	if ok && was.Instance == to.Instance && (to.Since > 0 || was.Since == 0) {
		return false
	}
	m.handed[task] = handed{to: to.Instance, before: m.handed[task].to, at: time.Now()}
	return true
}

// nameOf is a task's name in logs.
func (c *Config) nameOf(task int32) string {
	if c.Name == nil {
		return strconv.Itoa(int(task))
	}
	return c.Name(task)
}
