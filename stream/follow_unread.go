package stream

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/stream/stops"
)

// unread is what a follower cannot read on. One goroutine at a time notes it, any may ask.
type unread struct {
	why    atomic.Pointer[string]
	logged time.Time
}

// failed notes what a broker says, as that a right is missing, and logs it once a minute. What brokers do not say, the
// client logs.
func (u *unread) failed(log *zerolog.Logger, what string, err error) {
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

func (u *unread) succeeded() { u.why.Store(nil) }

// reason says why it cannot be read; empty where it can.
func (u *unread) reason() string {
	if why := u.why.Load(); why != nil {
		return *why
	}
	return ""
}
