package labels

import "slices"

// naive is what a Waiting does, in lists.
type naive struct {
	Limits
	waiting []Example
	settled []naiveSettled
}

type naiveSettled struct {
	id      ID
	outcome Outcome
	label   Label
}

func (n *naive) place(id ID) (waiting, settled int) {
	return slices.IndexFunc(n.waiting, func(e Example) bool { return e.ID == id }),
		slices.IndexFunc(n.settled, func(s naiveSettled) bool { return s.id == id })
}

func (n *naive) add(e Example) (duplicate bool) {
	if w, s := n.place(e.ID); w >= 0 || s >= 0 {
		return true
	}
	n.waiting = append(n.waiting, e)
	return false
}

func (n *naive) own(id ID, l Label) {
	if w, s := n.place(id); w < 0 && s < 0 {
		n.settle(id, Labelled, l)
	}
}

func (n *naive) settle(id ID, o Outcome, l Label) {
	n.settled = append(n.settled, naiveSettled{id, o, l})
	if len(n.settled) > n.Settled {
		n.settled = n.settled[1:]
	}
}

func (n *naive) find(id ID, l Label) (Verdict, *Example) {
	w, s := n.place(id)
	switch {
	case w >= 0:
		return Waits, &n.waiting[w]
	case s < 0:
		return NoExample, nil
	case n.settled[s].outcome != Labelled && n.settled[s].outcome != Gone:
		return Late, nil
	case n.settled[s].label == l:
		return Repeat, nil
	}
	return Conflicting, nil
}

func (n *naive) end(seq int64, o Outcome, l Label) {
	i := slices.IndexFunc(n.waiting, func(e Example) bool { return e.Seq == seq })
	id := n.waiting[i].ID
	n.waiting = slices.Delete(n.waiting, i, i+1)
	n.settle(id, o, l)
}

func (n *naive) due(now int64, ok, assume bool) (*Example, Outcome) {
	if len(n.waiting) == 0 {
		return nil, 0
	}
	e := &n.waiting[0]
	switch late := ok && now > e.Since+n.Wait; {
	case late && assume:
		return e, Assumed
	case late:
		return e, Expired
	case len(n.waiting) > n.Examples:
		return e, Evicted
	}
	return nil, 0
}
