package stream

import (
	"context"
	"errors"
	"time"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/state"
	"rosenblatt/stream/topics"
)

// session is a task's life between two takeovers. Its fields belong to the learner.
type session struct {
	t       *Task
	st      *state.State
	chunks  *scheduler
	flights *flightQueue
	copier
	stop        context.CancelCauseFunc // ends the intake
	encoder     *journal.PredictionEncoder
	outcomes    outcomeWriter
	deadLetters *journal.DeadLetterWriter

	ahead         int64      // with later labels: how far, in ms, timestamps may be ahead of the wall clock
	began         int64      // the seq with which it began
	promotion     *promotion // that was asked for and waits for a flight's first entry, or nil
	stuck         bool       // a dead letter fits nowhere: the intake has ended
	nextProgress  int64      // the next power of two for Progress
	published     time.Time
	publishedMark stateMark
}

// errEnd ends the intake of a run with UntilEnd.
var errEnd = errors.New("the end is reached")

// newSession goes on with the saver of a member that has followed, which may be nil.
func (t *Task) newSession(st *state.State, saver *saver) (*session, error) {
	decoder, err := newDecoders(&st.Fixed)
	if err != nil {
		return nil, err
	}
	if saver == nil {
		if saver, err = newSaver(t.storage, st); err != nil {
			return nil, err
		}
	}
	saver.start(st, t.remembered.unsaved)
	if err := t.board.BeginSurvey(&st.Fixed, st.Topology.Labels.Name != ""); err != nil {
		return nil, err
	}
	if !t.Config.NoFields {
		if err := t.board.BeginFields(&st.Fixed, t.Config.FieldReference, st.Reference); err != nil {
			return nil, err
		}
	}
	merged, ahead := 0, int64(0)
	if l := st.Labels(); l != nil {
		merged, ahead = len(st.Partitions(topics.Input))+len(st.Partitions(topics.Labels)), l.Clock.Ahead
	}
	t.board.AcknowledgedTo(st.Seq)
	several := len(st.Fixed.Challengers) > 0
	s := &session{t: t, st: st, flights: newFlightQueue(st.Topology, t.Config.BatchRecords, several),
		copier: copier{of: st, saver: saver, requests: t.copies}, nextProgress: 1, began: st.Seq, ahead: ahead,
		chunks:   newScheduler(t.Config.BatchRecords, decoder, merged, len(st.Partitions(topics.Labels))),
		encoder:  journal.NewPredictionEncoder(st.Fixed.Decode, st.Proc, t.Config.Model, st.Epoch),
		outcomes: outcomeWriter{journal.NewOutcomeEncoder(t.Config.Model, st.Epoch)},
		deadLetters: &journal.DeadLetterWriter{
			Model:  journal.ModelAt(t.Config.Model, st.Epoch),
			Output: st.Topology.Output.Name,
		},
	}
	for s.nextProgress <= st.Counts.Predictions {
		s.nextProgress *= 2
	}
	return s, nil
}
