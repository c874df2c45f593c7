package board

import (
	"cmp"
	"slices"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/stream/labels"
	"rosenblatt/stream/profile"
	"rosenblatt/stream/registry"
	"rosenblatt/stream/state"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/survey"
	"rosenblatt/stream/topics"
)

// Board is what others see of a task. The owner of the state publishes its status here, with what it noted meanwhile:
// records that were rejected or predicted wrongly, and what waits. Readers, writer and saver note what they did. Any
// goroutine reads.
type Board struct {
	Timings *Timings
	Seconds [topics.Labels + 1]atomic.Bool // by topic that is read: timestamps seem to be in seconds

	UnreadJournal, UnreadTopic Unread // of a follower

	// Gate is what readers of partitions wait at for schemas; nil where events name none.
	Gate atomic.Pointer[registry.Gate]

	log          *zerolog.Logger
	status       atomic.Pointer[Status]
	seen         atomic.Pointer[inputEnds]
	listed       atomic.Pointer[topics.Topology] // as of the last look
	save         atomic.Pointer[SavedCheckpoint]
	saveError    atomic.Pointer[string]
	checkpoints  atomic.Int64
	saveErrors   atomic.Int64
	commitFails  atomic.Int64
	predicted    atomic.Int64 // predictions acknowledged, in this process
	acknowledged atomic.Int64 // the seq up to which all entries of the journal are
	surveyed     atomic.Pointer[survey.Report]
	fields       atomic.Pointer[profile.Beside] // nil: they are not profiled

	made   time.Time
	shared shared

	noted // by the owner of the state
}

// noted is what the owner of the state notes between two publications.
type noted struct {
	recent     recent
	events     rejections
	labels     rejections
	first      firstEvents
	drifts     drifts
	merging    Merging
	differs    string    // how the settings of a follower do from the model's; empty: they do not
	followedAt time.Time // as of when the journal is learned; zero while the task does not follow
	promoting  string    // the learner whose promotion waits for an entry; empty: none does
	learners   learners
}

// New returns the board of a task that is not running yet.
func New(model string) *Board {
	log := zerolog.Nop()
	b := &Board{Timings: NewTimings(), log: &log, made: time.Now()}
	b.status.Store(&Status{Model: model, State: Recovering, Began: time.Now()})
	return b
}

// Begin begins a run, which logs what is most likely a mistake. split: each partition has a model of its own.
func (b *Board) Begin(log *zerolog.Logger, split bool) {
	b.log, b.labels.labels, b.labels.split = log, true, split
}

// Recover begins a recovery. What was shown of classes is forgotten: they are numbered by a model that may have
// predicted more than the journal holds.
func (b *Board) Recover() {
	b.recent, b.merging, b.followedAt = recent{}, Merging{}, time.Time{}
	b.shared.taking.Store(false)
	b.Recovering(Recovery{})
}

// inputEnds are the bounds of the input's partitions at a time.
type inputEnds struct {
	bounds []topics.Bounds
	labels []topics.Bounds
	at     time.Time
}

// Saved notes a checkpoint.
func (b *Board) Saved(s SavedCheckpoint) {
	b.save.Store(&s)
	b.saveError.Store(nil)
	b.checkpoints.Add(1)
	b.Timings.Save.Observe(s.Duration.Seconds())
}

// SaveFailed notes that a checkpoint was not saved.
func (b *Board) SaveFailed(err error) {
	text := err.Error()
	b.saveError.Store(&text)
	b.saveErrors.Add(1)
}

// IsSaveFailing reports whether the last checkpoint was not saved.
func (b *Board) IsSaveFailing() bool { return b.saveError.Load() != nil }

// CommitFailed notes that the group's offsets were not committed.
func (b *Board) CommitFailed() { b.commitFails.Add(1) }

// Listed is the topology as of the last look; nil before the first.
func (b *Board) Listed() *topics.Topology { return b.listed.Load() }

// AcknowledgedTo notes that all entries up to a seq are acknowledged.
func (b *Board) AcknowledgedTo(seq int64) { b.acknowledged.Store(seq) }

// Acknowledged is the seq up to which all entries of the journal are acknowledged.
func (b *Board) Acknowledged() int64 { return b.acknowledged.Load() }

// AcknowledgeOutcomes notes that so many further outcomes are.
func (b *Board) AcknowledgeOutcomes(n int) { b.acknowledged.Add(int64(n)) }

// Acknowledge notes that so many further predictions are. oldest is the timestamp of the first one's record, ms, and
// arrived is when the reader had it.
func (b *Board) Acknowledge(n int, oldest int64, arrived time.Time) {
	b.predicted.Add(int64(n))
	b.acknowledged.Add(int64(n))
	b.Timings.acknowledged(n, oldest, arrived)
}

