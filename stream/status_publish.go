package stream

import (
	"cmp"
	"slices"
	"sync/atomic"
	"time"

	"rosenblatt/stream/labels"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/survey"
	"rosenblatt/stream/topics"
)

// shared is what the goroutines of a task share without locks.
type shared struct {
	board        atomic.Pointer[Status] // made by the owner of the state
	seen         atomic.Pointer[inputEnds]
	listed       atomic.Pointer[topics.Topology] // as of the last look
	save         atomic.Pointer[SavedCheckpoint]
	saveError    atomic.Pointer[string]
	checkpoints  atomic.Int64
	saveErrors   atomic.Int64
	commitFails  atomic.Int64
	acknowledged atomic.Int64 // predictions, in this process
	timings      *Timings
	surveyed     atomic.Pointer[survey.Report]
	seconds      [topics.Labels + 1]atomic.Bool // by topic that is read: timestamps seem to be in seconds

	unreadJournal, unreadTopic unread // of a follower

	acknowledgedSeq atomic.Int64 // up to which all entries of the journal are
}

// inputEnds are the bounds of the input's partitions at a time.
type inputEnds struct {
	bounds []topics.Bounds
	labels []topics.Bounds
	at     time.Time
}

func (h *shared) saved(s SavedCheckpoint) {
	h.save.Store(&s)
	h.saveError.Store(nil)
	h.checkpoints.Add(1)
	h.timings.Save.Observe(s.Duration.Seconds())
}

// acknowledge counts a flight's predictions.
func (h *shared) acknowledge(f *flight) {
	for _, s := range f.predictions.list {
		h.acknowledged.Add(int64(s.records.Len()))
		h.acknowledgedSeq.Add(int64(s.records.Len()))
		h.timings.acknowledged(s)
	}
	for _, s := range f.outcomes.list {
		h.acknowledgedSeq.Add(int64(s.records.Len()))
	}
}

func (h *shared) saveFailed(err error) {
	text := err.Error()
	h.saveError.Store(&text)
	h.saveErrors.Add(1)
}

// Status returns a new copy. Any goroutine may call it, after Open.
func (t *Task) Status() *Status {
	s := *t.board.Load()
	s.Checkpoints, s.SaveErrors, s.CommitFails = t.checkpoints.Load(), t.saveErrors.Load(), t.commitFails.Load()
	s.Acknowledged, s.Timings = t.acknowledged.Load(), t.timings
	if s.State == Idle {
		return &s
	}
	s.First = t.surveyed.Load()
	if saved := t.save.Load(); saved != nil {
		s.Saved, s.Summary = *saved, saved.summary
	}
	if text := t.saveError.Load(); text != nil {
		s.SaveError = *text
	}
	if s.State == Live {
		s.Unacknowledged = max(0, s.Seq-t.acknowledgedSeq.Load())
	}
	if s.State == Following {
		s.Unread = cmp.Or(t.unreadJournal.reason(), t.unreadTopic.reason())
	}
	if ends := t.seen.Load(); ends != nil {
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

// publish makes a new status. The owner of the state calls it.
func (t *Task) publish(st *state, name string) *Status {
	before := t.board.Load()
	s := &Status{
		Model: t.Config.Model, State: name, Began: before.Began, Recovered: before.Recovered, At: time.Now(),
		Seq: st.seq, Epoch: st.epoch, Counts: st.counts.Clone(), Score: st.proc.Report(), Accepted: st.accepted,
		Learner: st.fixed.LearnerName(), Config: st.fixed,
		Labels: st.proc.Labels(&st.fixed.Decode), Classes: slices.Clone(st.proc.Classes()),
		Recent: t.recent.copy(st.proc, &st.fixed.Decode), Rejects: t.rejects.newest,
	}
	s.Partitions = st.partitionStatus(topics.Input)
	if s.Late = t.merging.status(st); s.Late != nil {
		s.Late.Rejects, s.Late.TooLate = t.badLabels.newest, s.Late.Counts.ByLabel.TooLate(labels.FewLate)
	}
	if name == Stopping {
		s.Confusion = st.proc.Confusion()
	}
	if name == Following {
		s.FollowedAt = t.followedAt
	}
	t.board.Store(s)
	return s
}

// partitionStatus is where the task is in its partitions of a topic that it reads.
func (s *state) partitionStatus(t topics.Topic) []PartitionStatus {
	own := s.partitions(t)
	all := make([]PartitionStatus, len(own))
	for i, p := range own {
		at := s.positionsOf(t)[p]
		all[i] = PartitionStatus{Partition: p, Position: at, End: at}
		all[i].setEnd(s.topology.Of(t).Partitions)
	}
	return all
}

// Idle publishes that other members predict and follow, without a word of a model that the task followed before. A
// member that is refused says why. It is called while Run is not.
func (t *Task) Idle(refused string) {
	before := t.board.Load()
	t.board.Store(&Status{Model: before.Model, State: Idle, Began: before.Began, At: time.Now(), Refused: refused})
}

// Stopped publishes that the task has ended with a stop for good, and its process has not. It is called after Run.
func (t *Task) Stopped(stop *stops.Error) {
	s := *t.board.Load()
	s.State, s.At, s.Stop = Stopped, time.Now(), stop
	t.board.Store(&s)
}

func (t *Task) publishRecovering(r Recovery) {
	s := *t.board.Load()
	s.State, s.At, s.Recovered = Recovering, time.Now(), r
	t.board.Store(&s)
}

// publishNow publishes at most ten times a second when no chunk waits, else five times, and once where nothing has
// changed.
func (s *session) publishNow(idle bool) {
	since := time.Since(s.published)
	if since < 100*time.Millisecond || !idle && since < 200*time.Millisecond {
		return
	}
	mark := markOf(s.st, time.Time{})
	if mark == s.publishedMark && since < time.Second {
		return
	}
	s.published, s.publishedMark = time.Now(), mark
	if s.merger != nil {
		m := merging{held: s.merger.held(), holds: s.merger.holds(), unasked: s.merger.unasked()}
		for _, t := range s.st.topology.Read() {
			if s.t.seconds[t].Load() {
				m.seconds = append(m.seconds, t)
			}
		}
		s.t.merging = m
	}
	s.t.publish(s.st, Live)
}

func (s *session) progress() {
	if s.t.Progress != nil {
		s.t.publish(s.st, Live)
		s.t.Progress(s.t.Status())
	}
}
