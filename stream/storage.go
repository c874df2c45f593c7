package stream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
	"rosenblatt/stream/state"
	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// storage is where checkpoints go: the folder, the topic if there is one, and then the group's offsets.
type storage struct {
	config *state.Config
	store  *checkpoint.Store
	group  topics.Committer
	log    topics.Log
	board  *board.Board
	logger *zerolog.Logger

	inTopic    *statetopic.Writer // since the takeover; nil without a checkpoint topic, and while the task follows
	keepFailed bool               // the last try, which was logged
	keepLater  bool               // a takeover waits for the save: what audits begin with is saved with the next one

	// notInFolder is a later checkpoint of the topic that could not be put into the folder: until the state has passed
	// what that has, it is not saved in the topic. It may be nil.
	notInFolder *statetopic.Manifest
}

// saveInTopic saves the folder's newest checkpoint, which has this header, in the topic, too, unless the topic has a
// later one.
func (s *storage) saveInTopic(ctx context.Context, saved *board.SavedCheckpoint, h *model.Header) error {
	if s.inTopic == nil {
		return nil
	}
	at := progressOf(h)
	//mutation:behind-the-topic
	if s.notInFolder != nil && !at.HasPassed(&s.notInFolder.Progress) {
		return nil
	}
	s.notInFolder = nil
	began := time.Now()
	top := s.board.Listed()
	if top != nil {
		s.inTopic.Begins(s.beginOf(&top.Checkpoints))
	}
	inTopic, err := s.inTopic.Save(ctx, s.store, at)
	if err == nil && top != nil {
		err = keepsCheckpoints(&top.Checkpoints)
	}
	if err == nil && !s.keepLater {
		err = s.keepInTopic(ctx, h.Epoch)
	}
	if err != nil {
		return fmt.Errorf("in the checkpoint topic: %w", err)
	}
	saved.Topic = &inTopic
	saved.At, saved.Duration = time.Now(), saved.Duration+time.Since(began)
	return nil
}

// keepInTopic sees to it that the topic, too, has the checkpoint from which audits begin. Only they miss it: what does
// not end the session is logged, and tried again with the next save.
func (s *storage) keepInTopic(ctx context.Context, epoch int64) error {
	//mutation:kept-in-topic
	err := s.inTopic.Keep(ctx, s.store, epoch)
	if ctx.Err() != nil || endsSession(err) {
		return err
	}
	if err != nil && !s.keepFailed {
		s.logger.Warn().Err(err).Uint64("seq", s.store.Kept).
			Msg("the checkpoint from which audits begin is not in the checkpoint topic; the next save tries again")
	}
	s.keepFailed = err != nil
	return nil
}

// beginOf is where the task's partition of the checkpoint topic begins.
func (s *storage) beginOf(of *topics.TopicState) int64 {
	own := 0
	if p := s.config.Partition; p != nil {
		own = int(*p)
	}
	if own >= len(of.Partitions) {
		return 0
	}
	return of.Partitions[own].Start
}

// keepsCheckpoints is the error of a save in a topic whose settings were changed while the task runs: what was written
// does not stay there.
func keepsCheckpoints(s *topics.TopicState) error {
	//mutation:checkpoints-kept
	if stop, unfit := errors.AsType[*stops.Error](statetopic.CheckTopic(s)); unfit {
		return fmt.Errorf("%s: %s", stop.What, stop.Do)
	}
	return nil
}

// endsSession reports whether nothing more can be written after the error of a save, but after another takeover.
func endsSession(err error) bool {
	return errors.Is(err, topics.ErrIndeterminate) || errors.As(err, new(*stops.Error))
}

// leadersOf returns the leader epochs of the ends of a checkpoint, as far as brokers tell at once.
func (s *storage) leadersOf(ctx context.Context, ends topics.Ends) topics.EndEpochs {
	ctx, cancel := context.WithTimeout(ctx, leadersWithin)
	defer cancel()
	leaders, err := s.log.LeadersOf(ctx, ends)
	if err != nil {
		return topics.EndEpochs{} // the readers of a later start see less
	}
	return leaders
}

// leadersWithin is how long a checkpoint waits for the epochs of its ends.
const leadersWithin = time.Second

func (s *storage) commit(positions []int64) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := s.group.Commit(ctx, positions); err != nil {
		s.board.CommitFailed()
		s.logger.Warn().Err(err).Msg("group offsets were not committed; they are for lag tools only")
	}
}
