package stream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/checkpoint"
)

// Task is one model with its input, its journal and its checkpoints. Fill the exported fields, then call Run once.
type Task struct {
	Config  Config
	Prepare func(context.Context) error // sees to it that the topics are there and wide enough; called before each takeover; may be nil
	Log     Log
	Journal Journal
	Group   Committer
	Store   *checkpoint.Store
	Logger  zerolog.Logger

	// Progress, when not nil, is called at 1, 2, 4, 8 ... answers, from the goroutine that learns.
	Progress func(*Status)

	shared
	copies   chan *copyRequest
	targets  []int64        // with Config.UntilEnd: the stable ends before the first takeover
	tooLarge map[place]bool // records whose answer the broker refused
	bare     map[place]bool // records whose dead letter the broker refused whole
}

// errPartitions ends a session because partitions were added: the next takeover fences them first.
var errPartitions = errors.New("partitions were added")

// ErrUnfinished is returned when a run was told to stop before all it had answered was acknowledged and saved. Nothing is
// lost: the next start recovers it from the journal.
var ErrUnfinished = errors.New("stopped before everything was acknowledged and saved; the next start recovers it")

// Run recovers and then answers and learns until the context ends, or the end is reached, or the promise cannot be kept.
// It returns nil after everything answered is acknowledged and saved.
func (t *Task) Run(ctx context.Context) error {
	if err := t.init(); err != nil {
		return err
	}
	release, err := t.Store.Lock()
	if err != nil {
		return err
	}
	defer func() { _ = release() }() // the process ends anyway, and with it the lock
	held := NoProducer
	for {
		st, err := t.recover(ctx, held)
		if err != nil {
			return t.recoveryError(ctx, err)
		}
		held = st.fence.Producer
		err = t.live(ctx, st)
		if !t.again(err) {
			return err
		}
		t.Logger.Warn().Err(err).Msg("recovering from the journal")
	}
}

func (t *Task) init() error {
	t.Config = t.Config.withDefaults()
	t.tooLarge, t.bare = map[place]bool{}, map[place]bool{}
	t.targets = nil
	if err := t.Config.Fixed.Decode.Validate(); err != nil {
		return err
	}
	return t.Config.Fixed.Learner.Validate()
}

// Open makes the channel on which Copy asks. It is called before Run and before any other goroutine uses the task.
func (t *Task) Open() *Task {
	t.copies = make(chan *copyRequest)
	t.board.Store(&Status{Model: t.Config.Model, State: Recovering, Began: time.Now()})
	return t
}

func (t *Task) recoveryError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("stopped while recovering, nothing was changed: %w", context.Cause(ctx))
	}
	return err
}

// again tells whether a session ended so that recovery in process is the way on.
func (t *Task) again(err error) bool {
	var r *refusedRecord
	switch {
	case errors.As(err, &r) && r.letter:
		if t.bare[r.at] {
			return false // it was bare already
		}
		t.bare[r.at] = true
		return true
	case errors.As(err, &r):
		t.tooLarge[r.at] = true
		return true
	}
	return errors.Is(err, ErrInDoubt) || errors.Is(err, errPartitions)
}

// refusedRecord is the record whose answer or dead letter the broker refuses.
type refusedRecord struct {
	at     place
	letter bool
	cause  error
}

func (r *refusedRecord) Error() string {
	what := "answer to"
	if r.letter {
		what = "dead letter of"
	}
	return fmt.Sprintf("the %s input partition %d offset %d: %v", what, r.at.partition, r.at.offset, r.cause)
}

func (r *refusedRecord) Unwrap() error { return r.cause }
