package board

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/stream/stops"
)

// Unread is what a follower cannot read on. One goroutine at a time notes it, any may ask.
type Unread struct {
	why    atomic.Pointer[string]
	logged time.Time
}

// Failed notes and logs broker errors, such as a missing right, once a minute; the client logs connection errors.
func (u *Unread) Failed(log *zerolog.Logger, what string, err error) {
	stop, ok := errors.AsType[*stops.Error](err)
	if !ok {
		return
	}
	why := what + ": " + stop.What
	u.why.Store(&why)
	if time.Since(u.logged) > time.Minute {
		u.logged = time.Now()
		log.Error().Err(err).Msg(what + "; trying on")
	}
}

// Succeeded notes that it can be read.
func (u *Unread) Succeeded() { u.why.Store(nil) }

// reason says why it cannot be read; empty where it can.
func (u *Unread) reason() string {
	if why := u.why.Load(); why != nil {
		return *why
	}
	return ""
}
