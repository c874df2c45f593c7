package stream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
	"rosenblatt/stream/state"
	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// readTopic reads what the checkpoint topic holds now; nil without one.
func (t *Task) readTopic(ctx context.Context, top *topics.Topology) (*statetopic.Copy, error) {
	if t.Checkpoints == nil {
		return nil, nil
	}
	held := statetopic.NewCopy(t.Checkpoints, top.Output.Name)
	return held, held.ReadNow(ctx)
}

// restore installs the newest whole checkpoint of the topic in the folder, if it is later than the folder's, and
// returns the one to go on from. err is that of reading the folder. The stop is for a topic that holds checkpoints,
// none of them whole, where the folder holds none either; the error is ErrNoneValid then.
func (t *Task) restore(held *statetopic.Copy, file *checkpoint.File, err error) (
	*checkpoint.File, *stops.Error, error) {
	whole, faults := held.Whole()
	if len(faults) == 0 { // an invalid manifest may have named it
		file, err = t.withoutTopic(whole, file, err)
	}
	if err != nil && !errors.Is(err, checkpoint.ErrNoneValid) && !errors.As(err, new(*checkpoint.MissingBase)) {
		return nil, nil, err
	}
	if err := statetopic.Other(faults); err != nil {
		return nil, nil, otherManifest(err)
	}
	for _, fault := range faults {
		t.Logger.Error().Err(fault).Msg("an invalid checkpoint in the topic is passed over")
	}
	t.remembered.passedOver, t.remembered.notRestored, t.storage.notInFolder = nil, nil, nil
	if file != nil {
		//mutation:epoch-of-folder
		t.remembered.folderEpoch = max(t.remembered.folderEpoch, progressIn(file).Epoch)
	}
	for _, m := range whole {
		if file != nil && !isLater(m, file) {
			if uint64(m.Seq) < file.Seq {
				t.remembered.passedOver = m
			}
			break
		}
		//mutation:restore-own-model
		if m.Model != t.Config.Model {
			return nil, nil, t.otherModelInTopic(m)
		}
		if err := held.Restore(m, t.Store); err != nil {
			if file == nil {
				return nil, nil, unwritable(t.Store.Dir, err)
			}
			t.remembered.notRestored, t.storage.notInFolder = err, m
			t.Logger.Error().Err(err).
				Msg("the later checkpoint in the topic cannot be written to the folder; going on with the folder's")
			break
		}
		restored, _, err := t.newestFile()
		if err == nil && restored != nil && restored.Seq == uint64(m.Seq) {
			t.restoreKept(held, m, restored)
			t.Logger.Info().Int64("seq", m.Seq).Int64("manifest", m.Number).Int64("bytes", restored.Bytes).
				Msg("restored from the checkpoint topic")
			return restored, nil, nil
		}
	}
	if file == nil && err == nil && len(faults) > 0 {
		return nil, invalidTopic(faults), checkpoint.ErrNoneValid
	}
	return file, nil, err
}

// restoreKept installs the checkpoint from which audits begin, if the topic has that of the last accepted stop.
func (t *Task) restoreKept(held *statetopic.Copy, restored *statetopic.Manifest, file *checkpoint.File) {
	var h struct{ Accepted []model.Acceptance }
	_ = json.Unmarshal(file.Header, &h) // where it is none, the start says so
	//mutation:kept-restored
	m := held.Kept()
	if m == nil || auditedFrom(h.Accepted, nil) != uint64(m.Seq) {
		return
	}
	if err := held.RestoreKept(restored, t.Store); err != nil {
		t.Logger.Warn().Err(err).Int64("seq", m.Seq).
			Msg("the checkpoint from which audits begin was not restored: verify can begin later only")
	}
}

// otherModelInTopic is the stop for a checkpoint of another model, which is not installed.
func (t *Task) otherModelInTopic(m *statetopic.Manifest) *stops.Error {
	return &stops.Error{Name: stops.ConfigDiffers,
		What: fmt.Sprintf("the checkpoint topic holds a checkpoint of model %s for this output, seq %d, epoch %d; this"+
			" one is %s", m.Model, m.Seq, m.Epoch, t.Config.Model),
		Safe: "nothing was changed, the state folder neither",
		Do:   "name another --output for this model, or the --model that the output is of"}
}

// isLater reports whether a checkpoint in the topic is to be taken in place of the folder's. Where both have one seq,
// the folder's may be of another process that shared the epoch, of a follower, or of a save that did not reach the
// topic; all that is deleted since is what the topic's does not need. So it is the topic's, unless the folder's has
// passed more.
func isLater(m *statetopic.Manifest, file *checkpoint.File) bool {
	in := progressIn(file)
	if uint64(m.Seq) != file.Seq {
		return uint64(m.Seq) > file.Seq
	}
	//mutation:later-positions
	return m.Epoch > in.Epoch || m.Files[len(m.Files)-1].Link != file.Link() && !in.IsBeyond(&m.Progress)
}

// progressIn is the progress of a checkpoint in the folder.
func progressIn(file *checkpoint.File) (p statetopic.Progress) {
	_ = json.Unmarshal(file.Header, &p) // where it is none, the topic's is taken
	return p
}

