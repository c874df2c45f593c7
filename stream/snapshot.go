package stream

import (
	"maps"
	"math"
	"slices"
	"time"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// snapshot is a copy of the state after a job, saved when the job is acknowledged. Its memory is reused.
type snapshot struct {
	header model.Header
	proc   *model.Processor
	last   bool    // of a run, which fails if saving it fails
	floor  []int64 // for each dead-letter partition: no end above this may be saved

	summary    *model.Summary // the newest one made
	summarized time.Duration  // the time for making it
}

func newSnapshot(f model.Config) (*snapshot, error) {
	proc, err := model.NewProcessor(f)
	if err != nil {
		return nil, err
	}
	return &snapshot{proc: proc}, nil
}

func (s *snapshot) take(st *state, c *Config) {
	st.proc.CopyTo(s.proc)
	unbounded := make([]int64, len(st.fence.DeadLetters))
	for i := range unbounded {
		unbounded[i] = math.MaxInt64
	}
	s.floor = st.deadLetterFloor(unbounded)
	counts := st.counts
	counts.Rejected = maps.Clone(counts.Rejected)
	top := st.topology
	s.header = model.Header{
		Model: c.Model, Build: c.Build, Config: st.fixed,
		Cluster: top.Cluster, Input: model.RefOf(top.Input), Output: model.RefOf(top.Output),
		Dead: model.RefOf(top.DeadLetters),
		Seq:  st.seq, Epoch: st.epoch, Producer: st.fence.Producer,
		Positions: slices.Clone(st.positions), Started: slices.Clone(st.started),
		Family: st.proc.Family, Counts: counts,
		Accepted: slices.Clone(st.accepted), Skipped: slices.Clone(st.skipped),
	}
	s.header.Hold(st.proc)
	s.header.Output.Partitions, s.header.Dead.Partitions = len(st.fence.Output), len(st.fence.DeadLetters)
}

// setEnds sets from where recovery reads: the ends when the job was acknowledged and nothing later was sent.
func (s *snapshot) setEnds(e topics.Ends) {
	e = e.Clone()
	//mutation:dead-letter-floor
	for i := range e.DeadLetters {
		e.DeadLetters[i] = min(e.DeadLetters[i], s.floor[i])
	}
	s.header.Ends = e
}

func (s *snapshot) save(store *checkpoint.Store) (SavedCheckpoint, error) {
	begin := time.Now()
	size, err := model.Save(store, &s.header, s.proc)
	if err != nil {
		return SavedCheckpoint{}, err
	}
	saved := SavedCheckpoint{Seq: s.header.Seq, Bytes: size, At: time.Now(), Duration: time.Since(begin)}
	saved.summary = s.summarize()
	return saved, nil
}

// summarize returns the summary of a saved copy, or the one before, so that summaries take at most a fiftieth of the
// time. The last one of a run is always made.
func (s *snapshot) summarize() *model.Summary {
	if s.summary != nil && !s.last && time.Since(s.summary.At) < max(time.Second, 50*s.summarized) {
		return s.summary
	}
	begin := time.Now()
	s.summary, s.summarized = model.Summarize(s.proc, s.header.Seq), time.Since(begin)
	return s.summary
}

// SavedCheckpoint describes the newest durable checkpoint.
type SavedCheckpoint struct {
	Seq      int64
	Bytes    int64
	At       time.Time
	Duration time.Duration

	summary *model.Summary
}
