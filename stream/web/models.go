package web

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"time"

	"rosenblatt/learner"
	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/event"
)

// fresh is the maximum age of the copy that serves requests.
const fresh = time.Second

// models holds one copy of the model for all requests, renewed by a request that finds it too old.
type models struct {
	turn   chan struct{} // a lock that a canceled request does not wait for
	copy   stream.ModelCopy
	at     time.Time      // when the copy began; zero if there is none
	decode *event.Decoder // of values as in the topic: of text in UTF-8, or of bytes
	data   *event.Decoder // of the data of CloudEvents; else decode
	forms  *event.Decoder // of the JSON form of events, where that is another text than their values; else nil
	arena  []learner.Feature
	norms  map[int]float64 // of the classes asked for, of this copy
	behind *float64        // seconds, of the copy of a follower's model; nil of others

	schemas knownHere // of the copy, and of the request
}

func (m *models) init() {
	m.turn = make(chan struct{}, 1)
	m.turn <- struct{}{}
}

// with calls do with exclusive use of a fresh copy. Errors: the context's, the task's, do's.
func (m *models) with(ctx context.Context, s *Server, do func() error) error {
	select {
	case <-m.turn:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { m.turn <- struct{}{} }()
	if !s.hasModel() {
		return stream.ErrNotLive
	}
	if err := m.refresh(ctx, s); err != nil {
		return err
	}
	return do()
}

// hasModel reports whether the task has a model to predict with: one that is live, or follows.
func (s *Server) hasModel() bool {
	state := s.Task.Status().State
	return state == board.Live || state == board.Following
}

func (m *models) refresh(ctx context.Context, s *Server) error {
	now := s.clock()
	if !m.at.IsZero() && now.Sub(m.at) >= 0 && now.Sub(m.at) < fresh {
		return nil
	}
	m.at, m.behind = time.Time{}, nil
	if st := s.Task.Status(); st.State == board.Following {
		m.behind = new(max(0, now.Sub(st.FollowedAt).Seconds()))
	}
	if err := s.Task.Copy(ctx, &m.copy); err != nil {
		return err
	}
	o := m.copy.Config.Decode
	o.Encoding = "" // see charsetOf
	m.schemas = knownHere{model: o.Schemas}
	o.Schemas = &m.schemas
	d, err := event.New(o)
	if err != nil {
		return fmt.Errorf("the model's own format: %w", err) // impossible: the task accepted it
	}
	m.decode, m.data, m.forms, m.at, m.norms = d, d, nil, now, map[int]float64{}
	if o.HasForm() {
		if m.forms, err = event.New(o.Form()); err != nil {
			return fmt.Errorf("the JSON form of the model's own format: %w", err) // impossible, likewise
		}
	}
	if o.Envelope == event.CloudEvents {
		o.Envelope = ""
		if m.data, err = event.New(o); err != nil {
			return fmt.Errorf("the data of the model's own format: %w", err) // impossible, likewise
		}
	}
	return nil
}

// decoderOf is of the events in a body. Where that is another text, a body may be their JSON form. Of CloudEvents it is
// the data alone, or all of one in json.
func (m *models) decoderOf(r *http.Request) *event.Decoder {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	//mutation:json-form-of-a-body
	if m.forms != nil && kind == "application/json" {
		return m.forms
	}
	//mutation:cloud-event-of-a-body
	if kind == "application/cloudevents+json" {
		return m.decode
	}
	return m.data
}

// isText reports whether a body is text, and no bytes that a schema describes.
func (m *models) isText(by *event.Decoder) bool {
	return !m.copy.Config.Decode.HasSchema() || by == m.forms
}

// errSkipped is that of a value which a topic's readers pass: it gets no prediction.
var errSkipped = errors.New("such an event is skipped, and gets no prediction, as in the topic: ")

// predict predicts one event, in UTF-8 if it is text. The error is an *event.Error or wraps errSkipped.
func (m *models) predict(by *event.Decoder, record *event.Record, explain int) (*predictBody, error) {
	var e event.Example
	m.arena = by.Decode(record, m.arena[:0], &e)
	//mutation:predict-skipped
	if e.Skip {
		return nil, fmt.Errorf("%w%s", errSkipped, m.copy.Config.Decode.Skipped())
	}
	proc := m.copy.Proc
	o, rejected := proc.Predict(&e, m.arena)
	if rejected != nil {
		return nil, rejected
	}
	o.Family = proc.Family
	out := &predictBody{Prediction: proc.AppendPrediction(nil, &m.copy.Config.Decode, o), Score: o.Score,
		Untrained: !proc.Trained, Seq: m.copy.Seq, Behind: m.behind}
	if m.behind != nil {
		out.State = board.Following
	}
	if o.Probable {
		out.Probability = new(o.Probability) // a copy: o is the processor's
	}
	//mutation:predict-as-published
	if o.Ruled {
		out.Positive = new(o.Positive())
	}
	if o.HasThreshold {
		out.Threshold = new(o.Threshold)
	}
	if m.copy.Config.Scores {
		out.Scores = make(map[string]float64, len(o.Scores))
		for i, class := range proc.Classes() {
			out.Scores[class] = o.Scores[i]
		}
	}
	if explain > 0 {
		out.Bias = new(proc.Bias(o.Prediction))
		out.Contributions = new(proc.Contributions(by, record, o.Prediction, explain))
		if distance, has := o.Distance(m.norm(o.Prediction)); has {
			out.Distance = &distance
		}
	}
	return out, nil
}

// norm is the length of a class's weights. It passes over all of them, so it is computed once for a copy.
func (m *models) norm(class int) float64 {
	if _, known := m.norms[class]; !known {
		m.norms[class] = m.copy.Proc.Norm(class)
	}
	return m.norms[class]
}
