package stream

import (
	"context"
	"fmt"
	"time"

	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// replayJournal learns again, in the order of seq, what was predicted between checkpoint and markers.
func (r *recovery) replayJournal(ctx context.Context) error {
	entries := r.openJournal()
	inputs := make([]*relearner, len(r.st.positions))
	for p := range inputs {
		d, err := event.New(r.st.fixed.Decode)
		if err != nil {
			return err
		}
		inputs[p] = &relearner{r: r, partition: int32(p), decoder: d}
	}
	for {
		e, err := entries.Next(ctx)
		if err != nil {
			return err
		}
		if e == nil {
			r.t.publishRecovering(r.recovered(r.endsAt(entries)))
			return nil
		}
		if err := r.checkEntry(e, len(inputs)); err != nil {
			return err
		}
		if e.Seq <= r.st.seq {
			continue // a stop was accepted, and this entry is from before
		}
		if entries.Torn() && r.completion == nil && !r.stopAccepted {
			if err := r.tear(entries, e); err != nil {
				return err
			}
		}
		if err := r.learnAgain(ctx, e, inputs); err != nil {
			return err
		}
		r.st.seq, r.newestEpoch, entries.Last = e.Seq, entries.Epoch, e.Seq
		r.progress.predictions++
		if err := r.saveProgress(entries); err != nil {
			return err
		}
	}
}

func (r *recovery) learnAgain(ctx context.Context, e *journal.Entry, inputs []*relearner) error {
	switch {
	//mutation:missing-entries
	case e.Order == journal.Missing && r.completion != nil && e.Outcome == nil:
		return inputs[e.Partition].makeAnew(ctx, e)
	// A stop was accepted: it stays a hole, and its record is predicted later.
	case e.Order == journal.Missing && r.completion == nil:
		return nil
	case r.plan.InputReplaced:
		return nil
	case e.Outcome != nil:
		return r.settleAgain(e)
	case e.Offset < r.st.positions[e.Partition]:
		return nil
	}
	return inputs[e.Partition].relearn(ctx, e)
}

func (r *recovery) openJournal() *journal.Reader {
	c := &r.t.Config
	var sources []journal.Source
	markers := r.st.fence.Markers()
	for _, t := range r.top.Journal() {
		from := *r.st.base.Of(t)
		for p, marker := range *markers.Of(t) {
			part := topics.Part{Partition: int32(p), From: from[p], To: marker}
			sources = append(sources, journal.Open(r.t.Log, t, part, c.Model, c.BatchRecords))
		}
	}
	return journal.NewReader(r.st.seq, sources...)
}

// endsAt are the ends of a checkpoint of the state after the entries read so far.
func (r *recovery) endsAt(entries *journal.Reader) topics.Ends {
	at, outputs := entries.Positions(), len(r.st.fence.Output)
	return topics.Ends{Output: at[:outputs], Outcomes: at[outputs:],
		DeadLetters: r.st.deadLetterFloor(r.st.fence.DeadLetters)}
}

// checkEntry is the stop for an entry that cannot be followed. After an accepted stop, seqs may be missing or repeated.
func (r *recovery) checkEntry(e *journal.Entry, inputs int) error {
	switch {
	case e.Kind == journal.Foreign:
		return r.otherWriter(e)
	case e.Order == journal.Mislaid && !r.stopAccepted:
		return r.differs("topic %s partition %d offset %d, seq %d: %v",
			r.top.Of(e.Topic).Name, e.Output, e.Record.Offset, e.Seq, e.Why)
	//mutation:seq-order
	case e.Order != journal.Due && e.Order != journal.Missing && !r.stopAccepted:
		return r.differs("topic %s partition %d offset %d has seq %d where %d is due",
			r.top.Of(e.Topic).Name, e.Output, e.Record.Offset, e.Seq, r.st.seq+1)
	case e.Seq <= r.st.seq:
	case e.Outcome == nil && int(e.Partition) >= inputs && !r.plan.InputReplaced:
		return r.differs("seq %d is for input partition %d, which does not exist", e.Seq, e.Partition)
	case e.Order == journal.Missing, e.Outcome != nil:
	//mutation:offset-order
	case !r.stopAccepted && e.Offset < r.st.positions[e.Partition]:
		return r.differs("seq %d is for input partition %d offset %d, below the position %d",
			e.Seq, e.Partition, e.Offset, r.st.positions[e.Partition])
	}
	return nil
}

func (r *recovery) differs(format string, args ...any) *stops.Error {
	return &stops.Error{Name: stops.JournalDiffers, What: fmt.Sprintf(format, args...),
		Safe: fmt.Sprintf("the model up to seq %d and every published prediction", r.st.seq),
		Do: "keep the folder and the topics as they are and compare them with `rosenblatt verify`; then go on with a" +
			" backup, or start a new model with another --model and --output"}
}

type recoveryProgress struct {
	begin, saved time.Time // of the recovery; when it saved a checkpoint last
	predictions  int64     // learned again
	next         int64     // how many before the next look at the clock
}

func (r *recovery) recovered(ends topics.Ends) Recovery {
	s := Recovery{Predictions: r.progress.predictions}
	markers := r.st.fence.Markers()
	for _, t := range r.top.Journal() {
		at, from := *ends.Of(t), *r.st.base.Of(t)
		for p, marker := range *markers.Of(t) {
			s.Done += at[p] - from[p]
			s.Total += marker - from[p]
		}
	}
	return s
}

func (r *recovery) saveProgress(entries *journal.Reader) error {
	p := &r.progress
	//mutation:boundary
	if r.stopAccepted || r.completion != nil || p.predictions < p.next || !entries.Boundary() {
		return nil
	}
	p.next = p.predictions + 1024
	if time.Since(p.saved) < r.t.Config.CheckpointInterval {
		return nil
	}
	p.saved = time.Now()
	ends := r.endsAt(entries)
	s := r.recovered(ends)
	left := time.Duration(float64(time.Since(p.begin)) * float64(s.Total-s.Done) / float64(max(1, s.Done)))
	r.t.Logger.Info().Int64("predictions", p.predictions).Int64("seq", r.st.seq).
		Str("left", left.Round(time.Second).String()).Msg("learning the journal again")
	r.t.publishRecovering(s)
	if _, err := r.st.saveNow(r.t.Store, &r.t.Config, ends); err != nil {
		r.t.Logger.Error().Err(err).Msg("a checkpoint during recovery failed; going on")
	}
	return nil
}
