package stream

import (
	"math"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/late"
	"rosenblatt/stream/topics"
)

// placeDue places the outcomes that are due now. It returns full if one does not fit into the flight.
func (s *session) placeDue(f *flight) placement {
	st := s.st
	if st.Pending == nil {
		return placed
	}
	for {
		o := st.Pending.MakeDue(st.Proc)
		if o == nil {
			return placed
		}
		if s.promotes(f) && s.promote(f, o.Scored) {
			o = st.Pending.MakeDue(st.Proc)
		}
		if s.placeOutcome(f, o) == full {
			return full
		}
	}
}

// placeOutcome places an outcome in the flight and learns it. It returns full, and has done nothing, if it does not
// fit.
func (s *session) placeOutcome(f *flight, o *journal.Outcome) placement {
	st, partitions := s.st, len(s.st.Fence.Outcomes)
	to := f.share(&f.outcomes, o.Home(partitions), f.limits.outcomes)
	size := to.records.Size()
	encode := func(to *share) bool { return s.outcomes.add(to, f.now, o, st.Seq+1) }
	switch f.place(o.Run(), to, f.limits.outcome, encode) {
	case full:
		return full
	case never:
		s.outcomes.addShort(to, f.now, o, st.Seq+1)
	}
	f.bytes += to.records.Size() - size
	st.Seq++
	f.addOutcome(o, partitions, st.Seq)
	st.Pending.Learn(o, st.Proc)
	if l := st.Labels(); l != nil && o.Mistake && !o.Untrained {
		s.noteMistake(l, o)
	}
	return placed
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
