package cluster

import (
	"context"
	"fmt"
	"sync"

	"rosenblatt/stream/kafka/broker"
	"rosenblatt/stream/kafka/verdict"
)

// A trail is the request of an attempt to which a response came last. The code of an error is in that response. It says
// neither which request it was nor whose response.
type trail struct {
	mu       sync.Mutex
	underway int
	several  bool // side by side: it is not known which one failed
	last     *broker.Sent
}

type trailKey struct{}

func trailOf(ctx context.Context) *trail {
	t, _ := ctx.Value(trailKey{}).(*trail)
	return t
}

func (t *trail) begin() {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.underway++
	t.several = t.several || t.underway > 1
}

func (t *trail) end(s broker.Sent) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.underway--
	t.last = &s
}

// name adds the request to an error of the attempt, and begins the next one.
func (t *trail) name(err error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	//mutation:codes-without-requests
	if err != nil && t.last != nil && !t.several {
		err = named(err, *t.last)
	}
	t.several, t.last = false, nil
	return err
}

// named adds the request in whose response it was to an error with a code.
func named(err error, s broker.Sent) error {
	if !verdict.IsBrokerError(err) {
		return err
	}
	return fmt.Errorf("%w, in response to %v", err, s)
}

// Name adds the request to an error that its response holds.
func (x *Exchange) Name(err error) error {
	if err == nil {
		return nil
	}
	return named(err, x.asked)
}
