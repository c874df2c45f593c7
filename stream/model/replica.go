package model

import "rosenblatt/learner"

// Replica keeps a copy of a processor (learner.Replica).
type Replica struct {
	From *Processor
	To   *Processor // the copy: read it only when Step has returned true, and until Begin

	rows *learner.Replica
}

// NewReplica keeps a copy of p in to, a processor of the same configuration. A checkpoint of the copy builds on what
// one of p would build on, if it is p's first replica.
func (p *Processor) NewReplica(to *Processor) *Replica {
	to.base = p.base
	return &Replica{From: p, To: to, rows: p.task.replica(to.task)}
}

// Begin starts a copy of the processor as it is now.
func (r *Replica) Begin() {
	//mutation:untrained-copied
	r.To.Trained = r.From.Trained
	r.To.Family = r.From.Family
	r.From.task.copyScore(r.To.task)
	//mutation:slices-copied
	r.From.sliced.copyTo(&r.To.sliced)
	//mutation:drifts-copied
	r.To.drifts = r.From.drifts.clone()
	//mutation:decisions-copied
	r.To.inheritDecisions(r.From)
	r.rows.Begin()
}

// stepBytes is how much is copied at a time: the learner waits for it.
const stepBytes = 256 << 10

// Step copies a part, and reports whether the copy is complete.
func (r *Replica) Step() (done bool) { return r.rows.Step(stepBytes) }
