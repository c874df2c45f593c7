package learner

// Replica keeps a copy of a model, which it brings up to date in steps while the model goes on learning.
//
// The obvious design copies everything between two examples. Of 2^22 slots that may be 143 MB, and nothing is learned
// meanwhile. A lock around each block of slots would cost every step of the learner. So blocks are copied in steps, and
// one that the model is about to write to is copied first. The copy is exactly the model at Begin.
//
// Begin and Step belong to the model's goroutine. The copy may be read by another one from when Step has returned true
// until the next Begin; it must not learn.
type Replica struct {
	from, to replicated
	parts    []*part
	next     int // no part below is due
}

// replicated is a Model or a Multi.
type replicated interface {
	groups() []*group
	// copyRest makes to, of the same Spec, the same model but for the rows of the groups.
	copyRest(to replicated)
}

// NewReplica keeps a copy of m in the memory of to, where that is of the same Spec (a zero Model will do).
func (m *Model) NewReplica(to *Model) *Replica {
	to.become(m.spec)
	to.names.kept = m.names.kept
	return newReplica(m, to)
}

// NewReplica is Model.NewReplica.
func (m *Multi) NewReplica(to *Multi) *Replica {
	to.become(m.spec)
	to.names.kept = m.names.kept
	return newReplica(m, to)
}

// newReplica begins with the changes of the model: to a base that both have.
func newReplica(from, to replicated) *Replica {
	r := &Replica{from: from, to: to}
	from.copyRest(to)
	r.extend()
	for _, p := range r.parts {
		copy(p.to.changed, p.from.changed)
	}
	return r
}

// extend adds what the model has got since: classes, all of which has changed.
func (r *Replica) extend() {
	from, to := r.from.groups(), r.to.groups()
	for i := len(r.parts); i < len(from); i++ {
		r.parts = append(r.parts, newPart(from[i], to[i]))
	}
}

// Begin starts a copy of the model as it is now. The time it takes does not depend on what has changed.
// Column.Changed of the copy is what has changed since the copy's ClearChanged.
func (r *Replica) Begin() {
	r.from.copyRest(r.to)
	r.extend()
	for _, p := range r.parts {
		p.begin()
	}
	r.next = 0
}

// Step copies about so many bytes, and reports whether the copy is complete.
func (r *Replica) Step(bytes int) (done bool) {
	for ; r.next < len(r.parts); r.next++ {
		if bytes = r.parts[r.next].step(bytes); bytes <= 0 {
			return false
		}
	}
	return true
}

// copyGroups copies all rows.
func copyGroups(from, to []*group) {
	for i, g := range from {
		for j := range g.tables {
			copyAll(to[i].tables[j].Float64, g.tables[j].Float64)
			copyAll(to[i].tables[j].Uint16, g.tables[j].Uint16)
		}
		to[i].changed.fill(g.slots)
	}
}

func clearChanged(groups []*group) {
	for _, g := range groups {
		g.clearChanged()
	}
}
