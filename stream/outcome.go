package stream

import (
	"math"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/late"
	"rosenblatt/stream/topics"
)

// settleDue adds the outcomes that are due now. It returns false if one does not fit into the flight.
func (s *session) settleDue(f *flight) bool {
	st := s.st
	if st.Pending == nil {
		return true
	}
	for {
		o := st.Pending.MakeDue(st.Proc)
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
	partitions := len(st.Fence.Outcomes)
	to := f.share(&f.outcomes, o.Home(partitions), f.limits.outcomes)
	if !begins && (f.full || !f.admitsRun(o.Run()) || to.records.Len() >= f.limits.records) {
		return false
	}
	size := to.records.Size()
	if !s.outcomes.add(to, f.now, o, st.Seq+1) {
		if !begins {
			return false
		}
		to.records.Limit, f.full = f.limits.outcome, true
		if !s.outcomes.add(to, f.now, o, st.Seq+1) {
			s.outcomes.addShort(to, f.now, o, st.Seq+1)
		}
	}
	f.bytes += to.records.Size() - size
	st.Seq++
	if begins {
		f.layout.First = st.Seq
	}
	f.layout.AddOutcome(o, partitions)
	st.Pending.Learn(o, st.Proc)
	if l := st.Labels(); l != nil && o.Mistake && !o.Untrained {
		s.noteMistake(l, o)
	}
	return true
}

// noteMistake notes that the prediction of an outcome was wrong, if the event's record is kept.
func (s *session) noteMistake(l *late.Labels, o *journal.Outcome) {
	record, now := l.LastLearned()
	if record.Value == nil {
		return
	}
	s.t.board.Mistake(topics.Place{Partition: o.Partition, Offset: o.Offset}, record, now)
	if !o.Kind.ByLabel() { // an event may be next, and use the memory of what was kept again
		s.t.board.CopySamples()
	}
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
