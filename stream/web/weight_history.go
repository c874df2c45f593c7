package web

import (
	"sync"
	"time"

	"rosenblatt/learner"
	"rosenblatt/stream/model"
)

const (
	summaryEvery = 30 * time.Second // between summaries that are kept
	compareAfter = 5 * time.Minute  // the age of the summary that weights are compared with
	maxSummaries = 12
)

// weightHistory keeps earlier summaries, to show how weights changed.
type weightHistory struct {
	mu      sync.Mutex
	before  []*model.Summary // oldest first, summaryEvery apart
	newest  *model.Summary
	written *summaryBody // for newest
}

type summaryBody struct {
	Seq     int64          `json:"seq"`
	At      int64          `json:"at"`    // ms since 1970
	Since   *sinceBody     `json:"since"` // compared with; null: no summary yet
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
	Before *float64 `json:"before"` // null: not known
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

// How much of a summary is sent to a page.
const (
	shownWeights = 20  // of a binary task
	shownOfClass = 6   // of each class
	maxName      = 200 // bytes of a name
)

// add returns the summary for the page, nil if there is none; for the same summary the same pointer.
func (h *weightHistory) add(p *model.Summary) *summaryBody {
	h.mu.Lock()
	defer h.mu.Unlock()
	if p == nil || p == h.newest {
		return h.written
	}
	//mutation:weights-of-another
	if h.newest != nil && h.newest.Learner != p.Learner {
		h.before = nil // weights of another learner are not compared with
	}
	var since *model.Summary
	for _, b := range h.before { // the newest that is old enough, else the oldest
		if since == nil || p.At.Sub(b.At) >= compareAfter {
			since = b
		}
	}
	// An untrained model is not compared with.
	if n := len(h.before); p.Seq > 0 && (n == 0 || p.At.Sub(h.before[n-1].At) >= summaryEvery) {
		if n == maxSummaries {
			h.before = append(h.before[:0], h.before[1:]...)
		}
		h.before = append(h.before, p)
	}
	h.newest, h.written = p, summaryOf(p, since)
	return h.written
}

func summaryOf(p, since *model.Summary) *summaryBody {
	b := &summaryBody{Seq: p.Seq, At: p.At.UnixMilli(), Classes: []classBody{}, Pairs: []confusedBody{}}
	if since != nil {
		b.Since = &sinceBody{since.Seq, since.At.UnixMilli()}
	}
	shown := shownWeights
	if p.Matrix != nil {
		shown = shownOfClass
		b.Matrix = &matrixBody{Names: []string{}, Others: true, All: p.Matrix.Cells, Recent: p.Matrix.Fading,
			Fading: true}
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

// weightsThen returns earlier weights of a class. A missing weight was 0 if the summary held all weights.
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
