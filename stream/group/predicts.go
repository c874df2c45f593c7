package group

import (
	"math"
	"slices"
	"time"
)

// Predicts says who has each task, and how many members follow it. It is small: most owners were given many tasks at
// once. A count is of 255 members at most.
type Predicts struct {
	Owners []Owner `json:"owners,omitempty"`
	By     []byte  `json:"by,omitempty"` // by task: the number of its owner, from 1 on; 0: nobody, or not told

	Follow []byte `json:"follow,omitempty"` // by task: how many members follow it
	Differ []byte `json:"differ,omitempty"` // how many of these have other settings; absent: none of any task
	Cold   []byte `json:"cold,omitempty"`   // how many of the others are too far behind; likewise
}

// Owner is a member that has tasks.
type Owner struct {
	Instance string `json:"instance"`
	// Since is since when it predicts, ms since 1970 by its own clock; 0: it had not begun to when it told.
	Since int64 `json:"since,omitempty"`
}

// of returns who has a task.
func (p *Predicts) of(task int32) (o Owner, ok bool) {
	if int(task) >= len(p.By) || p.By[task] == 0 || int(p.By[task]) > len(p.Owners) {
		return Owner{}, false
	}
	return p.Owners[p.By[task]-1], true
}

// tellOwners notes and logs who has tasks from now on that were another member's, or nobody's. The member's lock is
// held.
func (m *Member) tellOwners(a *Assignment) {
	for i, o := range a.Predicts.Owners {
		var models []string
		for task, by := range a.Predicts.By {
			if int(by) == i+1 && m.hand(int32(task), o) {
				models = append(models, m.config.nameOf(int32(task)))
			}
		}
		if len(models) == 0 {
			continue
		}
		e := m.config.Log.Info().Str("has", o.Instance).Strs("models", models)
		if o.Since > 0 {
			e = e.Time("predictsSince", time.UnixMilli(o.Since).UTC())
		}
		e.Msg("group: who has which model")
	}
}

// predicts says who has each task by the plan, since when it predicts, and how many follow.
func (p *plan) predicts() (out Predicts) {
	number := map[Owner]byte{}
	out.By = make([]byte, len(p.active))
	for task, c := range p.active {
		if c == nil {
			continue
		}
		o := Owner{Instance: c.Instance}
		if p.had[task] == c {
			told, _ := c.held(int32(task))
			o.Since = told.Since
		}
		if number[o] == 0 {
			if len(out.Owners) == math.MaxUint8 {
				continue
			}
			out.Owners = append(out.Owners, o)
			number[o] = byte(len(out.Owners))
		}
		out.By[task] = number[o]
	}
	p.countFollowers(&out)
	return out
}

// countFollowers adds how many members follow each task by the plan. One that has not loaded it is too far behind.
func (p *plan) countFollowers(out *Predicts) {
	all := []*[]byte{&out.Follow, &out.Differ, &out.Cold}
	for _, counts := range all {
		*counts = make([]byte, len(p.active))
	}
	add := func(counts []byte, task int32) {
		if counts[task] < math.MaxUint8 {
			counts[task]++
		}
	}
	for _, c := range p.candidates {
		for _, task := range c.out.Follow {
			add(out.Follow, task)
			switch told, ok := c.held(task); {
			case told.Differs:
				add(out.Differ, task)
			//mutation:counted-as-warm
			case !ok || told.Cold:
				add(out.Cold, task)
			}
		}
	}
	for _, counts := range all {
		if !slices.ContainsFunc(*counts, func(n byte) bool { return n > 0 }) {
			*counts = nil
		}
	}
}

// suspected are the tasks that a member is to have from now on because another one had been suspected.
func (p *plan) suspected(c *candidate) (tasks []int32) {
	for _, task := range c.out.Active {
		if p.had[task] == c {
			continue
		}
		for _, other := range p.candidates {
			if t, _ := other.held(task); t.Suspected && !other.out.Late {
				tasks = append(tasks, task)
				break
			}
		}
	}
	return tasks
}
