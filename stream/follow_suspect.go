package stream

import (
	"context"
	"slices"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/silence"
	"rosenblatt/stream/topics"
)

// suspicion is what a follower knows of work that nobody does (PROTOCOL.md, "Suspicion").
type suspicion struct {
	count       silence.Count
	predictions int64 // learned again at the look before
	fresh       int64 // entries that were learned in the look that found them
	begins      bool  // the journal has grown, and no entry was learned since: a writer may begin
}

// suspect asks the group for the member that has the task where work has waited for too long. It is called after what
// a look has found is learned.
func (r *recovery) suspect(look *silence.Look) {
	w := r.suspicion.count.Note(look)
	doubt := r.t.Standby.Suspect(w.For)
	if w.Offset == silence.None || !doubt.Asked {
		return
	}
	r.suspicion.count.Reset() // the answer is about what was seen up to now
	r.t.board.Suspect(&board.Suspicion{Partition: w.Partition, Offset: w.Offset, After: doubt.After})
	r.t.Logger.Warn().Str("suspected", doubt.Of).Int32("partition", w.Partition).Int64("offset", w.Offset).
		Stringer("waited", rounded(w.For)).Stringer("after", doubt.After).Int64("seq", r.st.Seq).
		Msg("suspected: this record waits and nobody predicts; asking the group who is alive")
}

// lookOf is what a look that began at a time says about work that waits.
func (r *recovery) lookOf(ctx context.Context, at time.Time, found topics.Ends) *silence.Look {
	look := &silence.Look{At: at, Written: grown(r.readable, found)}
	s := &r.suspicion
	learned := r.progress.predictions > s.predictions
	if learned {
		s.begins = false
	}
	if learned = learned && r.t.board.IsFollowing(); learned { // not those that it finds at first
		r.t.board.NoteWriter(r.lastEpoch)
	}
	//mutation:found-and-learned
	s.begins = s.begins || look.Written && growth(r.readable, found) != s.fresh
	s.predictions, s.fresh = r.progress.predictions, 0
	for _, x := range r.inputs {
		look.Heads = append(look.Heads, x.head)
	}
	r.t.remembered.quiet.note(r.t, look, learned, r.st.Positions, r.t.Standby.Awaits)
	if !r.hasWriter() {
		look.Heads = look.Heads[:0]
	}
	look.Reached = true
	if !look.Written && look.Waits() { // else nothing depends on it
		//mutation:leaders-that-answer
		look.Reached = r.t.Log.Reachable(ctx) == nil
	}
	return look
}

// hasWriter reports whether an entry of the present epoch is known, or the checkpoint was loaded because of that epoch,
// and may have all its entries. A writer that begins has a checkpoint to write first: of it, there are only markers.
func (r *recovery) hasWriter() bool {
	seen := r.entries.Epoch
	//mutation:loaded-because-of-it
	seen = max(seen, r.t.remembered.newWriter)
	//mutation:writer-begins
	if seen < max(1, r.st.Epoch, r.lastEpoch) {
		return false
	}
	waits := false // a part of a flight
	for _, e := range r.entries.Heads() {
		waits = waits || e != nil
	}
	//mutation:only-markers
	return waits || !r.suspicion.begins
}

// noteFresh counts an entry that is learned in the look that found it, as the share of a flight is of which the look
// before has found a later one: nothing of its partition may follow that tells that the journal has grown by entries.
func (r *recovery) noteFresh(e *journal.Entry) {
	if r.following && e.Record != nil && e.Record.Offset >= (*r.readable.Of(e.Topic))[e.Output] {
		r.suspicion.fresh++
	}
}

// growth is how many offsets were added to output and outcomes.
func growth(before, now topics.Ends) (n int64) {
	for _, t := range []topics.Topic{topics.Output, topics.Outcomes} {
		was := *before.Of(t)
		for p, end := range *now.Of(t) {
			if n += end; p < len(was) {
				n -= was[p]
			}
		}
	}
	return n
}

// grown reports whether something was added to output or outcomes.
func grown(before, now topics.Ends) bool {
	return !slices.Equal(before.Output, now.Output) || !slices.Equal(before.Outcomes, now.Outcomes)
}
