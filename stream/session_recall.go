package stream

import "context"

// recaller reads events back for the learner, beside it.
type recaller struct {
	*recall
	work chan []recalled
	done chan []recalled
	busy bool // the learner's
}

func newRecaller(x *recall) *recaller {
	return &recaller{recall: x, work: make(chan []recalled, 1), done: make(chan []recalled, 1)}
}

// request begins to read back what is needed now, unless something is being read back.
func (x *recaller) request(l *lateLabels) {
	if !x.busy && len(l.wants) > 0 {
		x.busy = true
		x.work <- l.wanted()
	}
}

func (x *recaller) run(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case list := <-x.work:
			switch err := x.read(ctx, list); {
			case ctx.Err() != nil:
				return nil
			case err != nil:
				return err
			}
			x.done <- list
		}
	}
}

// readBack is the channel of events that were read back.
func (s *session) readBack() <-chan []recalled {
	if s.recaller == nil {
		return nil
	}
	return s.recaller.done
}

// restore goes on with what waited for events that were read back.
func (s *session) restore(write context.Context, back []recalled) error {
	s.recaller.busy = false
	s.st.late.remember(back)
	s.merger.resume()
	return s.settleNow(write)
}
