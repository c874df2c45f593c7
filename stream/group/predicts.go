package group

import "time"

// Predicts says who has each task. It is small: most owners were given many tasks at once.
type Predicts struct {
	Owners []Owner `json:"owners,omitempty"`
	By     []byte  `json:"by,omitempty"` // by task: the number of its owner, from 1 on; 0: nobody, or not told
}

// Owner is a member that has tasks since a moment.
type Owner struct {
	Instance string `json:"instance"`
	Since    int64  `json:"since,omitempty"` // ms since 1970 by its own clock; 0: since this assignment
}

// of returns who has a task.
func (p *Predicts) of(task int32) (o Owner, ok bool) {
	if int(task) >= len(p.By) || p.By[task] == 0 || int(p.By[task]) > len(p.Owners) {
		return Owner{}, false
	}
	return p.Owners[p.By[task]-1], true
}

// tellOwners logs who has tasks from now on that were another member's, or nobody's. The member's lock is held.
func (m *Member) tellOwners(a *Assignment) {
	for i, o := range a.Predicts.Owners {
		var tasks []int32
		for task, by := range a.Predicts.By {
			was, _ := m.newest.Predicts.of(int32(task))
			if int(by) == i+1 && was.Instance != o.Instance {
				tasks = append(tasks, int32(task))
			}
		}
		if len(tasks) > 0 {
			m.config.Log.Info().Str("predicts", o.Instance).Time("since", time.UnixMilli(o.Since).UTC()).
				Ints32("tasks", tasks).Msg("group: who predicts")
		}
	}
}

// predicts says who has each task by the plan, and since when.
func (p *plan) predicts() (out Predicts) {
	const most = 255
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
			if len(out.Owners) == most {
				continue
			}
			out.Owners = append(out.Owners, o)
			number[o] = byte(len(out.Owners))
		}
		out.By[task] = number[o]
	}
	return out
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
