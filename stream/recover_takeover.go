package stream

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
	"rosenblatt/stream/plan"
	"rosenblatt/stream/readahead"
	"rosenblatt/stream/state"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// takeover makes this process the only writer, and learns the rest of the journal. held becomes the producer that the
// fence is of. It gives up when assigned, a part of ctx, ends before the fence: what it sends then might fence another
// member.
func (r *recovery) takeover(ctx, assigned context.Context, held *topics.Producer) error {
	//mutation:takeover-while-assigned
	fence, err := r.t.Journal.Takeover(assigned, *held)
	if err != nil && assigned.Err() != nil && ctx.Err() == nil {
		return errRevoked
	}
	if err != nil {
		return err
	}
	if *held == topics.NoProducer && r.t.Standby == nil && !r.stopAccepted {
		defer r.t.compareGroupOffsets(ctx, r.plan.Positions)()
	}
	st := r.st
	//mutation:held-producer
	*held = fence.Producer
	st.Fence = fence
	//mutation:first-start-proves
	if st.Epoch == 0 || r.isUnproven() {
		if err := r.prove(ctx); err != nil {
			return err
		}
	}
	followed := max(st.Epoch, r.lastEpoch)
	st.Epoch++
	if err := r.openTopic(ctx); err != nil {
		return err
	}
	if r.t.remembered.targets == nil {
		for _, b := range r.top.Input.Partitions {
			r.t.remembered.targets = append(r.t.remembered.targets, b.Stable)
		}
		for _, b := range r.top.Labels.Partitions {
			r.t.remembered.labelTargets = append(r.t.remembered.labelTargets, b.Stable)
		}
	}
	//mutation:extend-input
	if err := r.extendInput(ctx); err != nil {
		return err
	}
	markers := fence.Markers()
	for _, topic := range topics.Written {
		*st.Base.Of(topic) = plan.FillEnds(*st.Base.Of(topic), *markers.Of(topic))
	}
	if err := r.catchUp(ctx); err != nil {
		return err
	}
	//mutation:takeover-raises-labels
	if r.hasFollowed() { // it may have learned more than its last look found
		r.raiseLabels(r.manifest.Load(), followed)
	}
	if err := r.compareStarts(); err != nil {
		return err
	}
	//mutation:leaders-noted
	r.noteLeaders()
	return nil
}

// isUnproven reports whether this member's model began with an operator's word in place of brokers that fence.
func (r *recovery) isUnproven() bool {
	//mutation:members-prove
	return r.t.Standby != nil && slices.ContainsFunc(r.st.Accepted, func(a model.Acceptance) bool {
		return a.Name == stops.FenceIneffective
	})
}

// prove makes sure, at the first start of a model, that the brokers fence. Members rely on it whenever a model moves.
func (r *recovery) prove(ctx context.Context) error {
	err := r.t.Journal.Prove(ctx)
	var stop *stops.Error
	if !errors.As(err, &stop) || stop.Name != stops.FenceIneffective {
		return err
	}
	if r.t.Standby != nil {
		stop.Do = "use brokers that fence as Apache Kafka does, or one daemon without --standby:" +
			" members cannot accept this"
		return stop
	}
	stop.Offer("", r.top.Cluster)
	if refused := r.t.Config.Judge(stop, nil); refused != nil {
		return refused
	}
	r.t.logAccepted(stop)
	r.accepted, r.needed = append(slices.Clip(r.accepted), stop), true
	return nil
}

// catchUp follows dead letters and journal to the markers.
func (r *recovery) catchUp(ctx context.Context) error {
	r.progress.start()
	if r.entries == nil {
		if err := r.openAll(ctx); err != nil {
			return err
		}
	} else if r.added() { // while it followed
		return state.ErrPartitions
	}
	r.entries.Settled, r.entries.Whole = nil, false
	if err := r.replay(ctx); err != nil {
		return err
	}
	r.done()
	return nil
}

// added reports whether there are partitions now that are not read.
func (r *recovery) added() bool {
	f := r.st.Fence
	return len(f.Output)+len(f.Outcomes) != len(r.entries.Partitions) || len(f.DeadLetters) != len(r.deadLetters) ||
		len(r.st.Positions) != len(r.inputs)
}

// openAll begins to read what is below the markers: ahead, in memory that all partitions share.
func (r *recovery) openAll(ctx context.Context) error {
	decoders, err := readahead.Decoders(r.st.Fixed.Decode, r.t.Config.Decoders)
	if err != nil {
		return err
	}
	written, markers := 0, r.st.Fence.Markers()
	for _, t := range r.top.Journal() {
		for p, marker := range *markers.Of(t) {
			if r.following || (*r.st.Base.Of(t))[p] < marker {
				written++
			}
		}
	}
	r.ahead = readahead.New(ctx, decoders, r.t.Config.Model, 2*written) // with their inputs
	r.openDeadLetters()
	r.openJournal()
	return nil
}

