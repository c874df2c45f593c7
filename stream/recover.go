package stream

import (
	"context"
	"errors"
	"slices"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/plan"
	"rosenblatt/stream/state"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// recover is the one path to a live model (PROTOCOL.md, "Takeover"): newest checkpoint, plan, fence, journal. finish
// follows. A standby member that holds no producer follows the journal first, until the task is assigned to it.
func (t *Task) recover(ctx context.Context, held *topics.Producer) (*recovery, error) {
	var a *assignment
	if t.Standby != nil && *held == topics.NoProducer {
		a = t.awaitAssignment(ctx)
		defer a.end()
	}
	const tries = 8 // until all brokers know of a new topic; some 6 s
	var pause pacer
	t.board.Reload(false)
	for try := 1; ; try++ {
		r, err := t.recoverOnce(ctx, held, a)
		//mutation:new-to-a-broker
		newTopic := t.isNewTopic(err) && try < tries
		if ctx.Err() != nil || !errors.Is(err, errNewWriter) && !errors.Is(err, state.ErrPartitions) &&
			!errors.Is(err, errRevoked) && !newTopic && !t.lostToRetention(err, a) {
			return r, t.fromTopicInstead(err)
		}
		//mutation:new-writer-at-once
		if !errors.Is(err, errNewWriter) { // that is once for each epoch
			pause.wait(ctx)
		}
		t.board.Reload(errors.Is(err, errNewWriter))
		t.board.NoteWriter(t.remembered.newWriter)
		t.Logger.Info().Str("reason", err.Error()).Msg("loading the newest checkpoint again")
	}
}

// recoverOnce follows where there is an assignment to wait for.
func (t *Task) recoverOnce(ctx context.Context, held *topics.Producer, a *assignment) (*recovery, error) {
	t.board.Recover()
	//mutation:one-store-user
	t.awaitSaver(ctx)
	r, err := t.load(ctx, *held)
	if err != nil {
		return nil, err
	}
	defer r.close()
	assigned := ctx
	if a != nil && *held == topics.NoProducer {
		g, err := r.follow(ctx, a)
		if err != nil {
			return nil, err
		}
		assigned, t.remembered.assignedAs = g.Assigned, g.Number
		r.cause = new(g.cause(t.remembered.quiet.For))
		t.board.TakeOver()
	}
	if err := r.askAgain(ctx); err != nil {
		return nil, err
	}
	err = r.takeover(ctx, assigned, held)
	if errors.Is(err, errRevoked) {
		t.remembered.assignedAs = 0 // it was not fenced
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// load loads the newest checkpoint, and compares it with the configuration and the cluster.
func (t *Task) load(ctx context.Context, held topics.Producer) (*recovery, error) {
	if err := t.rehearse(ctx); err != nil {
		return nil, err
	}
	began := time.Now()
	top, err := t.fitTopics(ctx)
	if err != nil {
		return nil, err
	}
	first := top
	inTopic, err := t.readTopic(ctx, top)
	if err == nil {
		_, err = t.noteSchemas(inTopic, true)
	}
	//mutation:topology-after-topic
	if err == nil && inTopic != nil {
		top, err = t.fitTopics(ctx) // a process that is still live may have saved since, with ends above those before
	}
	if err != nil {
		return nil, err
	}
	start := t.Standby == nil && held == topics.NoProducer // none was finished yet
	r := &recovery{t: t, top: top, lookAgain: t.fitTopics, inTopic: inTopic, needed: start, polledAt: began,
		first: first, member: t.Standby != nil && held == topics.NoProducer}
	file, err := r.compare(ctx)
	if err != nil {
		return nil, err
	}
	if file == nil && t.Config.FromModel != "" {
		t.Logger.Info().Str("file", t.Config.FromModel).Msg("the model starts from another one")
	}
	if err := r.openLate(file, r.saved); err != nil {
		return nil, err
	}
	if t.NewPending != nil {
		if r.st.Pending, err = t.NewPending(file); err != nil {
			return nil, err
		}
	}
	r.adopt(r.plan)
	r.copier = copier{of: r.st, requests: t.copies}
	return r, nil
}

// finish publishes what the last flight lacks, records what was accepted, and writes the first checkpoint of the new
// epoch that includes both. From there on the history can be recomputed, whatever stop was accepted.
func (r *recovery) finish(ctx context.Context) error {
	st := r.st
	st.Base = st.Fence.Ends()
	if err := r.complete(ctx); err != nil {
		return err
	}
	st.Epoch = r.nextEpoch()
	//mutation:epoch-behind-completion
	if r.completion != nil && r.changes() {
		st.Epoch++
	}
	if err := r.changeSchemas(ctx); err != nil {
		return err
	}
	r.tellTokens(false, r.accepted, st.Accepted)
	r.recordAccepted()
	if err := r.reconfigure(); err != nil {
		return err
	}
	if err := r.renewLate(ctx); err != nil {
		return err
	}
	r.needed = r.needed || r.isUnknown()
	//mutation:checkpoint-behind-completion
	saved, err := r.begin(ctx, st.Base, r.save)
	if err != nil {
		return err
	}
	r.tellTakeover(saved.Bytes)
	return nil
}

// tellTakeover logs that the task is live, and publishes it.
func (r *recovery) tellTakeover(saved int64) {
	t, st, q := r.t, r.st, &r.t.remembered.quiet
	e := t.Logger.Info().Str("model", journal.ModelAt(t.Config.Model, st.Epoch)).Int64("seq", st.Seq).
		Array("positions", plan.Offsets(st.Positions)).Int64("bytes", saved)
	if len(st.Fixed.Challengers) > 0 {
		e = e.Str("champion", st.Proc.Champion())
	}
	if r.cause != nil {
		e = e.Stringer("cause", *r.cause)
	}
	//mutation:first-start-missed-nothing
	if !q.Since.IsZero() && st.Seq > 0 {
		e = e.Stringer("nobodyPredictedFor", rounded(time.Since(q.Since)))
	}
	var effective []string
	for _, stop := range r.accepted {
		effective = append(effective, stop.What)
	}
	if effective != nil {
		e = e.Strs("effective", effective)
	}
	e.Msg("took over")
	*q = quiet{}
	t.board.Quiet(nil)
	if r.cause != nil {
		t.board.TakenOver(*r.cause)
	}
	t.board.Publish(st, board.Live)
}

func (r *recovery) adopt(p *plan.Plan) {
	st := r.st
	r.t.Logger.Info().EmbedObject(p).Msg("recovery planned")
	r.stopAccepted = p.StopAccepted()
	st.Topology = r.top
	st.Positions, st.Started = slices.Clone(p.Positions), slices.Clone(p.Started)
	st.LabelPositions, st.LabelStarted = slices.Clone(p.Labels.Positions), slices.Clone(p.Labels.Started)
	st.Forget(topics.Input, p.Replaced)
	st.Forget(topics.Labels, p.Labels.Replaced)
	st.Skipped, st.Base = p.Skipped, p.Ends.Clone()
	r.accepted = slices.Clone(p.Accepted)
	//mutation:accepted-saved
	r.needed = r.needed || len(r.accepted) > 0
	r.t.Log.Skip(st.Skipped)
}

// isNewTopic reports whether a topic is missing of which a broker may not have heard yet.
func (t *Task) isNewTopic(err error) bool {
	return t.remembered.prepared && stops.Is(err, stops.TopicMissing) || errors.Is(err, plan.ErrUntold)
}

// retentionWait is for how long a member waits for a checkpoint that does not need what was deleted. One that has taken
// over saves after firstSave.
const retentionWait = 10 * firstSave

// lostToRetention reports whether a member lacks records that were deleted, which a newer checkpoint may not need:
// others save them. Where the same checkpoint was loaded again, only another member can have one yet, which has just
// taken over.
func (t *Task) lostToRetention(err error, a *assignment) bool {
	gone := stops.Is(err, stops.InputGone) || stops.Is(err, stops.JournalGone) || stops.Is(err, stops.DeadLettersGone)
	//mutation:follower-overtaken
	if t.Standby == nil || !gone {
		return false
	}
	m := &t.remembered
	if !m.recordsGone || m.recordsGoneAt != m.loaded {
		m.recordsGoneAt, m.recordsGone, m.goneSince = m.loaded, true, time.Now()
		return true
	}
	//mutation:overtaken-waits
	return a != nil && !a.isGiven() && time.Since(m.goneSince) < retentionWait
}
