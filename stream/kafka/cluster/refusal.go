package cluster

import (
	"fmt"
	"time"

	"rosenblatt/stream/kafka/verdict"
)

// A refusal is an address that does not let this client in.
type refusal struct{ first, last time.Time }

// doubtedRefusal hides a broker's refusal, so that the request is repeated: of a client that it let in before, a
// password, token or certificate may have changed there and not here yet, or the reverse.
type doubtedRefusal struct{ text string }

func (d *doubtedRefusal) Error() string { return d.text }

// judge notes whether an address lets this client in, and returns the error for the caller.
func (p *pool) judge(address string, err error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	switch {
	case err == nil:
		if p.let.IsZero() {
			p.let = now
		}
		delete(p.refuse, address)
		return nil
	case !verdict.IsRefusal(err):
		return err
	}
	r, again := p.refuse[address]
	if !again || now.Sub(r.last) > p.grace {
		r.first = now
	}
	//mutation:refusal-lasts
	if p.let.IsZero() || r.first.Sub(p.let) < p.grace || now.Sub(r.first) >= p.grace {
		return err
	}
	r.last = now
	if p.refuse == nil {
		p.refuse = map[string]refusal{}
	}
	p.refuse[address] = r
	return &doubtedRefusal{fmt.Sprintf("%s refuses what it accepted before: %s", address, verdict.Words(err))}
}
