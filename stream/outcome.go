package stream

import (
	"math"

	"rosenblatt/checkpoint"
	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// Settler makes the outcomes of predictions (PROTOCOL.md, "Outcomes"). It is part of the state: the same calls in the
// same order make the same outcomes. The owner of the state calls it.
type Settler interface {
	// Predicted notes a prediction that is in the journal. One that waits is scored and learned with its outcome,
	// others by the caller now.
	Predicted(p *Predicted) (waits bool)
	// Make returns the next outcome of a kind, for a partition as in the run of a layout, or, of journal.Foreign, the
	// one that is due now; nil if there is none. It changes nothing. The outcome is valid until the next call.
	Make(kind journal.Kind, partition int32, p *model.Processor) *journal.Outcome
	// Settled learns the outcome that Make returned: it is in the journal.
	Settled(o *journal.Outcome, p *model.Processor)
	// Snapshot returns what makes the sections of a checkpoint, of the state as it is now. Another goroutine makes and
	// encodes them, while the state changes.
	Snapshot() func() []checkpoint.Section
}

// Predicted is a prediction as a Settler is told of it. It is valid during the call.
type Predicted struct {
	Seq       int64
	Partition int32 // of the input
	At        int64 // when it was predicted, ms
	Record    *topics.Record
	Example   *event.Example
	Features  []learner.Feature
	Outcome   *model.Outcome

	Identified bool // ID is known, as a decoder found it
	ID         labels.ID
}

// settled returns what makes the Settler's sections.
func (st *state) settled() func() []checkpoint.Section {
	if st.settler == nil || st.late != nil && st.late.over() {
		return func() []checkpoint.Section { return nil }
	}
	return st.settler.Snapshot()
}

// learn scores and learns the last prediction, unless it waits for its outcome.
func (st *state) learn(p *Predicted) {
	if st.settler != nil {
		st.predicted = *p // it is no garbage
		if st.settler.Predicted(&st.predicted) {
			return
		}
	}
	st.proc.Learn(p.Record, p.Outcome)
}

// settleDue adds the outcomes that are due now. It returns false if one does not fit into the flight.
func (s *session) settleDue(f *flight) bool {
	st := s.st
	if st.settler == nil {
		return true
	}
	for {
		o := st.settler.Make(journal.Foreign, 0, st.proc)
		if o == nil {
			return true
		}
		if !s.settle(f, o) {
			return false
		}
	}
}

// settle adds an outcome to the flight and learns it. It returns false, and has done nothing, if it does not fit.
func (s *session) settle(f *flight, o *journal.Outcome) bool {
	st, begins := s.st, len(f.layout.Runs) == 0
	partitions := len(st.fence.Outcomes)
	to := f.share(&f.outcomes, o.Home(partitions), f.limits.outcomes)
	if !begins && (f.full || !f.admitsRun(o.Run()) || to.records.Len() >= f.limits.records) {
		return false
	}
	size := to.records.Size()
	if !s.outcomes.add(to, f.now, o, st.seq+1) {
		if !begins {
			return false
		}
		to.records.Limit, f.full = f.limits.outcome, true
		if !s.outcomes.add(to, f.now, o, st.seq+1) {
			s.outcomes.addShort(to, f.now, o, st.seq+1)
		}
	}
	f.bytes += to.records.Size() - size
	st.seq++
	if begins {
		f.layout.First = st.seq
	}
	f.layout.AddOutcome(o, partitions)
	st.settler.Settled(o, st.proc)
	if l := st.late; l != nil && o.Mistake && !o.Untrained && l.ending.kept.Record.Value != nil {
		s.t.recent.mistake(topics.Place{Partition: o.Partition, Offset: o.Offset}, &l.ending.kept.Record, l.ending.now)
		if !o.Kind.ByLabel() { // an event may be next, and use the memory of what was kept again
			s.t.recent.settle()
		}
	}
	return true
}

// outcomeWriter adds outcomes to shares.
type outcomeWriter struct{ *journal.OutcomeEncoder }

// add adds an outcome, unless it does not fit.
func (w outcomeWriter) add(to *share, now int64, o *journal.Outcome, seq int64) bool {
	return to.records.Finish(w.Append(to.records.Start(now, o.Key), o, seq))
}

// addShort adds an outcome in its short form to an empty share: its prediction is published, so it cannot be rejected.
func (w outcomeWriter) addShort(to *share, now int64, o *journal.Outcome, seq int64) {
	r := topics.Record{Key: o.Key, Value: w.Append(nil, o, seq)}
	journal.Shorten(&r)
	to.records.Limit = math.MaxInt32 // the broker decides
	to.records.Append(now, r.Key, r.Value)
}
