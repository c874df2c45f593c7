package web

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"rosenblatt/learner"
	"rosenblatt/stream"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
)

// fresh is how old the copy that answers requests may be.
const fresh = time.Second

// models holds one copy of the model for all requests. It is copied anew only when a request finds it too old.
type models struct {
	turn   chan struct{} // holds one token: whoever takes it has the rest to himself. A request that gives up need not wait
	copy   stream.ModelCopy
	at     time.Time // by the server's clock, before the copy was made; zero: there is no copy
	decode *event.Decoder
	arena  []learner.Feature
}

func (m *models) init() {
	m.turn = make(chan struct{}, 1)
	m.turn <- struct{}{}
}

// with calls do with a fresh copy that nobody else uses meanwhile. Errors: the context's, the task's, do's.
func (m *models) with(ctx context.Context, s *Server, do func() error) error {
	select {
	case <-m.turn:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { m.turn <- struct{}{} }()
	if s.Task.Status().State != stream.Live {
		return stream.ErrNotLive
	}
	if err := m.refresh(ctx, s); err != nil {
		return err
	}
	return do()
}

func (m *models) refresh(ctx context.Context, s *Server) error {
	now := s.clock()
	if !m.at.IsZero() && now.Sub(m.at) >= 0 && now.Sub(m.at) < fresh {
		return nil
	}
	m.at = time.Time{}
	if err := s.Task.Copy(ctx, &m.copy); err != nil {
		return err
	}
	d, err := event.New(m.copy.Fixed.Decode)
	if err != nil {
		return fmt.Errorf("the model's own format: %w", err) // it was accepted before, so this does not come about
	}
	m.decode, m.at = d, now
	return nil
}

// answer is what /predict says.
type answer struct {
	prediction    []byte // JSON
	score         float64
	probability   *float64
	scores        map[string]float64
	seq           int64 // of the last answer the copy has learned from
	bias          float64
	contributions []contribution
}

// contribution is what one feature adds to the score.
type contribution struct {
	Name         string  `json:"name"`
	Value        float64 `json:"value"` // as scaled
	Weight       float64 `json:"weight"`
	Contribution float64 `json:"contribution"` // value times weight
}

// predict answers one value with the copy. The error is an *event.Error.
func (m *models) predict(value []byte, explain int) (*answer, error) {
	var e event.Example
	m.arena = m.decode.Decode(nil, value, m.arena[:0], &e)
	proc := m.copy.Proc
	o, rejected := proc.Predict(&e, m.arena)
	if rejected != nil {
		return nil, rejected
	}
	a := &answer{score: o.Score, seq: m.copy.Seq}
	o.Family = proc.Family
	a.prediction = proc.AppendPrediction(nil, &m.copy.Fixed.Decode, o)
	if o.Probable {
		a.probability = new(o.Probability) // a copy: o is the processor's own
	}
	if m.copy.Fixed.Scores {
		a.scores = make(map[string]float64, len(o.Scores))
		for i, class := range proc.Classes() {
			a.scores[class] = o.Scores[i]
		}
	}
	if explain > 0 {
		a.bias = proc.Bias(o.Prediction)
		a.contributions = m.explain(value, o, explain)
	}
	return a, nil
}

// explain gives the n largest contributions in magnitude, equal ones in the order of the value.
func (m *models) explain(value []byte, o *model.Outcome, n int) []contribution {
	var all []contribution
	var x []learner.Feature
	m.decode.Walk(nil, value, func(name []byte, f learner.Feature) {
		all, x = append(all, contribution{Name: string(name)}), append(x, f)
	})
	for i, c := range m.copy.Proc.Explain(o.Prediction, x) {
		all[i].Value, all[i].Weight, all[i].Contribution = c.Value, c.Weight, c.Product
	}
	slices.SortStableFunc(all, func(a, b contribution) int {
		return cmp.Compare(math.Abs(b.Contribution), math.Abs(a.Contribution))
	})
	return all[:min(n, len(all))]
}
