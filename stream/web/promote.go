package web

import (
	"context"
	"errors"
	"net/http"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/model"
)

// promoteWait is how long a response waits until the first prediction of a promoted learner is published.
const promoteWait = 10 * time.Second

// promotedBody is the response to a promotion that takes effect, or will.
type promotedBody struct {
	Champion string `json:"champion"`
	Seq      int64  `json:"seq,omitempty"` // of its first prediction; absent: it is the champion from the beginning
	Pending  bool   `json:"pending,omitempty"`
	Text     string `json:"text,omitempty"` // then
}

// promote makes the learner of ?learner=NAME the champion.
func (s *Server) promote(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("learner")
	if name == "" {
		writeJSON(w, http.StatusBadRequest, refusalBody{"no-learner", "want ?learner=NAME, of one of the learners"})
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), promoteWait)
	defer cancel()
	seq, err := s.Task.Promote(ctx, name)
	unknown, suspended := (*model.UnknownLearner)(nil), (*model.SuspendedLearner)(nil)
	switch {
	case err == nil:
		writeJSON(w, http.StatusOK, promotedBody{Champion: name, Seq: seq})
	case errors.Is(err, stream.ErrPending):
		writeJSON(w, http.StatusAccepted, promotedBody{Champion: name, Pending: true,
			Text: "it takes effect with the next prediction or outcome; a restart before that forgets it"})
	case errors.As(err, &unknown):
		writeJSON(w, http.StatusNotFound, refusalBody{"unknown-learner", err.Error()})
	case errors.As(err, &suspended):
		writeJSON(w, http.StatusConflict, refusalBody{"suspended", err.Error()})
	case errors.Is(err, stream.ErrPromoting), errors.Is(err, stream.ErrWithdrawn):
		writeJSON(w, http.StatusConflict, refusalBody{"promoting", err.Error()})
	default:
		writeJSON(w, http.StatusConflict, refusalBody{"not-live", s.whoPromotes(err)})
	}
}

// whoPromotes says which daemon can promote, where this one cannot.
func (s *Server) whoPromotes(err error) string {
	if p := s.look().predicts(); p != nil && !p.Own {
		return "this daemon does not predict, and only the one that does can promote: " + p.Text
	}
	return err.Error()
}
