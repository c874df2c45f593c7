package model

import "rosenblatt/learner"

// Replica keeps a copy of a processor (learner.Replica).
type Replica struct {
	From *Processor
	To   *Processor // the copy: read it only when Step has returned true, and until Begin

	rows []*learner.Replica
}

// NewReplica keeps a copy of p in to, a processor of the same configuration. A checkpoint of the copy builds on what
// one of p would build on, if it is p's first replica.
func (p *Processor) NewReplica(to *Processor) *Replica {
	p.shareTables()
	to.base = p.base
	if len(to.challengers) > 0 {
		to.switchTo(p.number)
	}
	r := &Replica{From: p, To: to, rows: []*learner.Replica{p.task.replica(to.task)}}
	for i := range to.challengers { // a copy without challengers is one of the champion alone
		r.rows = append(r.rows, p.challengers[i].task.replica(to.challengers[i].task))
	}
	return r
}

// Begin starts a copy of the processor as it is now.
func (r *Replica) Begin() {
	if len(r.To.challengers) > 0 {
		//mutation:copy-is-promoted
		if r.To.number != r.From.number {
			r.To.switchTo(r.From.number)
			r.To.published = nil // it is of the champion before
		}
		r.From.copyBeside(r.To)
	}
	r.From.copyFigures(r.To)
	for _, rows := range r.rows {
		rows.Begin()
	}
}

// copyFigures copies all but the columns of a learner.
func (p *Processor) copyFigures(to *Processor) {
	//mutation:untrained-copied
	to.Trained = p.Trained
	to.Family = p.Family
	p.task.copyScore(to.task)
	//mutation:slices-copied
	p.sliced.copyTo(&to.sliced)
	//mutation:drifts-copied
	to.drifts = p.drifts.clone()
	//mutation:decisions-copied
	to.inheritDecisions(p)
}

// stepBytes is how much is copied at a time: the learner waits for it.
const stepBytes = 256 << 10

// Step copies a part, and reports whether the copy is complete.
func (r *Replica) Step() (done bool) { return r.step(stepBytes) }

func (r *Replica) step(bytes int) (done bool) {
	for _, rows := range r.rows {
		if !rows.Step(bytes) {
			return false
		}
	}
	return true
}
