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

// and says why this or another one cannot be read; empty where both can.
func (u *unread) and(other *unread) string {
	for _, x := range []*unread{u, other} {
		if why := x.why.Load(); why != nil {
			return *why
		}
	}
	return ""
}
