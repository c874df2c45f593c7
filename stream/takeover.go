package stream

import (
	"context"
	"fmt"
	"slices"
	"time"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// takeover fences everybody else and follows the journal to the markers.
func (r *recovery) takeover(ctx context.Context, held topics.Producer) error {
	r.begin, r.saved = time.Now(), time.Now()
	fence, err := r.t.Journal.Takeover(ctx, held)
	if err != nil {
		return err
	}
	st := r.st
	st.topology, st.fence = r.top, fence
	st.epoch++
	if r.t.targets == nil {
		for _, b := range r.top.Input.Partitions {
			r.t.targets = append(r.t.targets, b.Stable)
		}
	}
	if err := r.lookAgain(ctx); err != nil {
		return err
	}
	st.base.Output = fillEnds(st.base.Output, fence.Output)
	st.base.DeadLetters = fillEnds(st.base.DeadLetters, fence.DeadLetters)
	if err := r.readLetters(ctx); err != nil {
		return err
	}
	if err := r.replayJournal(ctx); err != nil {
		return err
	}
	st.passDead()
	if st.epoch <= r.newest {
		for i := range st.accepted {
			if a := &st.accepted[i]; a.Epoch == st.epoch {
				a.Epoch = r.newest + 1
			}
		}
		st.epoch = r.newest + 1
	}
	st.base = fence.Ends()
	for i := range st.accepted { // from here on the model's history can be recomputed
		if a := &st.accepted[i]; a.Epoch == st.epoch {
			a.Seq, a.Positions = st.seq, slices.Clone(st.positions)
			a.Ends = &topics.Ends{Output: slices.Clone(st.base.Output), DeadLetters: st.lettersFloor(st.base.DeadLetters)}
		}
	}
	return r.reconfigure()
}

// lookAgain takes in what has come to the input since the cluster was looked at: until it was fenced, a predecessor may have
// answered and dead-lettered that, in partitions that were added, too. It did so in none that the output is too narrow for.
func (r *recovery) lookAgain(ctx context.Context) error {
	top, err := r.t.Log.Topology(ctx)
	if err != nil {
		return err
	}
	in := &r.top.Input
	for p, b := range top.Input.Partitions[:min(len(top.Input.Partitions), len(r.st.fence.Output))] {
		if p < len(in.Partitions) {
			in.Partitions[p].End = b.End
			continue
		}
		in.Partitions = append(in.Partitions, b)
		r.st.positions, r.st.started = append(r.st.positions, b.Start), append(r.st.started, b.Start)
	}
	return nil
}

// fillEnds gives every partition an end: the marker where it stands for one, and 0 where the partition is newer than what was
// looked at.
func fillEnds(ends, markers []int64) []int64 {
	for i, m := range markers {
		if i >= len(ends) {
			ends = append(ends, 0)
		} else if ends[i] == fromMarker {
			ends[i] = m
		}
	}
	return ends
}

// begin writes the new epoch's first checkpoint: before the first answer or dead letter.
func (t *Task) begin(st *state) error {
	snap, err := newSnapshot(st.fixed)
	if err != nil {
		return err
	}
	snap.take(st, &t.Config)
	snap.setEnds(st.base)
	saved, err := snap.save(t.Store)
	if err != nil {
		return &stops.Error{Name: stops.StateUnwritable, What: fmt.Sprintf("the first checkpoint of epoch %d cannot be written: %v", st.epoch, err),
			Safe: "everything that was acknowledged; nothing was answered since", Do: "make room, or give the rights, and start again", Cause: err}
	}
	t.Logger.Info().Str("model", journal.ModelAt(t.Config.Model, st.epoch)).Int64("seq", st.seq).Ints64("positions", st.positions).
		Int64("bytes", saved.Bytes).Msg("took over")
	t.saved(saved)
	t.commit(st.positions)
	t.publish(st, Live)
	return nil
}

// nameGroupOffsets tells when the group's offsets are not those of the checkpoint that was loaded: somebody moved them, which
// has no effect here, or the process died between the checkpoint and the commit.
func (t *Task) nameGroupOffsets(ctx context.Context, loaded []int64) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	committed, err := t.Group.Committed(ctx)
	if err != nil {
		t.Logger.Warn().Err(err).Msg("group offsets cannot be read; they are for lag tools only")
		return
	}
	for p, c := range committed {
		if p < len(loaded) && c >= 0 && c != loaded[p] {
			t.Logger.Warn().Int("partition", p).Int64("group", c).Int64("checkpoint", loaded[p]).
				Msg("the group's offset is not the checkpoint's: resetting group offsets has no effect; to train again, use a new model and output")
		}
	}
}
