package group

import (
	"cmp"
	"math"
	"slices"
)

// balance finds out who ought to have each task, whether warm or not: the owners, as far as no member has more than one
// more than another. What late members still own stays with them.
func (p *plan) balance() {
	p.target = make([]*candidate, len(p.owner))
	copy(p.target, p.owner)
	eligible := p.eligible()
	for _, o := range p.owner {
		if o != nil {
			o.load++
		}
	}
	if len(eligible) == 0 {
		return
	}
	for t := range p.target {
		if able := p.able(t, eligible); p.target[t] == nil && len(able) > 0 {
			p.move(t, p.best(t, able))
		}
	}
	//mutation:group-balance
	for among := eligible; len(among) > 1; {
		spare := p.spread(among)
		// Those that still lack some cannot have what others have too much of, because it has stopped at them.
		lacks := func(c *candidate) bool { return spare[c] < 0 }
		if !p.stops || !slices.ContainsFunc(among, lacks) {
			break
		}
		among = slices.DeleteFunc(slices.Clone(among), lacks)
	}
	//mutation:group-balance-stopped
	for p.stops && p.shift(eligible) {
	}
}

// spread moves what members have too much to those that lack it, first the tasks that these are closest to having. One
// that its owner is taking over stays until that is live: another member would have to begin anew. It returns what is
// left to move.
func (p *plan) spread(eligible []*candidate) (spare map[*candidate]int) {
	spare = p.spare(eligible)
	type move struct {
		task     int
		to       *candidate
		distance int64
	}
	var moves []move
	for t, from := range p.target {
		//mutation:group-starting
		if spare[from] <= 0 || from.starting(t) {
			continue
		}
		for _, to := range p.able(t, eligible) {
			if spare[to] < 0 {
				moves = append(moves, move{t, to, to.distance(t)})
			}
		}
	}
	slices.SortStableFunc(moves, func(a, b move) int { return cmp.Compare(a.distance, b.distance) })
	for _, m := range moves {
		from := p.target[m.task]
		if spare[from] > 0 && spare[m.to] < 0 {
			spare[from]--
			spare[m.to]++
			p.move(m.task, m.to)
		}
	}
	return spare
}

// spare is how many tasks too many members have; negative: they lack so many. Those that have the most keep one more
// where they cannot all have as many.
func (p *plan) spare(eligible []*candidate) map[*candidate]int {
	tasks := 0
	for _, c := range eligible {
		tasks += c.load
	}
	byLoad := slices.Clone(eligible)
	slices.SortStableFunc(byLoad, func(a, b *candidate) int { return cmp.Compare(b.load, a.load) })
	spare := map[*candidate]int{}
	for i, c := range byLoad {
		spare[c] = c.load - tasks/len(eligible)
		if i < tasks%len(eligible) {
			spare[c]--
		}
	}
	return spare
}

func (p *plan) move(task int, to *candidate) {
	if from := p.target[task]; from != nil {
		from.load--
	}
	p.target[task] = to
	to.load++
}

// best is who gets a task without an owner: of those that have the fewest the closest.
func (p *plan) best(task int, eligible []*candidate) *candidate {
	return slices.MinFunc(eligible, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(a.load, b.load), cmp.Compare(a.distance(task), b.distance(task)))
	})
}

func (c *candidate) starting(task int) bool {
	t, _ := c.held(int32(task))
	return t.Starting && !t.Cold
}

// distance is how far a member is from having a task: 0 for a warm one, then by how far it is behind.
func (c *candidate) distance(task int) int64 {
	t, ok := c.held(int32(task))
	switch {
	case !ok, t.Stopped != "", t.Differs:
		return math.MaxInt64
	case t.Cold:
		return 1 + t.Behind
	}
	return 0
}

// activate says who has each task.
func (p *plan) activate() {
	p.active = make([]*candidate, len(p.owner))
	eligible := p.eligible()
	for task := range p.active {
		c := p.activeOf(task, p.able(task, eligible))
		if p.active[task] = c; c != nil {
			c.out.Active = append(c.out.Active, int32(task))
		}
	}
}

// activeOf is who ought to have a task, if warm; else its owner, if warm; else another warm one; else the owner, or
// without one the closest.
func (p *plan) activeOf(task int, able []*candidate) *candidate {
	to, owner := p.target[task], p.owner[task]
	//mutation:group-warm
	if to == nil || to.distance(task) == 0 {
		return to
	}
	if owner != nil && (owner.distance(task) == 0 || len(able) == 0) {
		return owner
	}
	closest := slices.MinFunc(able, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(a.distance(task), b.distance(task)),
			cmp.Compare(len(a.out.Active), len(b.out.Active)))
	})
	//mutation:group-owner-not-live
	if owner != nil && closest.distance(task) > 0 {
		return owner
	}
	if to == owner {
		p.target[task] = closest
	}
	return closest
}

// follow says who follows each task: who ought to have it and does not yet; then, as many as there are to be standbys,
// those that follow it, and those that do the least; and those that cannot have it because of their settings.
func (p *plan) follow() {
	eligible := p.eligible()
	standbys := 0
	for _, c := range eligible {
		standbys = max(standbys, c.Standbys)
	}
	for task, active := range p.active {
		able := slices.Clone(p.able(task, eligible))
		others := slices.DeleteFunc(able, func(c *candidate) bool { return c == active })
		if to := p.target[task]; to != active {
			to.out.Follow = append(to.out.Follow, int32(task))
			others = slices.DeleteFunc(others, func(c *candidate) bool { return c == to })
		}
		slices.SortStableFunc(others, func(a, b *candidate) int {
			return cmp.Or(cmp.Compare(a.distance(task), b.distance(task)), cmp.Compare(a.work(), b.work()))
		})
		for _, c := range others[:min(standbys, len(others))] {
			c.out.Follow = append(c.out.Follow, int32(task))
		}
		for _, c := range eligible {
			// So it sees when the settings become its own.
			//mutation:group-differs-follows
			if t, _ := c.held(int32(task)); t.Differs && t.Stopped == "" {
				c.out.Follow = append(c.out.Follow, int32(task))
			}
		}
	}
}

func (c *candidate) work() int { return len(c.out.Active) + len(c.out.Follow) }
