package group

import (
	"cmp"
	"math"
	"slices"
)

// balance finds out who ought to have each task, whether warm or not: the owners, as far as no member has more than one
// more than another. What late members own stays with them.
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
	for {
		least, most := bounds(open)
		//mutation:group-balance
		if most-least <= 1 {
			return
		}
		p.move(p.cheapest(open, least, most))
	}
}

func bounds(open []*seat) (least, most int) {
	least = open[0].load
	for _, s := range open {
		least, most = min(least, s.load), max(most, s.load)
	}
	return least, most
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

// cheapest finds a task of a member with the most tasks, and a member with the least that is closest to having it.
func (p *plan) cheapest(open []*seat, least, most int) (task int, to *seat) {
	for t, from := range p.target {
		if from == nil || !from.open() || from.load != most {
			continue
		}
		for _, s := range open {
			if s.load == least && (to == nil || s.distance(t) < to.distance(task)) {
				task, to = t, s
			}
		}
	}
	return task, to
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
