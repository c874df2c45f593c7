package group

import (
	"errors"
	"time"
)

// patience is how long the group has not responded. A member that hears nothing must not be kept in the group by
// requests whose responses are lost: after half of a session timeout it sends nothing until the group has dropped it.
type patience struct {
	responded time.Time
	sent      time.Time // the last request since that may have arrived; zero: none
}

// note takes the result of a request.
func (p *patience) note(err error) {
	switch {
	case err == nil, errors.Is(err, ErrRejoin):
		p.responded, p.sent = time.Now(), time.Time{}
	case errors.Is(err, ErrNoResponse):
		p.sent = time.Now()
	}
}

// over tells whether the member has to keep quiet.
func (p *patience) over(session time.Duration) bool {
	//mutation:group-silent
	return !p.sent.IsZero() && time.Since(p.responded) >= session/2
}

// quiet returns until when, and begins anew.
func (p *patience) quiet(session time.Duration) (until time.Time) {
	until = p.sent.Add(session)
	p.responded, p.sent = until, time.Time{}
	return until
}