// progressOf is what the manifest says of a checkpoint.
func progressOf(h *model.Header) statetopic.Progress {
	producer := h.Producer
	p := statetopic.Progress{Epoch: h.Epoch, Producer: &producer, Positions: h.Positions,
		LabelPositions: h.LabelPositions, Ends: h.Ends}
	if h.Late != nil {
		p.LabelTimes, p.Bounds = h.Late.Clock.Highest, &h.Late.Bounds
	}
	return p
}

// openTopic prepares to save in the checkpoint topic, which a first checkpoint has to be in.
func (r *recovery) openTopic(ctx context.Context) error {
	held := r.inTopic
	if r.inTopic = nil; held == nil {
		return nil
	}
	marker := r.st.Fence.Checkpoints
	// Else it has followed, and publishes before it saves. Only the newest manifest says what another process has
	// accepted, and under which bound of settled ids, that took over since and published nothing; and which labels were
	// passed without an entry.
	labelled := r.st.Labels() != nil
	//mutation:topic-read-later
	if !r.hasFollowed() || held.Empty() || labelled || !held.Newest().IsBefore(r.st.Fence.Producer) {
		if err := held.ReadTo(ctx, marker); err != nil {
			return err
		}
	}
	//mutation:begun-by-others
	if r.begins && !held.Empty() {
		return errNewWriter // another process has determined since where the model starts
	}
	if r.isOutdated(held.Newest()) {
		return errNewWriter
	}
	r.noteManifest(held)
	if err := r.noteSchemas(held); err != nil {
		return err
	}
	if s := r.t.schemas; s != nil {
		s.output, s.topicBytes = r.top.Output.Name, r.top.Checkpoints.MaxMessageBytes
	}
	//mutation:needed-in-topic
	r.needed = r.needed || held.Empty()
	r.t.storage.inTopic = held.NewWriter(r.t.Config.Model, r.st.Tasks, r.top.Checkpoints.MaxMessageBytes, marker)
	return nil
}

// saveInFolder saves the state itself, while nothing else uses it; a copy where the saver has copied it before.
func (r *recovery) saveInFolder(ctx context.Context, ends topics.Ends) (board.SavedCheckpoint, error) {
	if r.saver == nil {
		return saveNow(r.st, r.t.Store, &r.t.Config, ends, r.leadersOf(ctx, ends))
	}
	snap, err := r.saver.await(ctx)
	if err != nil {
		return board.SavedCheckpoint{}, err
	}
	defer func() { r.saver.free <- snap }()
	r.saver.copyAll(snap, r.st)
	<-snap.copied
	snap.setEnds(ends)
	snap.header.EndEpochs = r.leadersOf(ctx, snap.header.Ends)
	return snap.save(r.t.Store, r.top)
}

// leadersOf returns the leader epochs of ends. The look behind the fence has told them, but of what was written since:
// nobody predicts while a takeover asks for them again.
func (r *recovery) leadersOf(ctx context.Context, ends topics.Ends) (e topics.EndEpochs) {
	for _, t := range topics.Written {
		at := *ends.Of(t)
		reached := make([]topics.Reached, len(at))
		for p := range at {
			if r.behindFence == nil || p >= len(r.behindFence.Of(t).Partitions) {
				return r.t.storage.leadersOf(ctx, ends)
			}
			b := r.behindFence.Of(t).Partitions[p]
			switch {
			case b.OtherTask:
				continue
			case b.Led.Offset < at[p]:
				return r.t.storage.leadersOf(ctx, ends)
			}
			reached[p] = topics.Reached{Offset: at[p], Leader: b.Led.Leader}
		}
		*e.Of(t) = topics.Leaders(at, reached)
	}
	return e
}

// save saves the state in the folder and in the topic. Pieces wait for a young fence, which is renewed meanwhile, as a
// live task's writer does. A checkpoint that is needed says what the journal goes on with, a bound or a configuration:
// as long as the folder alone has it, another process may go on with what the topic has.
func (r *recovery) save(ctx context.Context, ends topics.Ends) (board.SavedCheckpoint, error) {
	//mutation:for-the-topic
	r.st.ForTopic = r.needed && r.t.storage.inTopic != nil
	r.t.storage.keepLater = r.hasFollowed()
	defer func() { r.st.ForTopic, r.t.storage.keepLater = false, false }()
	saved, err := r.saveInFolder(ctx, ends)
	if err != nil || r.t.storage.inTopic == nil {
		return saved, err
	}
	saving, stop := context.WithCancel(ctx)
	defer stop()
	h, done := r.st.Header(&r.t.Config), make(chan error, 1)
	h.Ends = state.EndsBelow(ends, r.st.Floor())
	go func() { done <- r.t.storage.saveInTopic(saving, &saved, &h) }()
	check := time.NewTicker(checkFence)
	defer check.Stop()
	for {
		select {
		case err := <-done:
			//mutation:needed-behind-the-topic
			if err == nil && r.needed && saved.Topic == nil {
				err = unwritable(r.t.Store.Dir, r.t.remembered.notRestored)
			}
			return saved, err
		case <-check.C:
		}
		//mutation:renew-in-recovery
		fence, err := r.t.Journal.Renew(ctx, false)
		if err != nil {
			stop()
			<-done
			return saved, err
		}
		r.st.Base.Advance(fence.Ends())
	}
}
