package web

import (
	"sync"
	"time"

	"rosenblatt/learner"
	"rosenblatt/stream/model"
)

const (
	moveEvery  = 30 * time.Second // between portraits that are kept
	moveBack   = 5 * time.Minute  // weights are compared with those of about so long ago
	keptBefore = 12               // portraits
)

// moves keeps earlier portraits, to tell how weights moved.
type moves struct {
	mu      sync.Mutex
	before  []*model.Summary // oldest first, moveEvery apart; the last one is the newest of all
	newest  *model.Summary
	written *portraitBody // for newest
}

// portraitBody is a portrait for the page.
type portraitBody struct {
	Seq     int64          `json:"seq"`
	At      int64          `json:"at"`    // ms since 1970
	Since   *sinceBody     `json:"since"` // what weights are compared with; null: nothing yet
	Classes []classBody    `json:"classes"`
	Matrix  *matrixBody    `json:"matrix"` // of several classes
	Pairs   []confusedBody `json:"pairs"`
}

type sinceBody struct {
	Seq int64 `json:"seq"`
	At  int64 `json:"at"`
}

type classBody struct {
	Class   string       `json:"class"`
	Bias    float64      `json:"bias"`
	Weights []weightBody `json:"weights"`
}

type weightBody struct {
	Name   string   `json:"name"`
	Weight float64  `json:"weight"`
	Before *float64 `json:"before"` // null: it was not among those kept then
	Shared bool     `json:"shared"` // with other names
}

type matrixBody struct {
	Names  []string    `json:"names"`
	Others bool        `json:"others"` // the last row and column are all others and none
	All    [][]float64 `json:"all"`    // by label and by prediction
	Recent [][]float64 `json:"recent"`
	Fading bool        `json:"fading"` // recent fades; else it is the last 1,000
}

type confusedBody struct {
	Label      string  `json:"label"`
	Prediction string  `json:"prediction"`
	Count      float64 `json:"count"`
}

// How much a page gets of what a portrait holds.
const (
	shownWeights = 20  // of a binary task
	shownOfClass = 6   // of each class
	maxName      = 200 // bytes of a name
)

// look takes note of a portrait and returns it for the page; nil: there is none. The same portrait gives the same pointer.
func (m *moves) look(p *model.Summary) *portraitBody {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p == nil || p == m.newest {
		return m.written
	}
	var since *model.Summary
	for _, b := range m.before { // the newest that is old enough, else the oldest
		if since == nil || p.At.Sub(b.At) >= moveBack {
			since = b
		}
	}
	// What a model is before it has learned anything is nothing to compare with.
	if n := len(m.before); p.Seq > 0 && (n == 0 || p.At.Sub(m.before[n-1].At) >= moveEvery) {
		if n == keptBefore {
			m.before = append(m.before[:0], m.before[1:]...)
		}
		m.before = append(m.before, p)
	}
	m.newest, m.written = p, portraitOf(p, since)
	return m.written
}

func portraitOf(p, since *model.Summary) *portraitBody {
	b := &portraitBody{Seq: p.Seq, At: p.At.UnixMilli(), Classes: []classBody{}, Pairs: []confusedBody{}}
	if since != nil {
		b.Since = &sinceBody{since.Seq, since.At.UnixMilli()}
	}
	shown := shownWeights
	if p.Matrix != nil {
		shown = shownOfClass
		b.Matrix = &matrixBody{Names: []string{}, Others: true, All: p.Matrix.Cells, Recent: p.Matrix.Fading, Fading: true}
		for _, name := range p.Matrix.Classes {
			b.Matrix.Names = append(b.Matrix.Names, clip(name, maxName))
		}
		for _, c := range p.Matrix.Pairs {
			b.Pairs = append(b.Pairs, confusedBody{clip(c.Label, maxName), clip(c.Prediction, maxName), c.Count})
		}
	}
	for i := range p.Weights {
		c := &p.Weights[i]
		body := classBody{Class: clip(c.Class, maxName), Bias: c.Bias, Weights: []weightBody{}}
		then := weightsThen(since, c.Class)
		for _, w := range c.Top[:min(shown, len(c.Top))] {
			body.Weights = append(body.Weights, weightBody{clip(w.Name, maxName), w.Weight, then(w), w.Shared})
		}
		b.Classes = append(b.Classes, body)
	}
	return b
}

// weightsThen tells what weights of a class were in a portrait. One that is missing was 0 where the portrait held them all.
func weightsThen(since *model.Summary, class string) func(learner.NamedWeight) *float64 {
	if since == nil {
		return func(learner.NamedWeight) *float64 { return nil }
	}
	was, all := map[uint32]float64{}, false
	for i := range since.Weights {
		if c := &since.Weights[i]; c.Class == class {
			all = c.All
			for _, w := range c.Top {
				was[w.Slot] = w.Weight
			}
		}
	}
	return func(w learner.NamedWeight) *float64 {
		x, ok := was[w.Slot]
		if !ok && !all {
			return nil
		}
		return &x
	}
}
