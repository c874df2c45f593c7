package stream

import (
	"time"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
	"rosenblatt/stream/state"
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

func newSnapshot(st *state.State) (*snapshot, error) {
	proc, err := model.NewProcessor(st.Fixed)
	if err != nil {
		return nil, err
	}
	return &snapshot{replica: st.Proc.NewReplica(proc), copied: make(chan bool, 1)}, nil
}

// begin starts a copy of the state as it is now. The learner goes on, and copies the model step by step.
func (s *snapshot) begin(st *state.State, c *state.Config) {
	if s.replica.From != st.Proc { // a configuration was accepted since
		s.replica = ignoreError(newSnapshot(st)).replica
	}
	s.replica.Begin()
	s.header, s.floor = st.Header(c), st.Floor()
	//mutation:pending-snapshot
	s.waiting = st.Waiting()
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
func (s *snapshot) setEnds(e topics.Ends) { s.header.Ends = state.EndsBelow(e, s.floor) }

// save saves a complete copy.
func (s *snapshot) save(store *checkpoint.Store, listed *topics.Topology) (board.SavedCheckpoint, error) {
	store.Kept = auditedFrom(s.header.Accepted, listed)
	return save(store, &s.header, s.replica.To, s.waiting(), &s.summary, s.last)
}

// saveNow saves the state itself, while nothing else uses it.
func saveNow(
	st *state.State, store *checkpoint.Store, c *state.Config, ends topics.Ends, leaders topics.EndEpochs,
) (board.SavedCheckpoint, error) {
	h := st.Header(c)
	store.Kept = auditedFrom(h.Accepted, st.Topology)
	h.Ends, h.EndEpochs = state.EndsBelow(ends, st.Floor()), leaders
	return save(store, &h, st.Proc, st.Waiting()(), &summarizer{}, true)
}

// auditedFrom is the seq of the checkpoint in which the last accepted stop was recorded: an audit begins there. It is
// kept while the journal holds what follows it.
func auditedFrom(accepted []model.Acceptance, now *topics.Topology) uint64 {
	if accepted = model.GivenUp(accepted); len(accepted) == 0 {
		return 0
	}
	last := accepted[len(accepted)-1]
	//mutation:kept-for-ever
	if e := last.Ends; e != nil && now != nil && !(now.Output.Holds(e.Output) && now.Outcomes.Holds(e.Outcomes)) {
		return 0
	}
	return uint64(last.Seq)
}

func save(store *checkpoint.Store, h *model.Header, proc *model.Processor, waiting []checkpoint.Section,
	summary *summarizer, last bool) (board.SavedCheckpoint, error) {
	begin := time.Now()
	size, err := model.Save(store, h, proc, waiting...)
	if err != nil {
		return board.SavedCheckpoint{}, err
	}
	saved := board.SavedCheckpoint{Seq: h.Seq, Bytes: size, At: time.Now(), Duration: time.Since(begin)}
	saved.Summary = summary.of(proc, h.Seq, last)
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
