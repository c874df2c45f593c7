package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/schema"
)

const (
	maxExplain = 1000            // contributions in one response
	modelWait  = 5 * time.Second // for a copy of the model, which is made between two chunks
)

// predictBody is the response of /predict.
type predictBody struct {
	Prediction    json.RawMessage       `json:"prediction"` // spelled as in predictions
	Score         float64               `json:"score"`
	Untrained     bool                  `json:"untrained,omitempty"`   // nothing was learned yet
	Probability   *float64              `json:"probability,omitempty"` // of the prediction, where the learner has one
	Positive      *float64              `json:"positive,omitempty"`    // of the positive label, with --decide
	Threshold     *float64              `json:"threshold,omitempty"`   // the score from which on positive is predicted
	Scores        map[string]float64    `json:"scores,omitempty"`      // of each class, where predictions hold them
	Seq           int64                 `json:"seq"`                   // of the last prediction in the copy
	State         string                `json:"state,omitempty"`       // following: another daemon predicts
	Behind        *float64              `json:"behind_s,omitempty"`    // then: the copy, behind the journal
	Bias          *float64              `json:"bias,omitempty"`        // with contributions: the rest of the score
	Distance      *float64              `json:"distance,omitempty"`    // |score|/‖w‖, with contributions
	Contributions *[]model.Contribution `json:"contributions,omitempty"`
}

type refusalBody struct {
	Reason string `json:"reason"`
	Error  string `json:"error"`
}

func (s *Server) predict(w http.ResponseWriter, r *http.Request) {
	explain, err := explainOf(r)
	if err != nil {
		writeJSON(w, http.StatusBadRequest, refusalBody{"bad-explain", err.Error()})
		return
	}
	lines, err := linesOf(r, explain)
	if err != nil {
		writeJSON(w, http.StatusBadRequest, refusalBody{"bad-lines", err.Error()})
		return
	}
	var o *event.Options
	if err := s.withModel(r, func() error { o = s.models.optionsOf(r); return nil }); err != nil {
		s.refuse(w, err)
		return
	}
	value, err := body(w, r, o.MaxBytes) // without the lock: a slow client does not delay others
	if err != nil {
		s.refuse(w, err)
		return
	}
	if lines {
		s.predictLines(w, r, value)
		return
	}
	record := &event.Record{Value: value}
	asked, err := s.schemaOf(r, o, record) // without it, too: a registry may be slow
	if err != nil {
		s.refuse(w, err)
		return
	}
	var out *predictBody
	if err := s.withModel(r, func() (err error) {
		charset, err := s.models.charsetOf(r)
		if err != nil {
			return err
		}
		if record.Value, err = inUTF8(charset, value); err != nil {
			return err
		}
		s.models.schemas.asked = asked
		out, err = s.models.predict(s.models.decoderOf(r), record, explain)
		return err
	}); err != nil {
		s.refuse(w, err)
		return
	}
	writeJSON(w, http.StatusOK, out)
}

func (s *Server) withModel(r *http.Request, do func() error) error {
	ctx, cancel := context.WithTimeout(r.Context(), modelWait)
	defer cancel()
	return s.models.with(ctx, s, do)
}

func explainOf(r *http.Request) (int, error) {
	text := r.URL.Query().Get("explain")
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return 0, fmt.Errorf("explain=%q: want a number of contributions, 0 to %d", text, maxExplain)
	}
	return int(min(n, maxExplain)), nil
}

// body reads a body. The error is an *event.Error with event.TooLarge, or that of reading.
func body(w http.ResponseWriter, r *http.Request, limit int) ([]byte, error) {
	large := event.NewError(event.TooLarge,
		fmt.Sprintf("the value has more than %d bytes; raise the limit or send less", limit))
	if r.ContentLength > int64(limit) {
		w.Header().Set("Connection", "close") // the rest is not read
		return nil, large
	}
	//mutation:huge-body
	value, err := io.ReadAll(http.MaxBytesReader(w, r.Body, int64(limit)))
	var over *http.MaxBytesError
	if errors.As(err, &over) {
		return nil, large
	}
	if err != nil {
		return nil, &unread{err}
	}
	return value, nil
}

