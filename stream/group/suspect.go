package group

import (
	"maps"
	"slices"
	"time"
)

// settleAfter is how long after an assignment no member joins again by suspicion: brokers wait half a second for
// members to sync, and then drop those that have not. So who dies between the two is dropped.
const settleAfter = 600 * time.Millisecond

// suspicions are the tasks whose members this one suspects, under Member.mu.
type suspicions struct {
	doubts
	asked    map[int32]bool // since the newest assignment
	cold     map[int32]bool // what the member has told as cold
	assigned time.Time      // the newest assignment
	answers  map[int32]Suspicions
}

// Suspicions counts what became of them.
type Suspicions struct{ Alive, Replaced int64 }

// Doubt is what a member thinks of the one that has a task.
type Doubt struct {
	Asked bool          // the group is asked whether it is alive, because of the work that was told of
	Of    string        // its name; empty: it is not known
	After time.Duration // how long work may wait
}

// Suspect tells that work of a task that the member follows has waited for so long while nobody did any. Where that is
// too long the member joins again: who has the task and is alive joins, too, and keeps it.
func (t Task) Suspect(waited time.Duration) (d Doubt) {
	m := t.member
	m.mu.Lock()
	defer m.mu.Unlock()
	s, now := &m.suspects, time.Now()
	owner, _ := m.newest.Predicts.of(t.number)
	d.Of, d.After = owner.Instance, s.wait(now)
	if m.config.Failover <= 0 || waited < d.After || m.ended || s.asked[t.number] {
		return d
	}
	//mutation:suspect-settled
	if now.Sub(s.assigned) < settleAfter {
		return d
	}
	//mutation:suspect-cold
	if !m.newest.has(t.number) || m.newest.active(t.number) || s.cold[t.number] {
		return d
	}
	s.asked[t.number], d.Asked = true, true
	select {
	case m.suspected <- struct{}{}:
	default: // it is about to join
	}
	return d
}

// isSuspecting reports whether there is a suspicion without an answer.
func (m *Member) isSuspecting() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.suspects.asked) > 0
}

// tellSuspects adds what is suspected to what the member tells with a join.
func (m *Member) tellSuspects(held []TaskInfo) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := &m.suspects
	clear(s.cold)
	for i := range held {
		held[i].Suspected = s.asked[held[i].Task]
		if held[i].Cold || held[i].Differs {
			s.cold[held[i].Task] = true
		}
	}
}

// answer notes what an assignment makes of the suspicions. The member's lock is held.
func (m *Member) answer(a *Assignment) {
	s, now, left := &m.suspects, time.Now(), []string(nil)
	for _, task := range slices.Sorted(maps.Keys(s.asked)) {
		owner, _ := m.newest.Predicts.of(task)
		is, _ := a.Predicts.of(task)
		of := s.answers[task]
		if owner.Instance != is.Instance {
			of.Replaced++
			s.answers[task] = of
			m.config.Log.Warn().Str("model", m.config.nameOf(task)).Str("was", owner.Instance).
				Str("has", is.Instance).Msg("group: nobody had predicted; another member is to take over")
			continue
		}
		of.Alive++
		s.answers[task], left = of, append(left, owner.Instance)
	}
	if left != nil {
		s.wrong(now)
		slices.Sort(left)
		m.config.Log.Info().Strs("alive", slices.Compact(left)).Stringer("after", s.now()).
			Msg("group: who was suspected is alive; asked again after")
	}
	clear(s.asked)
	s.assigned = now
}
