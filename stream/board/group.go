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
	Assigned  Cause = iota // the group gave it the task, as where a member joined or left
	Suspected              // likewise, because a member had asked for the one that had it
	Fenced                 // it had the task before, and was fenced
	Begun                  // nobody had the task before, as far as this member knows
	Silent                 // the group gave it the task unasked, and events had waited for SilentAfter
	Causes                 // so many there are
)

// String is its name in metrics and logs.
func (c Cause) String() string {
	return [Causes]string{"assigned", "suspected", "fenced", "start", "silent"}[c]
}

// SilentAfter is the time without predictions while events wait that people are told of.
const SilentAfter = time.Second

// Shared is what the group that shares a task says of it.
type Shared = group.View

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
	live      atomic.Pointer[time.Time] // of the last takeover
	taking    atomic.Bool
	reloads   atomic.Bool
	writer    atomic.Pointer[Writer]
	suspicion atomic.Pointer[Suspicion]
	silence   atomic.Pointer[Silence]
	sending   atomic.Int64 // since when the flight that is being written is, ns after the board was made; 0: none is
}

// TakeOver notes that a member has begun to take over.
func (b *Board) TakeOver() { b.shared.taking.Store(true) }

// Reload notes whether the next recovery is because another member has taken over.
func (b *Board) Reload(because bool) { b.shared.reloads.Store(because) }

// TakenOver notes that the task is live.
func (b *Board) TakenOver(c Cause) {
	b.shared.live.Store(new(time.Now()))
	b.shared.takeovers[c].Add(1)
}

// Writer is another member that predicts, or is about to, as a follower sees it in the journal and in checkpoints.
type Writer struct {
	Epoch int64
	At    time.Time // when that epoch was seen first
}

// NoteWriter notes the epoch of what others write, where it is a later one than before.
func (b *Board) NoteWriter(epoch int64) {
	if w := b.shared.writer.Load(); w == nil || w.Epoch < epoch {
		b.shared.writer.Store(&Writer{epoch, time.Now()})
	}
}

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
	if since := b.shared.live.Load(); since != nil && s.State == Live {
		s.LiveSince = *since
	}
	if w := b.shared.writer.Load(); w != nil {
		s.Writer = *w
	}
	s.Reloading = b.shared.reloads.Load() && s.State == Recovering
	//mutation:takes-over-in-fact
	s.TakingOver = b.shared.taking.Load() && (s.State == Recovering || s.State == Following)
	if silence := b.shared.silence.Load(); silence != nil && (s.State == Recovering || s.State == Following) {
		of := *silence
		if of.For = max(of.For, time.Since(of.Since)); s.State == Following && !s.TakingOver {
			of.For = silence.For // as of the last look
		}
		s.Silence = &of
	}
	if since := b.shared.sending.Load(); since > 0 && s.State == Live {
		s.Sending = time.Since(b.made) - time.Duration(since)
	}
}
