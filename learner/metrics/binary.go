package metrics

// Window is how many of the latest examples the figures named last are about.
const Window = 1000

// Fade is the factor by which the weight of an example in the fading figures falls with each later example.
const Fade = 0.999

// Binary is the running score of predictions of two labels. Beside the learner it scores the two baselines: no-change
// predicts the label before, majority the label seen more often so far. At the first example no-change predicts +1,
// and so does majority whenever both labels are equally frequent. Examples count alike, whatever their weights.
// Log-loss is kept for learners that give a probability.
//
// The zero value is ready to use, assignment copies a Binary, and it survives encoding/json to the bit. Add takes
// constant time and allocates nothing.
type Binary struct {
	predictions int64 // of examples with and without a label
	updates     int64
	norm        float64 // largest squared norm
	all         [predictors]cells
	last        [predictors]cells // over the last Window examples
	fading      [predictors]cells

	// The last Window examples: a ring whose next entry goes to next.
	outcomes [Window]outcome
	scores   [Window]float64
	next     int
	filled   int
	losses   losses
}

// The predictors a Score compares.
const (
	learned  = iota // the learner
	noChange        // the label before
	majority        // the label seen more often so far
	predictors
)

// cells counts predictions by label and prediction: see cell. Counts are exact up to 2^53.
type cells [4]float64

// The elements of cells.
const (
	trueNegative  = 0 // label -1, prediction -1
	falsePositive = 1 // label -1, prediction +1
	falseNegative = 2 // label +1, prediction -1
	truePositive  = 3 // label +1, prediction +1
)

func (c *cells) total() float64     { return c[0] + c[1] + c[2] + c[3] }
func (c *cells) negatives() float64 { return c[trueNegative] + c[falsePositive] }
func (c *cells) positives() float64 { return c[falseNegative] + c[truePositive] }
func (c *cells) mistakes() float64  { return c[falsePositive] + c[falseNegative] }

// fade takes the next step down. Counts too small to show become 0: subnormal numbers are a hundred times slower on
// some processors.
func (c *cells) fade() {
	for i := range c {
		if c[i] *= Fade; c[i] < 1e-300 {
			c[i] = 0
		}
	}
}

// outcome is one example: bit p is set when predictor p predicted +1, the bit predictors when the label is +1.
type outcome uint8

// cell is the element of cells that predictor p's prediction belongs to.
func (o outcome) cell(p int) int { return int(o>>predictors&1)<<1 | int(o>>p&1) }

// positive reports whether the label is +1.
func (o outcome) positive() bool { return o>>predictors&1 != 0 }

// Add scores a labelled example: its prediction (-1 or 1), its label (-1 or 1), the score (finite) and whether the
// learner updated.
func (s *Binary) Add(prediction, label int8, score float64, updated bool) {
	o := s.outcome(prediction, label)
	leaving, full := s.outcomes[s.next], s.filled == Window
	for p := range predictors {
		s.all[p][o.cell(p)]++
		if full {
			s.last[p][leaving.cell(p)]--
		}
		s.last[p][o.cell(p)]++
		s.fading[p].fade()
		s.fading[p][o.cell(p)]++
	}
	s.outcomes[s.next], s.scores[s.next] = o, score
	s.losses.pass(s.next)
	if s.next++; s.next == Window {
		s.next = 0
	}
	if !full {
		s.filled++
	}
	s.predictions++
	if updated {
		s.updates++
	}
}

// AddProbability adds to the log-loss. given is the probability, 0 to 1, that the learner gave to the label of the
// example added last.
func (s *Binary) AddProbability(given float64) { s.losses.add((s.next+Window-1)%Window, given) }

// outcome lets the baselines predict from the labels before this one.
func (s *Binary) outcome(prediction, label int8) outcome {
	var o outcome
	if prediction > 0 {
		o |= 1 << learned
	}
	if s.filled == 0 || s.outcomes[(s.next+Window-1)%Window].positive() {
		o |= 1 << noChange
	}
	if c := &s.all[learned]; c.positives() >= c.negatives() {
		o |= 1 << majority
	}
	if label > 0 {
		o |= 1 << predictors
	}
	return o
}

// AddUnlabelled counts an example that was predicted and has no label.
func (s *Binary) AddUnlabelled() { s.predictions++ }

// AddNorm records ‖(x, 1)‖² of a labelled example, as learner.Model.SquaredNorm gives it, for R.
func (s *Binary) AddNorm(squared float64) { s.norm = max(s.norm, squared) }

// Examples counts labelled examples.
func (s *Binary) Examples() int64 { return int64(s.all[learned].total()) }

// Predictions counts all examples, with and without a label.
func (s *Binary) Predictions() int64 { return s.predictions }

// Mistakes counts labelled examples whose prediction was wrong.
func (s *Binary) Mistakes() int64 { return int64(s.all[learned].mistakes()) }

// Updates counts examples that changed the weights.
func (s *Binary) Updates() int64 { return s.updates }
