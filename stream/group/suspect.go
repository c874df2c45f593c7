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

// Suspect tells that work of a task that the member follows has waited for so long while nobody did any. Where that is
// too long the member joins again: who has the task and is alive joins, too, and keeps it. asked reports whether it
// does because of this; after is how long work may wait.
func (t Task) Suspect(waited time.Duration) (asked bool, after time.Duration) {
	m := t.member
	m.mu.Lock()
	defer m.mu.Unlock()
	s, now := &m.suspects, time.Now()
	after = s.wait(now)
	if m.config.Failover <= 0 || waited < after || m.ended || s.asked[t.number] {
		return false, after
	}
	//mutation:suspect-settled
	if now.Sub(s.assigned) < settleAfter {
		return false, after
	}
	//mutation:suspect-cold
	if !m.newest.has(t.number) || m.newest.active(t.number) || s.cold[t.number] {
		return false, after
	}
	s.asked[t.number] = true
	select {
	case m.suspected <- struct{}{}:
	default: // it is about to join
	}
	return true, after
}

// Suspicions returns what became of those of the task that were answered.
func (t Task) Suspicions() Suspicions {
	t.member.mu.Lock()
	defer t.member.mu.Unlock()
	return t.member.suspects.answers[t.number]
}

// IsSuspected reports whether the member has asked for the one that has the task, and has no answer.
func (t Task) IsSuspected() bool {
	t.member.mu.Lock()
	defer t.member.mu.Unlock()
	return t.member.suspects.asked[t.number]
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
	s, now, left := &m.suspects, time.Now(), false
	for _, task := range slices.Sorted(maps.Keys(s.asked)) {
		owner, _ := m.newest.Predicts.of(task)
		is, _ := a.Predicts.of(task)
		of := s.answers[task]
		if owner.Instance != is.Instance {
			of.Replaced++
			s.answers[task] = of
			m.config.Log.Warn().Int32("task", task).Str("was", owner.Instance).Str("predicts", is.Instance).
				Msg("group: nobody had predicted; another member takes over")
			continue
		}
		of.Alive++
		s.answers[task], left = of, true
	}
	if left {
		s.wrong(now)
		m.config.Log.Info().Dur("after", s.now()).Msg("group: who was suspected is alive; asked again after")
	}
	clear(s.asked)
	s.assigned = now
}
