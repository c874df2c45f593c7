package stream

import (
	"context"
	"errors"

	"github.com/rs/zerolog"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/board"
	"rosenblatt/stream/late"
	"rosenblatt/stream/registry"
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

	// Registry says what the ids of schemas in events mean; nil where nobody is asked.
	Registry registry.Source
	// Subjects says what the schemas of subjects are; nil likewise.
	Subjects registry.Subjects

	// Standby makes the task one of several members that share it: it follows until the task is assigned to it, and
	// again when it is fenced. It may be nil.
	Standby Membership

	// Progress, when not nil, is called at 1, 2, 4, 8 ... predictions, by the learner.
	Progress func(*board.Status)

	board      *board.Board
	copies     chan *copyRequest
	promotions chan *promotion
	storage    *storage
	schemas    *schemas // nil for events that name none
	remembered remembered
}

// ErrUnfinished is returned when a run was stopped before all that it had learned was acknowledged and saved. The next
// start recovers it from the journal.
var ErrUnfinished = errors.New("stopped before everything was acknowledged and saved; the next start recovers it")

// Open prepares for Status, Copy and Promote. It is called before Run and before any other goroutine uses the task.
func (t *Task) Open() *Task {
	t.copies, t.promotions = make(chan *copyRequest), make(chan *promotion)
	t.board = board.New(t.Config.Model)
	return t
}

// Status returns a new copy. Any goroutine may call it, after Open.
func (t *Task) Status() *board.Status { return t.board.Status() }

// SetFieldReference makes what the fields of events hold now the reference that they are compared with. Any goroutine
// may call it. Errors: board.ErrNoFields, profile.ErrNoWindow.
func (t *Task) SetFieldReference(ctx context.Context) error { return t.board.SetFieldReference(ctx) }

// Idle publishes that other members predict and follow, and why this one is refused, if it is. It is called while Run
// is not.
func (t *Task) Idle(refused string) { t.board.Idle(refused) }

// Stopped publishes that the task has ended with a stop for good, and its process has not. It is called after Run.
func (t *Task) Stopped(stop *stops.Error) { t.board.Stopped(stop) }
