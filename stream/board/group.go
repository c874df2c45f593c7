package board

import (
	"sync/atomic"
	"time"

	"rosenblatt/stream/group"
)

// Cause is why a member of a group took over.
type Cause uint8

// The causes of takeovers.
const (
	Assigned  Cause = iota // the group gave it the task, as where a member joined, left, or was dropped
	Suspected              // likewise, because a member had asked for the one that had it
	Fenced                 // it had the task before, and was fenced
	Causes                 // so many there are
)

// String is its name in metrics and logs.
func (c Cause) String() string { return [Causes]string{"assigned", "suspected", "fenced"}[c] }

// Shared is what the group that shares a task says of it.
type Shared struct {
	Predicts   string // the member that has the task; empty: nobody has it, or that is not known
	Own        bool   // this one
	Since      time.Time
	Asked      bool // that member is suspected, and the group has not answered yet
	Suspicions group.Suspicions
}

// Suspicion is work that nobody did, so that a follower asked the group who is alive.
type Suspicion struct {
	Partition int32
	Offset    int64         // of the record that waited
	After     time.Duration // for which it waited
	At        time.Time     // when the group was asked
}

// Silence is a time without predictions while a record waits, as a follower sees it.
type Silence struct {
	Partition int32
	Offset    int64
	Since     time.Time
	For       time.Duration // as of the last look
}

// shared is what is seen of a task that members share.
type shared struct {
	takeovers [Causes]atomic.Int64
	suspicion atomic.Pointer[Suspicion]
	silence   atomic.Pointer[Silence]
	sending   atomic.Int64 // since when the flight that is being written is, ns after the board was made; 0: none is
}

// TakenOver notes that the task is live.
func (b *Board) TakenOver(c Cause) { b.shared.takeovers[c].Add(1) }

// Suspect notes that the group is asked now.
func (b *Board) Suspect(s *Suspicion) {
	s.At = time.Now()
	b.shared.suspicion.Store(s)
}

// Quiet notes that nobody predicts while a record waits; nil: somebody does, or nothing waits.
func (b *Board) Quiet(s *Silence) { b.shared.silence.Store(s) }

// Sending notes that a flight is sent to the brokers, until the returned function is called.
func (b *Board) Sending() (sent func()) {
	b.shared.sending.Store(int64(time.Since(b.made)) + 1)
	return func() { b.shared.sending.Store(0) }
}

// share adds what is seen of a shared task.
func (b *Board) share(s *Status) {
	for c := range s.Takeovers {
		s.Takeovers[c] = b.shared.takeovers[c].Load()
	}
	s.Suspicion = b.shared.suspicion.Load()
	if s.State == Following {
		s.Silence = b.shared.silence.Load()
	}
	if since := b.shared.sending.Load(); since > 0 && s.State == Live {
		s.Sending = time.Since(b.made) - time.Duration(since)
	}
}
