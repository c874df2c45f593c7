package stream

import (
	"context"
	"time"

	"rosenblatt/stream/board"
)

const (
	publishEvery = 250 * time.Millisecond // the progress of a recovery in the status
	logEvery     = 5 * time.Second        // and in the log
)

type recoveryProgress struct {
	begin       time.Time // of the recovery
	published   time.Time
	logged      time.Time
	saved       time.Time // the last checkpoint
	saveDue     bool      // at the next boundary
	predictions int64     // learned again
	next        int64     // how many before the next look at the clock
}

func (p *recoveryProgress) start() {
	now := time.Now()
	p.begin, p.logged, p.saved = now, now, now
}

// perSecond is how many predictions were learned again in a second.
func (p *recoveryProgress) perSecond() int64 {
	return int64(float64(p.predictions) / max(time.Since(p.begin).Seconds(), 1e-3))
}

func (r *recovery) recovered() board.Recovery {
	s := board.Recovery{Predictions: r.progress.predictions}
	ends, markers := r.entries.Ends(), r.st.Fence.Markers()
	for _, t := range r.top.Journal() {
		at, from := *ends.Of(t), *r.st.Base.Of(t)
		for p, marker := range *markers.Of(t) {
			s.Done += at[p] - from[p]
			s.Total += marker - from[p]
		}
	}
	return s
}

// moved tells the progress, and saves a checkpoint in the folder where one is due, unless the task has followed.
func (r *recovery) moved(ctx context.Context) {
	p := &r.progress
	if p.predictions >= p.next {
		p.next = p.predictions + 1024
		p.saveDue = p.saveDue || time.Since(p.saved) >= r.t.Config.CheckpointInterval
		r.tell()
	}
	//mutation:boundary
	if !p.saveDue || r.saver != nil || r.stopAccepted || r.completion != nil || !r.entries.Boundary() {
		return
	}
	r.st.Epoch = r.nextEpoch()
	if _, err := r.saveInFolder(ctx, r.ends()); err != nil {
		r.t.Logger.Error().Err(err).Msg("a checkpoint during recovery failed; going on")
	}
	p.saved, p.saveDue = time.Now(), false
}

// tell publishes and logs how much is done, and how much time is left.
func (r *recovery) tell() {
	p := &r.progress
	if time.Since(p.published) < publishEvery || r.t.board.IsFollowing() {
		return
	}
	s := r.tellStatus()
	p.published = time.Now()
	if time.Since(p.logged) < logEvery {
		return
	}
	p.logged = p.published
	left := time.Duration(float64(time.Since(p.begin)) * float64(s.Total-s.Done) / float64(max(1, s.Done)))
	r.t.Logger.Info().Int64("predictions", p.predictions).Int64("perSecond", p.perSecond()).Int64("seq", r.st.Seq).
		Str("left", left.Round(time.Second).String()).Msg("learning the journal again")
}

// tellStatus publishes the progress, unless the task has followed.
func (r *recovery) tellStatus() board.Recovery {
	s := r.recovered()
	if !r.t.board.IsFollowing() {
		r.t.board.Recovering(s)
	}
	return s
}

// done tells that all is learned again.
func (r *recovery) done() {
	p := &r.progress
	r.tellStatus()
	if p.predictions > 0 && !r.t.board.IsFollowing() {
		r.t.Logger.Info().Int64("predictions", p.predictions).Int64("perSecond", p.perSecond()).Int64("seq", r.st.Seq).
			Str("took", time.Since(p.begin).Round(time.Millisecond).String()).Msg("learned the journal again")
	}
}