// Status returns a new copy. Any goroutine may call it.
func (b *Board) Status() *Status {
	s := *b.status.Load()
	s.Checkpoints, s.SaveErrors, s.CommitFails = b.checkpoints.Load(), b.saveErrors.Load(), b.commitFails.Load()
	s.Acknowledged, s.Timings = b.predicted.Load(), b.Timings
	b.share(&s)
	if g := b.Gate.Load(); g != nil {
		s.schemas(g)
	}
	if s.State == Idle {
		return &s
	}
	s.First = b.surveyed.Load()
	if fields := b.fields.Load(); fields != nil {
		s.Fields = fields.Report()
	}
	if saved := b.save.Load(); saved != nil {
		s.Saved, s.Summary = *saved, saved.Summary
	}
	if text := b.saveError.Load(); text != nil {
		s.SaveError = *text
	}
	if s.State == Live {
		s.Unacknowledged = max(0, s.Seq-b.acknowledged.Load())
	}
	if s.State == Following {
		s.Unread = cmp.Or(b.UnreadJournal.reason(), b.UnreadTopic.reason())
	}
	if ends := b.seen.Load(); ends != nil {
		s.Partitions, s.EndsAt = slices.Clone(s.Partitions), ends.at
		for i := range s.Partitions {
			s.Partitions[i].setEnd(ends.bounds)
		}
		s.Late = s.Late.withEnds(ends.labels)
	}
	return &s
}

func (p *PartitionStatus) setEnd(bounds []topics.Bounds) {
	if int(p.Partition) < len(bounds) {
		b := &bounds[p.Partition]
		p.End = max(p.Position, b.Stable)
		p.StableLag = max(0, b.End-p.End)
	}
}

// Publish makes a new status. The owner of the state calls it.
func (b *Board) Publish(st *state.State, name string) {
	before := b.status.Load()
	s := &Status{
		Model: before.Model, State: name, Began: before.Began, Recovered: before.Recovered, At: time.Now(),
		Seq: st.Seq, Epoch: st.Epoch, Counts: st.Counts.Clone(), Score: st.Proc.Report(), Accepted: st.Accepted,
		Learner: st.Fixed.Of(st.Proc.Champion()).LearnerName(), Config: st.Fixed,
		Learners: b.learners.of(b, st, name == Stopping), Promotions: st.Proc.Promotions(),
		Labels: st.Proc.Labels(&st.Fixed.Decode), Classes: slices.Clone(st.Proc.Classes()),
		ByClass: st.Proc.ByClass(), Slices: st.Proc.SliceRows(), Decision: st.Proc.Decision(),
		Drift:     b.drifts.report(b.log, st.Proc),
		Promoting: b.promoting, Recent: b.recent.copy(st.Proc, &st.Fixed.Decode), Rejects: b.events.newest,
	}
	s.Partitions = partitionStatus(st, topics.Input)
	if s.Late = b.merging.status(st); s.Late != nil {
		s.Late.Rejects, s.Late.TooLate = b.labels.newest, s.Late.Counts.ByLabel.TooLate(labels.FewLate)
	}
	if name == Stopping {
		s.Confusion = st.Proc.Confusion()
	}
	if name == Following {
		s.FollowedAt, s.Differs = b.followedAt, b.differs
	}
	b.status.Store(s)
}

// Follow publishes that all of the journal is learned as of a time. IsFollowing is true from then on.
func (b *Board) Follow(st *state.State, at time.Time) {
	b.followedAt = at
	b.Publish(st, Following)
}

// Differ notes how the settings of a follower differ from those of the model, so that it may not have it. The owner of
// the state calls it.
func (b *Board) Differ(how string) { b.differs = how }

// Promoting notes the learner whose promotion waits for an entry of the journal; empty: none does. The owner of the
// state calls it.
func (b *Board) Promoting(name string) { b.promoting = name }

// IsFollowing reports whether this recovery has published that it follows.
func (b *Board) IsFollowing() bool { return !b.followedAt.IsZero() }

// partitionStatus is where the task is in its partitions of a topic that it reads.
func partitionStatus(s *state.State, t topics.Topic) []PartitionStatus {
	own := s.Partitions(t)
	all := make([]PartitionStatus, len(own))
	for i, p := range own {
		at := s.PositionsOf(t)[p]
		all[i] = PartitionStatus{Partition: p, Position: at, End: at}
		all[i].setEnd(s.Topology.Of(t).Partitions)
	}
	return all
}

// Idle reports the task as idle, and clears the model's figures. A member that is refused says why. It is called while
// Run is not.
func (b *Board) Idle(refused string) {
	before := b.status.Load()
	b.status.Store(&Status{Model: before.Model, State: Idle, Began: before.Began, At: time.Now(), Refused: refused})
}

// Stopped publishes that the task has ended with a stop for good, and its process has not. It is called after Run.
func (b *Board) Stopped(stop *stops.Error) {
	s := *b.status.Load()
	s.State, s.At, s.Stop = Stopped, time.Now(), stop
	b.status.Store(&s)
}

// Recovering publishes the progress of a recovery.
func (b *Board) Recovering(r Recovery) {
	s := *b.status.Load()
	s.State, s.At, s.Recovered = Recovering, time.Now(), r
	b.status.Store(&s)
}
