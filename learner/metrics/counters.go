package metrics

import "math"

// Window and LongWindow are how many of the latest examples the figures named last and last10000 cover.
const (
	Window     = 1000
	LongWindow = 10_000
)

// Fade is the factor by which an example's weight in fading figures falls with each later one.
const Fade = 0.999

const (
	learned  = iota // the learner
	noChange        // the label before
	majority        // the label seen more often so far
	predictors
)

// counters is what Binary and Multiclass have in common. The last LongWindow examples are in a ring.
type counters struct {
	totals        totals
	next          int // where the next example goes in the ring
	filled        int // how many examples are in it
	probabilities probabilities
}

type totals struct {
	Predictions int64   `json:"predictions"` // of examples with and without a label
	Updates     int64   `json:"updates"`
	Norm        float64 `json:"squaredR"` // largest squared norm
}

// place is where the ring has its i-th example, the oldest first.
func (c *counters) place(i int) int { return (c.next - c.filled + i + LongWindow) % LongWindow }

func (c *counters) latest() int { return (c.next + LongWindow - 1) % LongWindow }

// leaving is the place of the example that leaves a window of n when the next one comes; false if none does.
func (c *counters) leaving(n int) (place int, leaves bool) {
	return (c.next - n + LongWindow) % LongWindow, c.filled >= n
}

func (c *counters) step(updates int64) {
	c.probabilities.pass(c.next)
	c.next = (c.next + 1) % LongWindow
	c.filled = min(c.filled+1, LongWindow)
	c.totals.Predictions++
	c.totals.Updates += updates
}

// AddUnlabelled counts an example that was predicted and has no label.
func (c *counters) AddUnlabelled() { c.totals.Predictions++ }

// AddNorm records learner.Model.SquaredNorm of a labelled example, for R.
func (c *counters) AddNorm(squared float64) { c.totals.Norm = max(c.totals.Norm, squared) }

// Predictions counts all examples, with and without a label.
func (c *counters) Predictions() int64 { return c.totals.Predictions }

// Updates counts examples that changed the weights; of several classes it adds up steps.
func (c *counters) Updates() int64 { return c.totals.Updates }

func (c *counters) report(row func(name string, p int) Row) Report {
	return Report{
		Row:         row("", learned),
		Predictions: c.totals.Predictions,
		Updates:     c.totals.Updates,
		R:           math.Sqrt(c.totals.Norm),
		Baselines:   []Row{row("no-change", noChange), row("majority", majority)},
	}
}

// agree checks loaded totals against the number of labelled examples.
func (t *totals) agree(examples float64) bool {
	return t.Updates >= 0 && float64(t.Predictions) >= examples && t.Norm >= 0
}
