package stream

import (
	"context"
	"time"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/readahead"
	"rosenblatt/stream/state"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/walk"
)

// replayJournal learns again, in the order of seq, what was predicted before the markers.
func (r *recovery) replayJournal(ctx context.Context) error {
	r.entries.Extend(r.st.Fence.Markers())
	for {
		e, err := r.entries.Next(ctx)
		if e == nil || err != nil {
			return err
		}
		if err := r.checkEntry(e, len(r.inputs)); err != nil {
			return err
		}
		if err := r.checkPartition(ctx, e); err != nil {
			return err
		}
		if e.Seq <= r.st.Seq {
			continue // a stop was accepted, and this entry is from before
		}
		if r.entries.Incomplete() && r.completion == nil && !r.stopAccepted {
			if err := r.prepareCompletion(ctx, e); err != nil {
				return err
			}
		}
		if err := r.checkDuplicate(e); err != nil {
			return err
		}
		if err := r.promoteAgain(e); err != nil {
			return err
		}
		if err := r.learnAgain(ctx, e); err != nil {
			return err
		}
		r.st.Seq, r.newestEpoch, r.entries.Last = e.Seq, max(r.newestEpoch, r.entries.Epoch), e.Seq
		r.lastEpoch = max(r.lastEpoch, e.Epoch)
		r.progress.predictions++
		r.noteFresh(e)
		r.moved(ctx)
	}
}

// promoteAgain makes the learner the champion that an entry's flight names, before its first entry.
func (r *recovery) promoteAgain(e *journal.Entry) error {
	//mutation:promotion-of-another
	if e.Champion == "" {
		return nil
	}
	at := time.Now().UnixMilli()
	if e.Record != nil {
		at = e.Record.Timestamp
	}
	if err := r.st.Proc.Promote(e.Champion, e.Seq, at); err != nil {
		return r.differs("seq %d makes another learner the champion: %v", e.Seq, err)
	}
	r.t.Logger.Info().Str("champion", e.Champion).Int64("seq", e.Seq).Msg("the journal has a promotion")
	return nil
}

func (r *recovery) learnAgain(ctx context.Context, e *journal.Entry) error {
	switch {
	//mutation:missing-entries
	case e.Order == journal.Missing && r.completion != nil && e.Outcome == nil:
		return r.inputs[e.Partition].makeAnew(ctx, e)
	// A stop was accepted: it stays a hole, and its record is predicted later.
	case e.Order == journal.Missing && r.completion == nil:
		return nil
	//mutation:outcomes-of-replaced
	case r.plan.Replaced && e.Outcome != nil:
		r.endWaiting(e.Outcome)
		return nil
	case r.plan.Replaced:
		return nil
	case e.Outcome != nil:
		return r.relearnOutcome(ctx, e)
	case e.Offset < r.st.Positions[e.Partition], r.plan.IsOther(e.Partition):
		return nil
	}
	return r.inputs[e.Partition].relearn(ctx, e)
}

func (r *recovery) openJournal() {
	var partitions []*walk.Entries
	markers := r.st.Fence.Markers()
	for _, t := range r.top.Journal() {
		for p, from := range *r.st.Base.Of(t) {
			c := r.open(t, int32(p), from, (*markers.Of(t))[p])
			partitions = append(partitions, &walk.Entries{Entries: readahead.Entries{Cursor: c}, Topic: t})
		}
	}
	r.entries = walk.NewJournal(r.st.Seq, partitions)
	for p := range r.st.Positions {
		x := r.newRelearner(int32(p))
		r.inputs = append(r.inputs, x)
		if !r.plan.Replaced && r.st.Base.Output[p] < r.st.Fence.Output[p] { // all at once, not one after the other
			x.Begin()
		}
	}
}

// ends are those of a checkpoint of the state after the entries read so far.
func (r *recovery) ends() topics.Ends {
	ends := r.entries.Ends()
	ends.DeadLetters = r.st.DeadLetterFloor(r.st.Fence.DeadLetters)
	return ends
}

// checkEntry is the stop for an entry that cannot be followed. After an accepted stop, seqs may be missing or repeated.
func (r *recovery) checkEntry(e *journal.Entry, inputs int) error {
	switch {
	case e.Kind == journal.Foreign:
		return r.otherWriter(e)
	case r.isNewWriter(e):
		return errNewWriter
	case e.Order == journal.OutOfPlace && !r.stopAccepted:
		return r.differs("topic %s partition %d offset %d, seq %d: %v",
			r.top.Of(e.Topic).Name, e.Output, e.Record.Offset, e.Seq, e.Why)
	//mutation:seq-order
	case e.Order != journal.Next && e.Order != journal.Missing && !r.stopAccepted:
		return r.differs("topic %s partition %d offset %d has seq %d where %d is due",
			r.top.Of(e.Topic).Name, e.Output, e.Record.Offset, e.Seq, r.st.Seq+1)
	case e.Seq <= r.st.Seq:
	case e.Order == journal.Missing, e.Outcome != nil, int(e.Partition) >= inputs:
	//mutation:offset-order
	case !r.stopAccepted && e.Offset < r.st.Positions[e.Partition]:
		return r.differs("seq %d is for input partition %d offset %d, below the position %d",
			e.Seq, e.Partition, e.Offset, r.st.Positions[e.Partition])
	}
	return nil
}

// checkPartition returns errPartitions for an entry of a partition that the topic was not known to have, and the stop
// where it has none.
func (r *recovery) checkPartition(ctx context.Context, e *journal.Entry) error {
	topic, partition := topics.Input, e.Partition
	if e.Outcome != nil {
		topic, partition = topics.Labels, e.Outcome.Run().Partition
	}
	switch {
	case e.Seq <= r.st.Seq, e.Outcome != nil && (!e.Kind.ByLabel() || r.st.Labels() == nil), r.plan.Of(topic).Replaced,
		int(partition) < len(r.st.PositionsOf(topic)):
		return nil
	}
	//mutation:entry-partitions
	switch has, err := r.hasPartition(ctx, topic, partition); {
	case err != nil:
		return err
	case has:
		return state.ErrPartitions
	}
	return r.differs("seq %d is for partition %d of topic %s, which does not exist", e.Seq, partition,
		r.top.Of(topic).Name)
}
