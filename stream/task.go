package stream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/board"
	"rosenblatt/stream/late"
	"rosenblatt/stream/state"
	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// Task is one model with its input, its journal and its checkpoints. Fill the exported fields, then call Run, not
// twice at the same time.
type Task struct {
	Config  state.Config
	Log     topics.Log
	Journal topics.Journal
	Group   topics.Committer
	Store   *checkpoint.Store
	Logger  zerolog.Logger

	// Prepare, when not nil, creates the topics. It is called before each takeover. Planned returns them as Prepare
	// will leave them; nil if it has nothing to do. A start compares all with that first.
	Prepare func(context.Context) error
	Planned func(context.Context) (*topics.Topology, error)

	// Added, when not nil, reports whether the only partition of a model without a checkpoint was added to the input
	// after other models were begun: then it is read from its start, whatever Config.Start says.
	Added func(context.Context) (bool, error)

	// Checkpoints is the task's partition of the checkpoint topic, under the journal's fence. It is nil where
	// checkpoints are in the folder alone.
	Checkpoints statetopic.Log

	// NewPending, of tests, makes the Pending that a checkpoint holds, an empty one of none, in place of the labels'.
	NewPending func(*checkpoint.File) (late.Pending, error)

	// Standby makes the task one of several members that share it: it follows until the task is assigned to it, and
	// again when it is fenced. It may be nil.
	Standby Membership

	// Progress, when not nil, is called at 1, 2, 4, 8 ... predictions, by the learner.
	Progress func(*board.Status)

	board      *board.Board
	copies     chan *copyRequest
	storage    *storage
	remembered remembered
}

// ErrUnfinished is returned when a run was stopped before all that it had learned was acknowledged and saved. The next
// start recovers it from the journal.
var ErrUnfinished = errors.New("stopped before everything was acknowledged and saved; the next start recovers it")

// Run recovers, and then predicts and learns until the context ends, the end is reached, or the invariant cannot be
// kept. It returns nil when everything learned is acknowledged and saved.
func (t *Task) Run(ctx context.Context) error {
	if err := t.init(); err != nil {
		return err
	}
	//mutation:folder-lock
	release, err := t.Store.Lock()
	if err != nil {
		return stateStop(t.Store.Dir, err)
	}
	defer func() { _ = release() }() // the end of the process unlocks it too
	defer t.awaitSaverBriefly()
	held := topics.NoProducer
	var pause pacer
	for {
		err := t.serve(ctx, &held)
		//mutation:stop-unasked
		err = t.fencedInstead(ctx, held, err)
		switch {
		case t.retryInProcess(err):
			t.remembered.noteRefused(err)
			t.Logger.Warn().Err(err).Msg("recovering from the journal")
		case t.replaced(err) && t.Standby.Left():
			return nil
		case t.replaced(err):
			t.Logger.Warn().Str("error", stopOf(err)).Msg("following")
			held = topics.NoProducer
		default:
			return refusedStop(err)
		}
		if !pause.wait(ctx) && held != topics.NoProducer {
			return t.unfinished("a write was indeterminate")
		}
	}
}

// unfinished is the error of a run that was stopped before a recovery in process was complete. It is nil where other
// members go on: they recover it.
func (t *Task) unfinished(when string) error {
	if t.Standby != nil && t.Standby.Left() {
		return nil
	}
	return fmt.Errorf("%w: stopped while %s", ErrUnfinished, when)
}

// serve recovers and is live. held becomes the producer of the fence.
func (t *Task) serve(ctx context.Context, held *topics.Producer) error {
	was := *held
	r, err := t.recover(ctx, held)
	if err != nil {
		return t.recoveryError(ctx, was, err)
	}
	if err := r.finish(ctx); err != nil {
		if t.Standby == nil {
			was = *held // what a flight lacks may be published in part
		}
		return t.recoveryError(ctx, was, err)
	}
	t.Config.Accept = nil // for this start only
	return t.live(ctx, r.st, r.saver, r.merger)
}