// replay adds the dead letters, and learns again the entries of the journal, that stand before the markers.
func (r *recovery) replay(ctx context.Context) error {
	if err := r.readDeadLetters(ctx); err != nil {
		return err
	}
	if err := r.replayJournal(ctx); err != nil {
		return err
	}
	if !r.following { // else it reads on
		r.st.PassDead()
	}
	return nil
}

// recordAccepted records what was accepted as of now, when the journal goes on at the base.
func (r *recovery) recordAccepted() {
	st := r.st
	st.Accepted = slices.Clip(st.Accepted)
	for _, stop := range r.accepted {
		ends := st.Base.Clone()
		ends.DeadLetters = st.DeadLetterFloor(st.Base.DeadLetters)
		st.Accepted = append(st.Accepted, model.Acceptance{Name: stop.Name, What: stop.What, Seq: st.Seq,
			Epoch: st.Epoch, Positions: slices.Clone(st.Positions), Ends: &ends, Time: time.Now().UTC(),
			Token: stop.Token()})
	}
}

func (r *recovery) reconfigure() error {
	c := r.plan.Config
	if c == nil {
		return nil
	}
	proc, err := model.NewProcessor(*c)
	if err != nil {
		return err
	}
	if err := proc.Inherit(r.st.Proc, r.st.Seq); err != nil {
		return err
	}
	if err := proc.StartChallengers(c, r.st.Seq); err != nil {
		return err
	}
	if _, err := proc.SliceBy(c, r.t.Config.By); err != nil {
		return err
	}
	proc.DetectBy(c, r.t.Config.Drift)
	was := r.st.Fixed.Decode
	if was.Positive == c.Decode.Positive && slices.Equal(was.LabelNames, c.Decode.LabelNames) {
		proc.Family = r.st.Proc.Family
	}
	r.st.Proc, r.st.Fixed = proc, *c
	return nil
}

// begin writes a checkpoint of the new epoch with save, before the first prediction or dead letter, and again behind a
// completion. A start needs both: there may be no other, and what was accepted is recorded in the last. A recovery in
// process goes on from the one that it loaded, as a live task does whose disk is full; its journal then reaches over
// both epochs. So does a member that has followed, and readers do not wait for its disk: the saver writes the next one.
// Both need one where the checkpoint topic holds none yet.
func (r *recovery) begin(ctx context.Context, ends topics.Ends,
	save func(context.Context, topics.Ends) (board.SavedCheckpoint, error)) (board.SavedCheckpoint, error) {
	t, st := r.t, r.st
	//mutation:takeover-at-once
	if t.remembered.unsaved = r.hasFollowed() && !r.needed; t.remembered.unsaved {
		return board.SavedCheckpoint{}, nil
	}
	//mutation:first-checkpoint
	saved, err := save(ctx, ends)
	switch {
	case err == nil:
		t.board.Saved(saved)
	case ctx.Err() != nil, endsSession(err):
		return saved, err
	//mutation:recovery-needs-no-disk
	case !r.needed:
		t.Logger.Error().Err(err).Int64("seq", st.Seq).
			Msg("the first checkpoint after a recovery failed; going on with the one before, the next one is tried")
		t.board.SaveFailed(err)
	default:
		return saved, &stops.Error{Name: stops.StateUnwritable,
			What: fmt.Sprintf("the first checkpoint of epoch %d cannot be written: %v", st.Epoch, err),
			Safe: "everything that was acknowledged; nothing was predicted since",
			Do:   "make room, or give the rights, and start again", Cause: err}
	}
	return saved, nil
}

// compareGroupOffsets warns when the group's offsets are not the loaded checkpoint's: they were reset, which has no
// effect, or the process died between checkpoint and commit. It goes on in the background; the function that it returns
// waits for its end. After a stop that was accepted nothing follows from a difference: it may have moved the positions.
func (t *Task) compareGroupOffsets(ctx context.Context, loaded []int64) (wait func()) {
	loaded = slices.Clone(loaded)
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer cancel()
		committed, err := t.Group.Committed(ctx)
		if err != nil {
			t.Logger.Warn().Err(err).Msg("group offsets cannot be read; they are for lag tools only")
			return
		}
		for p, c := range committed {
			if p < len(loaded) && c >= 0 && c != loaded[p] {
				t.Logger.Warn().Int("partition", p).Int64("group", c).Int64("checkpoint", loaded[p]).
					Msg("the group's offset is not the checkpoint's: resetting group offsets has no effect;" +
						" to train again, use a new model and output")
			}
		}
	}()
	return func() { <-done }
}
