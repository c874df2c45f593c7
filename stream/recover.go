package stream

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/board"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/plan"
	"rosenblatt/stream/readahead"
	"rosenblatt/stream/state"
	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// recovery is one recovery under way, owned by one goroutine.
type recovery struct {
	t         *Task
	plan      *plan.Plan
	top       *topics.Topology
	lookAgain func(context.Context) (*topics.Topology, error) // at the topics
	st        *state.State

	inTopic        *statetopic.Copy                    // what the checkpoint topic holds; nil without one
	manifestEpoch  int64                               // of the newest manifest when the checkpoint was loaded
	manifestNumber int64                               // likewise
	manifest       atomic.Pointer[statetopic.Manifest] // the newest one since then, for a follower

	saved        *model.LateState    // by the checkpoint
	needed       bool                // the first checkpoint: the recovery does not go on without it
	accepted     []*stops.Error      // by the plan and since
	stopAccepted bool                // the journal cannot be compared with the model any more
	following    bool                // without a fence: the journal grows
	first        *topics.Topology    // before the checkpoint was read
	known        topics.Ends         // of the journal, before the checkpoint was loaded; of a task that followed
	readable     topics.Ends         // ends at the previous poll
	polledAt     time.Time           // the time of that
	begins       bool                // there was no checkpoint anywhere
	lastEpoch    int64               // of the checkpoint, and of the entries learned again
	ahead        *readahead.Group    // nil before anything is read
	journal      []*readahead.Cursor // of output and outcomes
	entries      *journal.Reader     // merges them
	inputs       []*relearner
	deadLetters  []*readahead.Cursor
	progress     recoveryProgress
	newestEpoch  int64       // seen anywhere: a copy of the folder may have been in use elsewhere
	completion   *completion // of the last flight; nil if that is complete

	labels map[int32]*labelRelearner // by partition
	merger *merger                   // of a follower with later labels: it notes ends; else nil
	copier                           // of a follower: from when it has learned the journal as it was at first

	waits   map[int64]labels.ID // what waited, by seq, after an accepted stop
	waitsTo int64               // the highest seq of waits

	written map[topics.Topic][]topics.Reached // up to where the checkpoint knows of what the task writes
}

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
	for try := 1; ; try++ {
		r, err := t.recoverOnce(ctx, held, a)
		//mutation:new-to-a-broker
		newTopic := t.isNewTopic(err) && try < tries
		if ctx.Err() != nil || !errors.Is(err, errNewWriter) && !errors.Is(err, state.ErrPartitions) &&
			!errors.Is(err, errRevoked) && !newTopic && !t.lostToRetention(err, a) {
			return r, t.fromTopicInstead(err)
		}
		pause.wait(ctx)
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
		assigned, t.remembered.assignedAs = g.assigned, g.number
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
	//mutation:topology-after-topic
	if err == nil && inTopic != nil {
		top, err = t.fitTopics(ctx) // a process that is still live may have saved since, with ends above those before
	}
	if err != nil {
		return nil, err
	}
	start := t.Standby == nil && held == topics.NoProducer || len(t.Config.Accept) > 0 // none was finished yet
	r := &recovery{t: t, top: top, lookAgain: t.fitTopics, inTopic: inTopic, needed: start, polledAt: began,
		first: first}
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
	r.t.Logger.Info().Str("model", journal.ModelAt(r.t.Config.Model, st.Epoch)).Int64("seq", st.Seq).
		Array("positions", plan.Offsets(st.Positions)).Int64("bytes", saved.Bytes).Msg("took over")
	r.t.board.Publish(st, board.Live)
	return nil
}

// newest loads the newest valid checkpoint, of folder and topic; nil without one. Where none is valid, it returns the
// stop that this start accepts.
func (t *Task) newest(inTopic *statetopic.Copy) (*checkpoint.File, *stops.Error, error) {
	file, aside, err := t.newestFile()
	stop := t.invalidFolder(aside)
	if inTopic != nil {
		var invalid *stops.Error
		if file, invalid, err = t.restore(inTopic, file, err); invalid != nil {
			stop = invalid
		}
	}
	switch {
	case err == nil:
		return file, nil, nil
	case errors.As(err, new(*stops.Error)):
		return nil, nil, err
	case !errors.Is(err, checkpoint.ErrNoneValid):
		return nil, nil, stateStop(t.Store.Dir, err)
	case !t.Config.Accepts(stop.Name):
		return nil, nil, stop
	}
	t.logAccepted(stop)
	return nil, stop, nil
}

// newestFile loads the folder's newest valid checkpoint.
func (t *Task) newestFile() (*checkpoint.File, []checkpoint.SetAside, error) {
	file, aside, err := t.Store.Newest()
	for _, a := range aside {
		t.Logger.Error().Str("file", a.From).Str("now", a.To).Err(a.Why).Msg("invalid checkpoint set aside")
	}
	return file, aside, err
}

// invalidFolder is the stop for a folder without a valid checkpoint.
func (t *Task) invalidFolder(aside []checkpoint.SetAside) *stops.Error {
	return &stops.Error{Name: stops.StateInvalid,
		What: fmt.Sprintf("%s holds checkpoints, and none of them is valid", t.Store.Dir),
		Safe: setAside(aside),
		Do: "put a checkpoint back from a backup; where one is named as building on another that is invalid, and you" +
			" can put that one back, rename the first back too: it is sound; or start a model from nothing with" +
			" --accept state-invalid,state-missing"}
}

func setAside(files []checkpoint.SetAside) string {
	if len(files) == 0 {
		return "nothing was changed; earlier starts renamed invalid files to *.corrupt"
	}
	names := make([]string, len(files))
	for i, a := range files {
		names[i] = fmt.Sprintf("%s to %s", filepath.Base(a.From), filepath.Base(a.To))
	}
	return "no file was removed but older *.corrupt ones; renamed were " + strings.Join(names, ", ")
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
	r.t.Log.Skip(st.Skipped)
}

// accept records a stop that this start accepts; else it returns it.
func (r *recovery) accept(stop *stops.Error) error {
	if !r.t.Config.Accepts(stop.Name) {
		return stop
	}
	r.stopAccepted = true
	r.accepted = append(r.accepted, stop)
	r.t.logAccepted(stop)
	return nil
}

func (t *Task) logAccepted(stop *stops.Error) {
	t.Logger.Warn().Str("accepted", stop.Name).Msg(stop.What)
}
