package group

import (
	"cmp"
	"math"
	"slices"
)

// balance finds out who ought to have each task, whether warm or not: the owners, as far as no member has more than one
// more than another. What late members still own stays with them.
func (p *plan) balance() {
	p.target = make([]*seat, len(p.owner))
	copy(p.target, p.owner)
	open := p.openSeats()
	for _, o := range p.owner {
		if o != nil {
			o.load++
		}
	}
	if len(open) == 0 {
		return
	}
	for t := range p.target {
		if p.target[t] == nil {
			p.move(t, p.best(t, open))
		}
	}
	//mutation:group-balance
	p.spread(open)
}

// spread moves what members have too much to those that lack it, first the tasks that these are closest to having.
func (p *plan) spread(open []*seat) {
	spare := p.spare(open)
	type move struct {
		task     int
		to       *seat
		distance int64
	}
	var moves []move
	for t, from := range p.target {
		if spare[from] <= 0 {
			continue
		}
		for _, to := range open {
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
}

// spare is how many tasks too many members have; negative: they lack so many. Those that have the most keep one more
// where they cannot all have as many.
func (p *plan) spare(open []*seat) map[*seat]int {
	tasks := 0
	for _, s := range open {
		tasks += s.load
	}
	byLoad := slices.Clone(open)
	slices.SortStableFunc(byLoad, func(a, b *seat) int { return cmp.Compare(b.load, a.load) })
	spare := map[*seat]int{}
	for i, s := range byLoad {
		spare[s] = s.load - tasks/len(open)
		if i < tasks%len(open) {
			spare[s]--
		}
	}
	return spare
}

func (p *plan) move(task int, to *seat) {
	if from := p.target[task]; from != nil {
		from.load--
	}
	p.target[task] = to
	to.load++
}

// best is who gets a task without an owner: of those that have the fewest the closest.
func (p *plan) best(task int, open []*seat) *seat {
	return slices.MinFunc(open, func(a, b *seat) int {
		return cmp.Or(cmp.Compare(a.load, b.load), cmp.Compare(a.distance(task), b.distance(task)))
	})
}

// distance is how far a member is from having a task: 0 for a warm one, then by how far it is behind.
func (s *seat) distance(task int) int64 {
	t, ok := s.held(int32(task))
	switch {
	case !ok:
		return math.MaxInt64
	case t.Cold:
		return 1 + t.Behind
	}
	return 0
}

// activate says who has each task.
func (p *plan) activate() {
	p.active = make([]*seat, len(p.owner))
	open := p.openSeats()
	for task := range p.active {
		s := p.activeOf(task, open)
		if p.active[task] = s; s != nil {
			s.out.Active = append(s.out.Active, int32(task))
		}
	}
}

// activeOf is who ought to have a task, if warm; else its owner, if warm; else another warm one; else the owner, or
// without one the closest.
func (p *plan) activeOf(task int, open []*seat) *seat {
	to, owner := p.target[task], p.owner[task]
	//mutation:group-warm
	if to == nil || to.distance(task) == 0 {
		return to
	}
	if owner != nil && (owner.distance(task) == 0 || len(open) == 0) {
		return owner
	}
	closest := slices.MinFunc(open, func(a, b *seat) int {
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
// those that follow it, and those that do the least.
func (p *plan) follow() {
	open := p.openSeats()
	standbys := 0
	for _, s := range open {
		standbys = max(standbys, s.Standbys)
	}
	for task, active := range p.active {
		others := slices.DeleteFunc(slices.Clone(open), func(s *seat) bool { return s == active })
		if to := p.target[task]; to != active {
			to.out.Follow = append(to.out.Follow, int32(task))
			others = slices.DeleteFunc(others, func(s *seat) bool { return s == to })
		}
		slices.SortStableFunc(others, func(a, b *seat) int {
			return cmp.Or(cmp.Compare(a.distance(task), b.distance(task)), cmp.Compare(a.work(), b.work()))
		})
		for _, s := range others[:min(standbys, len(others))] {
			s.out.Follow = append(s.out.Follow, int32(task))
		}
	}
}

func (s *seat) work() int { return len(s.out.Active) + len(s.out.Follow) }
