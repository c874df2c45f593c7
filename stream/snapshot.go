package stream

import (
	"math"
	"slices"
	"time"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/model"
	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/topics"
)

// snapshot is a copy of the state after a flight, saved when the flight is acknowledged and the copy complete. Its
// memory is reused.
type snapshot struct {
	header  model.Header
	replica *model.Replica // of the learner's model
	copied  chan bool      // true when the copy is complete, false when it never will be; holds one
	last    bool           // of a run, which fails if saving it fails
	floor   []int64        // for each dead-letter partition: no end above this may be saved
	waiting func() []checkpoint.Section
	summary summarizer
}

func newSnapshot(st *state) (*snapshot, error) {
	proc, err := model.NewProcessor(st.fixed)
	if err != nil {
		return nil, err
	}
	return &snapshot{replica: st.proc.NewReplica(proc), copied: make(chan bool, 1)}, nil
}

// begin starts a copy of the state as it is now. The learner goes on, and copies the model step by step.
func (s *snapshot) begin(st *state, c *Config) {
	if s.replica.From != st.proc { // a configuration was accepted since
		s.replica = must(newSnapshot(st)).replica
	}
	s.replica.Begin()
	s.header, s.floor = st.header(c), st.deadLetterFloor(unbounded(st))
	//mutation:pending-snapshot
	s.waiting = st.waiting()
}

// step copies a part of the model, and reports whether that was the last one.
func (s *snapshot) step() (done bool) {
	if !s.replica.Step() {
		return false
	}
	s.copied <- true
	return true
}

// setEnds sets from where recovery reads: the ends when the flight was acknowledged and nothing later was sent.
func (s *snapshot) setEnds(e topics.Ends) { s.header.Ends = endsBelow(e, s.floor) }

// save saves a complete copy.
func (s *snapshot) save(store *checkpoint.Store, listed *topics.Topology) (SavedCheckpoint, error) {
	store.Kept = auditedFrom(s.header.Accepted, listed)
	return save(store, &s.header, s.replica.To, s.waiting(), &s.summary, s.last)
}

// saveNow saves the state itself, while nothing else uses it.
func (st *state) saveNow(
	store *checkpoint.Store, c *Config, ends topics.Ends, leaders topics.EndEpochs,
) (SavedCheckpoint, error) {
	h := st.header(c)
	store.Kept = auditedFrom(h.Accepted, st.topology)
	h.Ends, h.EndEpochs = endsBelow(ends, st.deadLetterFloor(unbounded(st))), leaders
	return save(store, &h, st.proc, st.waiting()(), &summarizer{}, true)
}

// auditedFrom is the seq of the checkpoint in which the last accepted stop was recorded: an audit begins there. It is
// kept while the journal holds what follows it.
func auditedFrom(accepted []model.Acceptance, now *topics.Topology) uint64 {
	if len(accepted) == 0 {
		return 0
	}
	last := accepted[len(accepted)-1]
	//mutation:kept-for-ever
	if e := last.Ends; e != nil && now != nil && !(now.Output.Holds(e.Output) && now.Outcomes.Holds(e.Outcomes)) {
		return 0
	}
	return uint64(last.Seq)
}

func (st *state) header(c *Config) model.Header {
	top := st.topology
	h := model.Header{
		Model: c.Model, Partition: c.Partition, Tasks: st.tasks, Build: c.Build, Config: st.fixed,
		Cluster: top.Cluster, Input: model.RefOf(top.Input), Output: model.RefOf(top.Output),
		Dead: model.RefOf(top.DeadLetters),
		Seq:  st.seq, Epoch: st.epoch, Producer: st.fence.Producer,
		Positions: slices.Clone(st.positions), Started: slices.Clone(st.started),
		Family: st.proc.Family, Counts: st.counts.Clone(),
		Accepted: slices.Clone(st.accepted), Skipped: slices.Clone(st.skipped), ForTopic: st.forTopic,
	}
	h.PositionEpochs = topics.Leaders(st.positions, st.reached[0])
	h.Late = st.labels().State()
	h.Hold(st.proc)
	h.Output.Partitions, h.Dead.Partitions = len(st.fence.Output), len(st.fence.DeadLetters)
	if top.Outcomes.Name != "" {
		h.Outcomes = model.RefOf(top.Outcomes)
		h.Outcomes.Partitions = len(st.fence.Outcomes)
	}
	if top.Labels.Name != "" {
		h.Labels = model.RefOf(top.Labels)
		h.LabelPositions, h.LabelStarted = slices.Clone(st.labelPositions), slices.Clone(st.labelStarted)
		h.LabelEpochs = topics.Leaders(st.labelPositions, st.reached[1])
	}
	return h
}

func unbounded(st *state) []int64 {
	ends := make([]int64, len(st.fence.DeadLetters))
	for i := range ends {
		ends[i] = math.MaxInt64
	}
	return ends
}

func endsBelow(e topics.Ends, floor []int64) topics.Ends {
	e = e.Clone()
	//mutation:dead-letter-floor
	for i := range e.DeadLetters {
		e.DeadLetters[i] = min(e.DeadLetters[i], floor[i])
	}
	return e
}

func save(store *checkpoint.Store, h *model.Header, proc *model.Processor, waiting []checkpoint.Section,
	summary *summarizer, last bool) (SavedCheckpoint, error) {
	begin := time.Now()
	size, err := model.Save(store, h, proc, waiting...)
	if err != nil {
		return SavedCheckpoint{}, err
	}
	saved := SavedCheckpoint{Seq: h.Seq, Bytes: size, At: time.Now(), Duration: time.Since(begin)}
	saved.summary = summary.of(proc, h.Seq, last)
	return saved, nil
}

// summarizer makes summaries of saved copies.
type summarizer struct {
	newest *model.Summary
	took   time.Duration // for making it
}

// of returns the summary of a saved copy, or the one before, so that summaries take at most a fiftieth of the time.
// The last one of a run is always made.
func (s *summarizer) of(proc *model.Processor, seq int64, last bool) *model.Summary {
	if s.newest != nil && !last && time.Since(s.newest.At) < max(time.Second, 50*s.took) {
		return s.newest
	}
	begin := time.Now()
	s.newest, s.took = model.Summarize(proc, seq), time.Since(begin)
	return s.newest
}

// SavedCheckpoint describes the newest durable checkpoint.
type SavedCheckpoint struct {
	Seq      int64
	Bytes    int64
	At       time.Time
	Duration time.Duration
	Topic    *statetopic.Saved // nil where checkpoints are in the folder alone

	summary *model.Summary
}
