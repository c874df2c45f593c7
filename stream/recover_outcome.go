package stream

import (
	"bytes"
	"context"
	"math"

	"rosenblatt/stream/journal"
)

// relearnOutcome makes the outcome of an entry anew, whether it is found or missing, and learns it.
func (r *recovery) relearnOutcome(ctx context.Context, e *journal.Entry) error {
	st := r.st
	if st.Pending == nil {
		return r.differs("seq %d is an outcome, and the task has no later labels", e.Seq)
	}
	o, err := r.makeOutcome(ctx, e)
	switch {
	case err != nil:
		return err
	case r.stopAccepted && (o == nil || !sameOutcome(o, e.Outcome)):
		//mutation:published-outcome
		r.endWaiting(e.Outcome)
		return nil // as far as the input allows
	case o == nil:
		return r.differs("seq %d is the outcome %q, and there is no prediction for it", e.Seq, e.Kind)
	case e.Order == journal.Missing:
		r.completion.encodeOutcome(e, o)
	//mutation:outcome-compared
	case !sameOutcome(o, e.Outcome):
		return r.differs("seq %d (%v of seq %d, input partition %d offset %d, score %v, now %v) is made again as %v of"+
			" seq %d, input partition %d offset %d, score %v, now %v", e.Seq,
			e.Kind, e.Outcome.Of, e.Outcome.Partition, e.Outcome.Offset, e.Outcome.Score, e.Outcome.ScoreNow,
			o.Kind, o.Of, o.Partition, o.Offset, o.Score, o.ScoreNow)
	}
	st.Pending.Learn(o, st.Proc)
	return nil
}

// sameOutcome reports whether two outcomes are equal in places, label, scores, and whether it was untrained.
func sameOutcome(a, b *journal.Outcome) bool {
	return a.Kind == b.Kind && a.Of == b.Of && a.Partition == b.Partition && a.Offset == b.Offset &&
		a.LabelPartition == b.LabelPartition && a.LabelOffset == b.LabelOffset &&
		bytes.Equal(a.Label, b.Label) && a.Scored == b.Scored && a.Mistake == b.Mistake && a.Updated == b.Updated &&
		math.Float64bits(a.Score) == math.Float64bits(b.Score) && a.Untrained == b.Untrained &&
		math.Float64bits(a.ScoreNow) == math.Float64bits(b.ScoreNow)
}
