package stream

import (
	"context"
	"errors"

	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
)

// promotion is a request to make another learner the champion (PROTOCOL.md, "Promotion").
type promotion struct {
	name string
	done chan promoted // holds one
}

// promoted is what became of a promotion.
type promoted struct {
	seq int64 // of the first entry of the learner, which is acknowledged
	err error
}

// Errors of Promote.
var (
	// ErrPending says that a promotion waits for the next entry, or for its acknowledgement. A restart forgets one that
	// waits for an entry.
	ErrPending = errors.New("the promotion waits for the next entry of the journal")
	// ErrPromoting says that another promotion waits.
	ErrPromoting = errors.New("another promotion waits for the next entry of the journal")
)

// Promote makes a learner the champion from the next flight with an entry on, and returns the seq of its first entry
// when that is acknowledged. Errors: ErrNotLive, ErrPromoting, model.UnknownLearner, model.SuspendedLearner, and
// ErrPending when ctx ends before. Any goroutine may call it, after Open.
func (t *Task) Promote(ctx context.Context, name string) (seq int64, err error) {
	if t.Status().State != board.Live {
		return 0, ErrNotLive
	}
	p := &promotion{name: name, done: make(chan promoted, 1)}
	select {
	case t.promotions <- p:
	case <-ctx.Done():
		return 0, ErrNotLive
	}
	select {
	case r := <-p.done:
		return r.seq, r.err
	case <-ctx.Done():
		return 0, ErrPending
	}
}

// askPromotion takes a request. What is open goes out without it: it takes effect with the next flight.
func (s *session) askPromotion(p *promotion) {
	proc := s.st.Proc
	switch err := proc.CanPromote(p.name); {
	case s.promotion != nil:
		p.done <- promoted{err: ErrPromoting}
		return
	case err != nil:
		p.done <- promoted{err: err}
		return
	case p.name == proc.Champion():
		p.done <- promoted{seq: championSince(proc.Promotions())}
		return
	}
	s.promotion = p
	if f := s.flights.open; f != nil && len(f.layout.Runs) > 0 {
		f.full = true
		s.complete()
	}
}

// promotes reports whether a promotion takes effect with the entry that is next.
func (s *session) promotes(f *flight) bool { return s.promotion != nil && len(f.layout.Runs) == 0 }

// promote makes the learner the champion that was asked for, before the flight's first entry, which the champion before
// takes. learns: something is learned with that entry, and a learner that does not take it is refused.
func (s *session) promote(f *flight, learns bool) bool {
	p, proc := s.promotion, s.st.Proc
	s.promotion = nil
	//mutation:promoted-takes-the-event
	if !learns || proc.Takes(p.name) {
		f.promotion, f.champion = p, p.name
	}
	if err := proc.Promote(p.name, s.st.Seq+1, f.now); err != nil {
		p.done <- promoted{err: err}
		return false
	}
	s.t.Logger.Info().Str("champion", p.name).Int64("seq", s.st.Seq+1).Msg("promoted: its predictions are published")
	return true
}

// takeBack takes a promotion back whose entry fits nowhere. It waits for the next one.
func (s *session) takeBack(f *flight) {
	s.st.Proc.TakeBack()
	s.promotion, f.promotion, f.champion = f.promotion, nil, ""
}

// abandonPromotion ends what waits for an entry: the session is over.
func (s *session) abandonPromotion() {
	if s.promotion != nil {
		s.promotion.done <- promoted{err: ErrNotLive}
		s.promotion = nil
	}
}

// acknowledgePromotion says that the flight's entries are acknowledged.
func (f *flight) acknowledgePromotion() {
	if f.promotion != nil {
		f.promotion.done <- promoted{seq: f.layout.First}
	}
}

// championSince is the seq of the first entry of the champion; 0 without a promotion.
func championSince(all []model.Promotion) int64 {
	if len(all) == 0 {
		return 0
	}
	return all[len(all)-1].Seq
}