// charsetOf is how a body is encoded: as its Content-Type says, which browsers do, else as events are; nil for UTF-8.
func (m *models) charsetOf(r *http.Request) (*event.Charset, error) {
	name := m.copy.Config.Decode.Encoding
	if !m.isText(m.decoderOf(r)) {
		return nil, nil // it is no text
	}
	//mutation:charset-of-a-body
	if _, with, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err == nil && with["charset"] != "" {
		name = with["charset"]
	}
	c, err := event.NewCharset(name)
	if err != nil {
		return nil, event.NewError(event.Encoding, "Content-Type: "+err.Error())
	}
	return c, nil
}

// inUTF8 returns a text in UTF-8. The error is an *event.Error.
func inUTF8(c *event.Charset, text []byte) ([]byte, error) {
	if c == nil {
		return text, nil
	}
	out, why := c.Append(nil, text)
	if why != nil {
		return nil, why
	}
	return out, nil
}

// unread is an incomplete body.
type unread struct{ cause error }

func (u *unread) Error() string { return "the body is incomplete: " + u.cause.Error() }
func (u *unread) Unwrap() error { return u.cause }

func (s *Server) refuse(w http.ResponseWriter, err error) {
	var rejected *event.Error
	var part *unread
	switch {
	case errors.As(err, &rejected):
		code := http.StatusBadRequest
		if rejected.Reason == event.TooLarge {
			code = http.StatusRequestEntityTooLarge
		}
		text := rejected.Message()
		//mutation:frame-of-a-request
		if strings.HasPrefix(text, schema.NoFrame) { // what a daemon is told of its topic is another remedy
			text = schema.NoFrame + "; of an event in json say so with Content-Type: application/json, of bare data " +
				"the schema with ?schema=ID"
		}
		writeJSON(w, code, refusalBody{rejected.Reason.String(), text})
	case errors.Is(err, errSkipped):
		writeJSON(w, http.StatusBadRequest, refusalBody{"skipped", err.Error()})
	case errors.Is(err, errSchema):
		writeJSON(w, http.StatusBadRequest, refusalBody{"bad-schema-parameter", err.Error()})
	case errors.Is(err, errRegistry):
		w.Header().Set("Retry-After", "1")
		writeJSON(w, http.StatusServiceUnavailable, refusalBody{"registry", err.Error()})
	case errors.As(err, &part):
		w.Header().Set("Connection", "close")
		writeJSON(w, http.StatusRequestTimeout, refusalBody{"unread", part.Error()})
	default:
		s.noModel(w, err)
	}
}

func (s *Server) noModel(w http.ResponseWriter, err error) {
	gone := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
	switch notLive := errors.Is(err, stream.ErrNotLive); {
	case notLive && s.Task.Status().State == board.Stopped:
		writeJSON(w, http.StatusServiceUnavailable, refusalBody{"stopped",
			"the model has stopped, and its copy would be of then: " + s.Task.Status().Stop.Error()})
	case notLive && s.Task.Status().State == board.Idle:
		w.Header().Set("Retry-After", "1")
		writeJSON(w, http.StatusServiceUnavailable,
			refusalBody{"not-live", "idle: other daemons predict with the model and follow it, this one has no copy"})
	case notLive && !s.hasModel():
		w.Header().Set("Retry-After", "1")
		writeJSON(w, http.StatusServiceUnavailable, refusalBody{"not-live", err.Error()})
	case notLive || gone:
		w.Header().Set("Retry-After", "1")
		text := fmt.Sprintf("no copy of the model within %v: the learner waits for brokers or other requests",
			modelWait)
		writeJSON(w, http.StatusServiceUnavailable, refusalBody{"busy", text})
	default:
		writeJSON(w, http.StatusInternalServerError, refusalBody{"internal", err.Error()})
	}
}
