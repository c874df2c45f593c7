package stream

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// The states of a task.
const (
	Recovering = "recovering"
	Live       = "live"
	Stopping   = "stopping"
)

// Status is a copy of what a task knows of itself, made by the goroutine that owns the model. Nobody changes it after.
type Status struct {
	Model        string
	State        string // Recovering, Live or Stopping
	Began        time.Time
	At           time.Time // when this copy was made
	Seq          int64
	Epoch        int64
	Learner      string
	Config       model.Config // all that reaches a score
	Labels       [2]string    // of a binary task, the negative one first, as answers spell them; else empty
	Counts       model.Counts
	Score        metrics.Report
	Classes      []string // of a task of several classes, in the order of discovery; else nil
	Partitions   []PartitionStatus
	Saved        SavedCheckpoint
	SaveError    string             // of the last checkpoint, when it failed
	Checkpoints  int64              // saved by this process
	SaveErrors   int64              // failed in this process
	CommitFails  int64              // failed offset commits in this process
	Acknowledged int64              // answers acknowledged in this process
	Accepted     []model.Acceptance // what operators let go, ever
	Recovered    Recovery
	Recent       *Recent        // what this process rejected and answered wrongly last; nil until the model is live
	Summary      *model.Summary // the model at a checkpoint of this process; nil until there is one
	Timings      *Timings       // of this process; they go on, unlike the rest
}

// PartitionStatus is one input partition.
type PartitionStatus struct {
	Partition int32
	Position  int64
	End       int64 // the last stable offset, as last seen
}

// Lag is how many offsets lie ahead, of this partition.
func (p PartitionStatus) Lag() int64 { return max(0, p.End-p.Position) }

// Lag is how many offsets lie ahead, over all partitions.
func (s *Status) Lag() (n int64) {
	for _, p := range s.Partitions {
		n += p.Lag()
	}
	return n
}

// Recovery says how far recovery is: answers learned again from the journal, and offsets of it passed and to pass.
type Recovery struct {
	Predictions int64
	Done, Total int64
}

// shared is what the goroutines of a task tell each other without waiting.
type shared struct {
	board        atomic.Pointer[Status]
	seen         atomic.Pointer[topics.Topology] // the newest look at the cluster
	save         atomic.Pointer[SavedCheckpoint]
	saveError    atomic.Pointer[string]
	checkpoints  atomic.Int64
	saveErrors   atomic.Int64
	commitFails  atomic.Int64
	acknowledged atomic.Int64 // answers acknowledged in this process
	timings      Timings
}

func (h *shared) saved(s SavedCheckpoint) {
	h.save.Store(&s)
	h.saveError.Store(nil)
	h.checkpoints.Add(1)
	h.timings.Save.Add(s.Duration.Seconds())
}

func (h *shared) saveFailed(err error) {
	text := err.Error()
	h.saveError.Store(&text)
	h.saveErrors.Add(1)
}

// Status returns a fresh copy. Any goroutine may call it, after Open.
func (t *Task) Status() *Status {
	s := *t.board.Load()
	if saved := t.save.Load(); saved != nil {
		s.Saved, s.Summary = *saved, saved.summary
	}
	if text := t.saveError.Load(); text != nil {
		s.SaveError = *text
	}
	s.Checkpoints, s.SaveErrors, s.CommitFails = t.checkpoints.Load(), t.saveErrors.Load(), t.commitFails.Load()
	s.Acknowledged, s.Timings = t.acknowledged.Load(), &t.timings
	if top := t.seen.Load(); top != nil {
		parts := slices.Clone(s.Partitions)
		for i := range parts {
			if i < len(top.Input.Partitions) {
				parts[i].End = max(parts[i].Position, top.Input.Partitions[i].Stable)
			}
		}
		s.Partitions = parts
	}
	return &s
}

// publish makes a new copy of the owner's part of the status.
func (t *Task) publish(st *state, name string) *Status {
	counts := st.counts
	counts.Rejected = maps.Clone(counts.Rejected)
	before := t.board.Load()
	s := &Status{Model: t.Config.Model, State: name, Began: before.Began, Recovered: before.Recovered, At: time.Now(), Seq: st.seq, Epoch: st.epoch,
		Learner: st.fixed.LearnerName(), Config: st.fixed, Labels: st.proc.Labels(&st.fixed.Decode), Classes: slices.Clone(st.proc.Classes()), Counts: counts, Score: st.proc.Report(), Accepted: st.accepted,
		Recent: t.recent.copy(st.proc, &st.fixed.Decode)}
	for p, at := range st.positions {
		end := at
		if p < len(st.topology.Input.Partitions) {
			end = max(at, st.topology.Input.Partitions[p].Stable)
		}
		s.Partitions = append(s.Partitions, PartitionStatus{Partition: int32(p), Position: at, End: end})
	}
	t.board.Store(s)
	return s
}

func (t *Task) publishRecovering(r Recovery) {
	s := *t.board.Load()
	s.State, s.At, s.Recovered = Recovering, time.Now(), r
	t.board.Store(&s)
}

// publishNow publishes at most ten times a second, and a fifth of a second after the last one when nothing more waits.
func (s *session) publishNow(quiet bool) {
	if since := time.Since(s.published); since < 100*time.Millisecond || !quiet && since < 200*time.Millisecond {
		return
	}
	s.published = time.Now()
	s.t.publish(s.st, Live)
}

// progress tells at 1, 2, 4, 8 ... answers.
func (s *session) progress() {
	if s.t.Progress != nil {
		s.t.publish(s.st, Live)
		s.t.Progress(s.t.Status())
	}
}

// ErrNotLive is returned by Copy while there is no model to be copied: during recovery and after the end.
var ErrNotLive = errors.New("the model is not live: recovering or stopping")

// ModelCopy is a copy of the model at one moment.
type ModelCopy struct {
	Proc  *model.Processor // of its own
	Fixed model.Config
	Seq   int64
	At    time.Time
}

type copyRequest struct {
	into *ModelCopy
	done chan error
}

// Copy copies the model as it stands after a chunk into c. Any goroutine may call it, after Open.
func (t *Task) Copy(ctx context.Context, c *ModelCopy) error {
	r := &copyRequest{into: c, done: make(chan error, 1)}
	if t.Status().State != Live {
		return ErrNotLive
	}
	select {
	case t.copies <- r:
		return <-r.done
	case <-ctx.Done():
		return ErrNotLive
	}
}

func (s *state) copyTo(c *ModelCopy) error {
	if c.Proc == nil || len(must(c.Fixed.Diff(s.fixed))) > 0 {
		proc, err := model.NewProcessor(s.fixed)
		if err != nil {
			return err
		}
		c.Proc, c.Fixed = proc, s.fixed
	}
	s.proc.CopyTo(c.Proc)
	c.Seq, c.At = s.seq, time.Now()
	return nil
}

// must drops an error that cannot be: both configurations were made to JSON before.
func must[T any](v T, _ error) T { return v }
