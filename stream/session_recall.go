package stream

import (
	"context"

	"rosenblatt/stream/late"
	"rosenblatt/stream/recall"
	"rosenblatt/stream/topics"
)

// recaller reads events back for the learner, beside it.
type recaller struct {
	log  recall.Log
	room int64 // lateLabels.recallRoom as of the request
	work chan []recall.Event
	done chan []recall.Event
	busy bool // the learner's
}

func newRecaller(log recall.Log) *recaller {
	return &recaller{log: log, work: make(chan []recall.Event, 1), done: make(chan []recall.Event, 1)}
}

// request begins to read back what outcomes wait for, or enough of what labels need, unless something is being read
// back.
func (x *recaller) request(l *late.Labels) {
	if !x.busy && l.NeedsRecall() {
		x.busy, x.room = true, l.RecallRoom()
		x.work <- l.Wanted(late.RecallMore)
	}
}

func (x *recaller) run(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case list := <-x.work:
			switch err := recall.Read(ctx, x.log, list, x.room); {
			case ctx.Err() != nil:
				return nil
			case err != nil:
				return err
			}
			x.done <- list
		}
	}
}

// restore goes on with what waited for events that were read back.
func (s *labelledSession) restore(write context.Context, back []recall.Event) error {
	s.recaller.busy = false
	s.late.Remember(back)
	for i := range s.merger.sources {
		if of := &s.merger.sources[i]; of.paused {
			s.wantOf(of) // they are read back while what was is used
		}
	}
	s.merger.resume()
	return s.placeNow(write)
}

// wantAhead notes which events the labels need that were read: those of one partition first. Its chunks become more, so
// that what is read back next is needed by more labels.
func (s *labelledSession) wantAhead(n int) {
	of := &s.merger.sources[n]
	if !of.further {
		of.further = true
		s.chunks.more(of.chunks[0].free)
	}
	s.wantOf(of)
	for i := range s.merger.sources {
		if of := &s.merger.sources[i]; of.topic == topics.Labels {
			s.wantOf(of)
		}
	}
}

func (s *labelledSession) wantOf(of *source) {
	for _, c := range of.chunks {
		s.awaitExamples(c)
		s.late.WantAll(c.ids[c.handled:])
	}
}
