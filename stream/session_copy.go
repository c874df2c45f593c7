package stream

// always is always ready to receive from.
var always = make(chan struct{})

func init() { close(always) }

// copyRequests is the channel of requests, nil while a copy for one is under way.
func (s *session) copyRequests() <-chan *copyRequest {
	if s.copied != nil {
		return nil
	}
	return s.t.copies
}

// beginCopy starts the copy for a request.
func (s *session) beginCopy(r *copyRequest) {
	if err := s.st.beginCopy(r.into); err != nil {
		r.done <- err
		return
	}
	s.copied = r
}

// copying is ready while a copy of the model is under way: for a checkpoint, or for a request.
func (s *session) copying() <-chan struct{} {
	if s.saver.copying == nil && s.copied == nil {
		return nil
	}
	return always
}

// copyStep goes on with the copies under way.
func (s *session) copyStep() {
	if s.saver.copying != nil {
		s.saver.step()
	}
	if s.copied != nil && s.copied.into.replica.Step() {
		s.copied.done <- nil
		s.copied = nil
	}
}

// abandonCopies gives up the copies under way.
func (s *session) abandonCopies() {
	s.saver.abandon()
	if s.copied != nil {
		s.copied.done <- ErrNotLive
		s.copied = nil
	}
}
