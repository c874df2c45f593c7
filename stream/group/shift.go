package group

import (
	"cmp"
	"slices"
)

// step is a task that could go from one member to another.
type step struct {
	from *candidate
	task int
}

// shift makes a member have one task less, and another one, which had two fewer or more, one more: that one gets a task
// of the first, or of a third member that gets one of the first, and so on over as few members as possible. Spread
// moves tasks from one member to another alone; where they have stopped at some, that leaves members with more than
// they need have. Without such a way no assignment is more even. It returns false then.
func (p *plan) shift(eligible []*candidate) bool {
	byLoad := slices.Clone(eligible)
	slices.SortStableFunc(byLoad, func(a, b *candidate) int { return cmp.Compare(b.load, a.load) })
	for _, from := range byLoad {
		way := map[*candidate]step{from: {}}
		for next := []*candidate{from}; len(next) > 0; next = next[1:] {
			for _, to := range p.steps(next[0], eligible, way) {
				if to.load > from.load-2 {
					next = append(next, to)
					continue
				}
				for at := to; at != from; at = way[at].from {
					p.move(way[at].task, at)
				}
				return true
			}
		}
	}
	return false
}

// steps adds to the ways those to members that are on none yet and could have a task of one, the closest to each, and
// returns these members, those that have the fewest first.
func (p *plan) steps(from *candidate, eligible []*candidate, way map[*candidate]step) (to []*candidate) {
	closest := map[*candidate]int64{}
	for t, c := range p.target {
		if c != from || from.starting(t) {
			continue
		}
		for _, other := range p.able(t, eligible) {
			_, known := way[other]
			best, found := closest[other]
			if distance := other.distance(t); found && distance < best || !found && !known {
				closest[other], way[other] = distance, step{from, t}
			}
		}
	}
	for _, c := range eligible {
		if _, found := closest[c]; found {
			to = append(to, c)
		}
	}
	slices.SortStableFunc(to, func(a, b *candidate) int { return cmp.Compare(a.load, b.load) })
	return to
}