// awaitSaver waits for a save that was under way when the session, or following, ended: the store serves one goroutine
// at a time. A disk that hangs delays the recovery, which reads from it too, but not a stop.
func (t *Task) awaitSaver(ctx context.Context) {
	select {
	case <-t.remembered.saving:
		return
	default:
	}
	t.Logger.Warn().Msg("recovery waits until a checkpoint is written that was begun before it")
	t.board.Recovering(board.Recovery{})
	select {
	case <-t.remembered.saving:
	case <-ctx.Done():
	}
}

// awaitSaverBriefly waits at the end of a run for a save that was begun while it followed.
func (t *Task) awaitSaverBriefly() {
	select {
	case <-t.remembered.saving:
	case <-time.After(time.Second):
	}
}

// pacer spaces recoveries in process: the first follows at once, each within a minute of the one before waits twice as
// long, up to ten seconds.
type pacer struct {
	last time.Time
	next time.Duration
}

// wait reports whether the context has not ended.
func (p *pacer) wait(ctx context.Context) bool {
	if time.Since(p.last) > time.Minute {
		p.next = 0
	}
	select {
	case <-time.After(p.next):
	case <-ctx.Done():
		return false
	}
	p.last, p.next = time.Now(), min(max(2*p.next, 50*time.Millisecond), 10*time.Second)
	return ctx.Err() == nil
}

func (t *Task) init() error {
	t.Config = t.Config.WithDefaults()
	if (t.Config.Labels == nil) != (t.Config.ModelConfig.Late == nil) {
		return errors.New("labels that come later: only half of their configuration is there")
	}
	t.board.Begin(&t.Logger, t.Config.Partition != nil)
	t.remembered.begin()
	t.storage = &storage{config: &t.Config, store: t.Store, group: t.Group, log: t.Log, board: t.board,
		logger: &t.Logger}
	return t.Config.ModelConfig.Validate()
}

// Open prepares for Status and Copy. It is called before Run and before any other goroutine uses the task.
func (t *Task) Open() *Task {
	t.copies = make(chan *copyRequest)
	t.board = board.New(t.Config.Model)
	return t
}

// Status returns a new copy. Any goroutine may call it, after Open.
func (t *Task) Status() *board.Status { return t.board.Status() }

// Idle publishes that other members predict and follow, and why this one is refused, if it is. It is called while Run
// is not.
func (t *Task) Idle(refused string) { t.board.Idle(refused) }

// Stopped publishes that the task has ended with a stop for good, and its process has not. It is called after Run.
func (t *Task) Stopped(stop *stops.Error) { t.board.Stopped(stop) }

// recoveryError returns why a recovery ended without a live model. Where the context ended, a start has published
// nothing yet; before a recovery in process, predictions were published that no checkpoint holds.
func (t *Task) recoveryError(ctx context.Context, held topics.Producer, err error) error {
	var stop *stops.Error
	switch {
	case ctx.Err() == nil, errors.As(err, &stop):
		return err
	case t.Standby != nil && held == topics.NoProducer: // the others go on
		return nil
	case held != topics.NoProducer:
		return t.unfinished("recovering from the journal")
	}
	return fmt.Errorf("stopped before the model was live: %w", context.Cause(ctx))
}

// retryInProcess reports whether a recovery in process may get over an error.
func (t *Task) retryInProcess(err error) bool {
	if r, ok := errors.AsType[*refusedRecord](err); ok {
		return !t.remembered.headersOnly[r.at]
	}
	return errors.Is(err, topics.ErrIndeterminate) || errors.Is(err, state.ErrPartitions)
}

// refusedStop makes a stop of a dead letter that the broker refuses even without the record's value, key and headers.
func refusedStop(err error) error {
	var r *refusedRecord
	if errors.As(err, &r) {
		return unplaced(r.at, r)
	}
	return err
}

// refusedRecord is a record whose dead letter the broker refused.
type refusedRecord struct {
	at    topics.Place
	cause error
}

func (r *refusedRecord) Error() string {
	return fmt.Sprintf("the dead letter of %v: %v", r.at, r.cause)
}

func (r *refusedRecord) Unwrap() error { return r.cause }
