package metrics

import "math"

// Window is how many of the latest examples the figures named last cover.
const Window = 1000

// Fade is the factor by which an example's weight in fading figures falls with each later one.
const Fade = 0.999

const (
	learned  = iota // the learner
	noChange        // the label before
	majority        // the label seen more often so far
	predictors
)

// counters is what Binary and Multiclass have in common. The last Window examples are in a ring.
type counters struct {
	totals totals
	next   int // where the next example goes in the ring
	filled int // how many examples are in it
	losses losses
}

type totals struct {
	Predictions int64   `json:"predictions"` // of examples with and without a label
	Updates     int64   `json:"updates"`
	Norm        float64 `json:"squaredR"` // largest squared norm
}

func (c *counters) place(i int) int { return (c.next - c.filled + i + Window) % Window }

func (c *counters) latest() int { return (c.next + Window - 1) % Window }

func (c *counters) step(updates int64) {
	c.losses.pass(c.next)
	c.next = (c.next + 1) % Window
	c.filled = min(c.filled+1, Window)
	c.totals.Predictions++
	c.totals.Updates += updates
}

// AddProbability adds to the log-loss. given is the probability, 0 to 1, that the learner gave to the label of the
// example added last; one whose class was not known before has none.
func (c *counters) AddProbability(given float64) { c.losses.add(c.latest(), given) }

// AddUnlabelled counts an example that was predicted and has no label.
func (c *counters) AddUnlabelled() { c.totals.Predictions++ }

// AddNorm records learner.Model.SquaredNorm of a labelled example, for R.
func (c *counters) AddNorm(squared float64) { c.totals.Norm = max(c.totals.Norm, squared) }

// Predictions counts all examples, with and without a label.
func (c *counters) Predictions() int64 { return c.totals.Predictions }

// Updates counts examples that changed the weights; of several classes it adds up steps.
func (c *counters) Updates() int64 { return c.totals.Updates }

func (c *counters) report(row func(name string, p int) Row) Report {
	r := Report{
		Row:         row("", learned),
		Predictions: c.totals.Predictions,
		Updates:     c.totals.Updates,
		R:           math.Sqrt(c.totals.Norm),
		Baselines:   []Row{row("no-change", noChange), row("majority", majority)},
	}
	r.LogLoss, r.Last.LogLoss, r.Fading.LogLoss = c.losses.mean(c.next)
	return r
}

// agree checks loaded totals against the number of labelled examples.
func (t *totals) agree(examples float64) bool {
	return t.Updates >= 0 && float64(t.Predictions) >= examples && t.Norm >= 0
}
