package stream

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"rosenblatt/stream/state"
	"rosenblatt/stream/topics"
)

// saver writes copies of the state to disk, in one snapshot, so that copying takes no new memory: the learner takes it
// from free and copies its model step by step, the writer passes it on once all that it holds is acknowledged, and the
// saver's goroutine saves it when the copy is complete too, and frees it. So whoever has the snapshot has the store.
type saver struct {
	*storage
	free    chan *snapshot
	saves   chan *snapshot
	saved   []int64   // positions of the checkpoint that the session begins with; nil if that was not written
	copying *snapshot // whose copy is not complete, or nil; the learner's

	reference []byte // of the fields, in the newest copy; the learner's

	failed  atomic.Bool  // the last save
	took    atomic.Int64 // the duration of the last successful one
	renewed atomic.Bool  // markers alone have moved the ends since the newest copy
	copied  stateMark    // of the newest copy; the learner's
}

type stateMark struct {
	at        time.Time
	seq       int64
	read      int64 // records
	positions int64 // their sum
}

func markOf(st *state.State, at time.Time) stateMark {
	m := stateMark{at: at, seq: st.Seq, read: st.Counts.Read}
	for _, p := range st.Positions {
		m.positions += p
	}
	for _, p := range st.LabelPositions {
		m.positions += p
	}
	return m
}

// firstSave is when the first checkpoint of a session is due, if the interval is longer.
const firstSave = time.Second

// newSaver is followed by start. Its snapshot has the first replica of the model, so checkpoints are saved by it alone
// from then on.
func newSaver(to *storage, st *state.State) (*saver, error) {
	s := &saver{storage: to, free: make(chan *snapshot, 1), saves: make(chan *snapshot, 1)}
	snap, err := newSnapshot(st)
	if err != nil {
		return nil, err
	}
	s.free <- snap
	return s, nil
}

// start begins a session, or following. unsaved: the takeover wrote no checkpoint.
func (s *saver) start(st *state.State, unsaved bool) {
	began := time.Now()
	if every := s.config.CheckpointInterval; every > firstSave {
		began = began.Add(firstSave - every)
	}
	s.copied, s.reference, s.saved = markOf(st, began), st.Reference, nil
	s.renewed.Store(unsaved) // the takeover has moved the ends
	if s.board.IsSaveFailing() {
		s.failed.Store(true)
	} else if !unsaved {
		s.saved = slices.Clone(st.Positions)
	}
}

// changed reports whether the newest copy, or what is on disk, differs from the state with the journal's ends.
func (s *saver) changed(st *state.State) bool {
	//mutation:reference-in-checkpoint
	if r := s.board.FieldReference(); r != nil { // an operator may set it at any time, beside the events
		st.Reference = r
	}
	//mutation:reference-alone
	if !bytes.Equal(s.reference, st.Reference) {
		return true
	}
	return s.failed.Load() || s.renewed.Load() || s.copied.seq != st.Seq || s.copied != markOf(st, s.copied.at)
}

// due reports whether a checkpoint is due, and the one before saved. Saving takes at most a tenth of the time.
func (s *saver) due(st *state.State) bool {
	//mutation:one-copy
	if len(s.free) == 0 || !s.changed(st) {
		return false
	}
	every := s.config.CheckpointEvery
	if every > 0 && st.Seq-s.copied.seq >= every {
		return true
	}
	return time.Since(s.copied.at) >= max(s.config.CheckpointInterval, time.Duration(10*s.took.Load()))
}

// copy starts a copy of the state, when one is due, and returns it.
func (s *saver) copy(st *state.State) *snapshot {
	snap := <-s.free
	s.begin(snap, st)
	return snap
}

func (s *saver) begin(snap *snapshot, st *state.State) {
	snap.begin(st, s.config)
	s.copying = snap
	s.renewed.Store(false)
	s.copied, s.reference = markOf(st, time.Now()), st.Reference
}

// step goes on with the copy under way.
func (s *saver) step() {
	if s.copying.step() {
		s.copying = nil
	}
}

// complete completes the copy under way.
func (s *saver) complete() {
	for s.copying != nil {
		s.step()
	}
}

// abandon gives up the copy under way: the session has failed.
func (s *saver) abandon() {
	if s.copying != nil {
		s.copying.copied <- false
		s.copying = nil
	}
}

// copyLast waits for the snapshot and returns a session's last copy, nil if nothing has changed.
func (s *saver) copyLast(ctx context.Context, st *state.State) (*snapshot, error) {
	s.complete()
	snap, err := s.await(ctx)
	if err != nil {
		return nil, err
	}
	if !s.changed(st) {
		s.free <- snap
		return nil, nil
	}
	s.copyAll(snap, st)
	snap.last = true
	return snap, nil
}

// await waits for the snapshot: the save before has ended.
func (s *saver) await(ctx context.Context) (*snapshot, error) {
	select {
	case snap := <-s.free:
		return snap, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (s *saver) copyAll(snap *snapshot, st *state.State) {
	s.begin(snap, st)
	s.complete()
}

// run commits the positions of the checkpoint that the session begins with, and saves until saves is closed, or nothing
// more can be written. Only the last save of a run must not fail.
func (s *saver) run(ctx context.Context) error {
	if s.saved != nil {
		s.commit(s.saved)
	}
	var last error
	for snap := range s.saves {
		if !<-snap.copied {
			continue
		}
		err := s.save(ctx, snap)
		//mutation:fenced-save
		if endsSession(err) {
			return err
		}
		if err != nil && snap.last {
			last = fmt.Errorf("%w: the last checkpoint: %w", ErrUnfinished, err)
		}
		s.free <- snap
	}
	return last
}

func (s *saver) save(ctx context.Context, snap *snapshot) error {
	snap.header.EndEpochs = s.leadersOf(ctx, snap.header.Ends)
	saved, err := snap.save(s.store, s.board.Listed())
	following := snap.header.Producer == topics.NoProducer // then it writes to its folder alone
	if err == nil && !following {
		if err = s.saveInTopic(ctx, &saved, &snap.header); ctx.Err() != nil || endsSession(err) {
			return err // the session ends
		}
	}
	if err != nil {
		s.logger.Error().Err(err).Int64("seq", snap.header.Seq).
			Msg("checkpoint failed; learning goes on, the next one is tried")
		s.board.SaveFailed(err)
		s.failed.Store(true)
		return err
	}
	if s.failed.Swap(false) {
		s.logger.Info().Int64("seq", snap.header.Seq).Msg("checkpoints are saved again")
	}
	s.took.Store(int64(saved.Duration))
	s.board.Saved(saved)
	if !following {
		s.commit(snap.header.Positions)
	}
	return nil
}
