package stream

import (
	"rosenblatt/stream/state"
)

// always is always ready to receive from.
var always = make(chan struct{})

func init() { close(always) }

// copier copies the model step by step while it is learned: for a checkpoint, or for a request. The owner of the state
// calls it.
type copier struct {
	of       *state.State
	saver    *saver // nil: nothing is copied yet
	requests <-chan *copyRequest
	request  *copyRequest // its copy is under way; or nil
}

// copyRequests is the channel of requests, nil while a copy for one is under way.
func (c *copier) copyRequests() <-chan *copyRequest {
	if c.saver == nil || c.request != nil {
		return nil
	}
	return c.requests
}

// beginCopy starts the copy for a request.
func (c *copier) beginCopy(r *copyRequest) {
	if err := beginCopy(c.of, r.into); err != nil {
		r.done <- err
		return
	}
	c.request = r
}

// copying is ready while a copy of the model is under way: for a checkpoint, or for a request.
func (c *copier) copying() <-chan struct{} {
	if c.saver == nil || c.saver.copying == nil && c.request == nil {
		return nil
	}
	return always
}

// copyStep goes on with the copies under way.
func (c *copier) copyStep() {
	if c.saver.copying != nil {
		c.saver.step()
	}
	if c.request != nil && c.request.into.replica.Step() {
		c.request.done <- nil
		c.request = nil
	}
}

// abandonCopies gives up the copies under way.
func (c *copier) abandonCopies() {
	if c.saver != nil {
		c.saver.abandon()
	}
	if c.request != nil {
		c.request.done <- ErrNotLive
		c.request = nil
	}
}
