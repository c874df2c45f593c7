package stream

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/state"
	"rosenblatt/stream/topics"
)

// followEvery is how often a follower looks for what was added to the journal.
const followEvery = 100 * time.Millisecond

// topicEvery is how often it reads on in the checkpoint topic.
const topicEvery = time.Second

// follow learns the journal as another member writes it, until the task is assigned to this one (PROTOCOL.md,
// "Standby"). What a recovery does up to its markers, it does at each look up to the ends: a flight is learned once all
// of it can be read. What the last flight lacks is on its way, or left to the takeover.
func (r *recovery) follow(ctx context.Context, a *assignment) (g given, _ error) {
	now := topics.Ends{Output: ends(r.top.Output), Outcomes: ends(r.top.Outcomes), DeadLetters: ends(r.top.DeadLetters)}
	r.following, r.known, r.readable = true, now.Clone(), now
	for _, t := range topics.Written { // as of before the checkpoint was read
		known := *r.known.Of(t)
		clear(known)
		copy(known, ends(*r.first.Of(t)))
	}
	r.st.Fence = fenceOf(now)
	r.t.storage.inTopic = nil // a follower saves in its folder alone
	if r.inTopic != nil {
		r.inTopic.Forget()
		r.noteManifest(r.inTopic)
	}
	r.tellDifference()
	r.progress.start()
	if err := r.openAll(ctx); err != nil {
		return g, err
	}
	for _, p := range r.st.Partitions(topics.Input) {
		r.inputs[p].Begin()
	}
	r.entries.Whole = true
	if r.st.Labels() != nil {
		r.merger = newMerger(r.st, r.t.Config.Labels)
	}
	//mutation:settled-entries
	r.entries.Settled = func(e *journal.Entry) bool { return e.Record.Offset < (*r.readable.Of(e.Topic))[e.Output] }
	compare := r.st.CompareTopics()
	group, work := errgroup.WithContext(ctx)
	watching, end := context.WithCancel(work)
	group.Go(func() error { return r.t.board.Watch(watching, r.t.Log, r.t.Config.WatchEvery, compare) })
	group.Go(func() error { return r.readTopicOn(watching) })
	group.Go(func() error {
		if r.merger != nil {
			r.merger.askEnds(watching, r.t.Log)
		}
		return nil
	})
	group.Go(func() (err error) {
		defer end()
		g, err = r.lookOn(work, a)
		return err
	})
	err := group.Wait()
	r.following = false
	return g, err
}

// tellDifference tells whether this member has other settings than the model, without the token for the difference.
func (r *recovery) tellDifference() {
	why := ""
	if r.differing != nil {
		do := r.differing.FollowDo()
		why = r.differing.What + "; to do: " + do
		r.t.Logger.Warn().Str("differs", r.differing.What).Str("do", do).
			Msg("following under the checkpoint's settings: this member takes over no model that has other settings")
	}
	r.t.board.Differ(why)
}

func ends(t topics.TopicState) (all []int64) {
	for _, b := range t.Partitions {
		all = append(all, b.End)
	}
	return all
}

// fenceOf makes markers of what a look found.
func fenceOf(e topics.Ends) *topics.Fence {
	return &topics.Fence{Producer: topics.NoProducer, Output: e.Output, Outcomes: e.Outcomes,
		DeadLetters: e.DeadLetters}
}

// lookOn looks for what was added until the task is assigned. It does not end within a flight.
func (r *recovery) lookOn(ctx context.Context, a *assignment) (given, error) {
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	defer r.abandonCopies()
	for told := false; ; {
		if err := r.look(ctx); err != nil {
			return given{}, err
		}
		var ends chan foundEnds
		if r.merger != nil {
			r.merger.note(r.st)
			ends = r.merger.ends
		}
		given := a.given
		for waits := true; waits; {
			select {
			case g := <-given:
				//mutation:differs-takes-none
				if r.differing == nil || g.err != nil {
					return g, g.err
				}
				given = nil // the group is told, and takes it back
			case q := <-r.copyRequests():
				r.beginCopy(q)
			case <-r.copying():
				r.copyStep()
			case f := <-ends:
				r.merger.found(f)
			case <-tick.C:
				waits = false
			}
		}
		if !told {
			told = true
			r.t.Logger.Info().Int64("seq", r.st.Seq).Int64("epoch", r.st.Epoch).Msg("following")
		}
	}
}

// look learns what was added since the last look. The dead letters of what the last look found in the journal were
// acknowledged before it, and no part of an earlier flight is missing.
func (r *recovery) look(ctx context.Context) error {
	at := time.Now()
	manifest := r.manifest.Load() // what was acknowledged before it is below the ends that follow
	if r.isNewEpoch(manifest) {
		return errNewWriter
	}
	found, err := r.t.Log.Written(ctx)
	if err != nil {
		r.suspicion.count.Reset()
		r.t.remembered.quiet.forget(r.t)
		r.t.board.UnreadJournal.Failed(&r.t.Logger, "the journal cannot be followed", err)
		return ctx.Err() // the task falls behind
	}
	r.t.board.UnreadJournal.Succeeded()
	if r.st.Fence = fenceOf(found); r.added() {
		return state.ErrPartitions
	}
	if err := r.replay(ctx); err != nil {
		return err
	}
	t, st := r.t, r.st
	st.Epoch = max(st.Epoch, r.lastEpoch)
	if err := r.readOn(ctx); err != nil {
		return err
	}
	r.raiseLabels(manifest, st.Epoch)
	r.suspect(r.lookOf(ctx, at, found))
	t.board.Follow(st, r.polledAt)
	t.remembered.followed, r.polledAt, r.readable = true, at, found
	return r.saveBeside(ctx)
}

// saveBeside begins to save a checkpoint where one is due: neither following nor the takeover waits for the disk.
func (r *recovery) saveBeside(ctx context.Context) (err error) {
	if r.saver == nil {
		if r.saver, err = newSaver(r.t.storage, r.st); err != nil {
			return err
		}
		r.saver.start(r.st, r.t.remembered.unsaved)
		r.saver.renewed.Store(r.progress.predictions > 0)
	}
	//mutation:follower-saves-the-last
	if !r.saver.due(r.st) || !r.entries.Boundary() {
		return nil
	}
	snap := r.saver.copy(r.st)
	snap.setEnds(r.ends())
	saving := make(chan struct{})
	r.t.remembered.saving = saving
	go func() {
		if <-snap.copied {
			_ = r.saver.save(ctx, snap) // it is logged
		}
		close(saving)
		r.saver.free <- snap
	}()
	return nil
}
