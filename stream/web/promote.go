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
	Champion  string `json:"champion"`
	Seq       int64  `json:"seq,omitempty"` // of its first prediction; absent: it is the champion from the beginning
	Pending   bool   `json:"pending,omitempty"`
	Withdrawn string `json:"withdrawn,omitempty"` // the learner whose promotion had waited
	Text      string `json:"text,omitempty"`      // while Pending
}

// promote makes the learner of ?learner=NAME the champion.
func (s *Server) promote(w http.ResponseWriter, r *http.Request) {
	names := r.URL.Query()["learner"]
	if len(names) != 1 || names[0] == "" {
		writeJSON(w, http.StatusBadRequest, refusalBody{"no-learner",
			"want ?learner=NAME, once, of one of the learners"})
		return
	}
	name := names[0]
	ctx, cancel := context.WithTimeout(r.Context(), promoteWait)
	defer cancel()
	//mutation:promotion-at-the-end
	defer context.AfterFunc(s.running, cancel)()
	done, err := s.Task.Promote(ctx, name)
	unknown, suspended := (*model.UnknownLearner)(nil), (*model.SuspendedLearner)(nil)
	switch {
	case err != nil && s.running.Err() != nil:
		writeJSON(w, http.StatusConflict, refusalBody{"not-live",
			"this daemon ends; ask again when it, or another one, predicts: a promotion that waited is forgotten"})
	case err == nil:
		writeJSON(w, http.StatusOK, promotedBody{Champion: name, Seq: done.Seq, Withdrawn: done.Withdrawn})
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
