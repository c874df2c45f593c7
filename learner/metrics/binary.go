package metrics

import "math"

// Binary is the running score of predictions of two labels. The baselines predict +1 at the first example, and
// majority whenever both labels are equally frequent. Examples count alike, whatever their weights.
//
// The zero value is ready to use, and CopyTo copies a Binary. Add takes constant time; it allocates 16 kB when a score
// is the first of its sign and exponent.
type Binary struct {
	counters
	all      [predictors]cells
	last     [predictors]cells // over the last Window examples
	long     [predictors]cells // over the last LongWindow examples
	fading   [predictors]cells
	loss     perceptronLoss
	outcomes [LongWindow]outcome // of the ring
	scores   [LongWindow]float64
	bins     scoreBins // of all examples
	left     leftOut
}

// leftOut is what baselines know of labels whose examples are in no figure.
type leftOut struct {
	Labels [2]float64 `json:"labels"`           // how many are -1 and +1
	Latest int8       `json:"latest,omitempty"` // the latest label of all, if its example was left out
}

// cells counts predictions by label and prediction: see cell. Counts are exact up to 2^53.
type cells [4]float64

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

func (c *cells) fade() {
	for i := range c {
		c[i] = faded(c[i])
	}
}

// faded is x one example later. Tiny values become 0: subnormal numbers are a hundred times slower on some
// processors.
func faded(x float64) float64 {
	if x *= Fade; x < 1e-300 {
		return 0
	}
	return x
}

// outcome is one example: bit p is set when predictor p predicted +1, the bit predictors when the label is +1.
type outcome uint8

func (o outcome) cell(p int) int { return int(o>>predictors&1)<<1 | int(o>>p&1) }

// loss is the perceptron's of one example: -y·s where the sign of the score is wrong, whatever was predicted.
func (o outcome) loss(score float64) float64 {
	//mutation:loss-by-score
	if o.positive() != (score >= 0) {
		return math.Abs(score)
	}
	return 0
}

func (o outcome) positive() bool { return o>>predictors&1 != 0 }

// Add scores a labelled example: its prediction (-1 or 1), its label (-1 or 1), the score (finite) and whether the
// learner updated. The baselines predict by the labels added so far.
func (s *Binary) Add(prediction, label int8, score float64, updated bool) {
	s.AddLate(prediction, label, s.Baselines(), score, updated)
}

// AddLate is Add for a label that came later than its example was predicted: the baselines are those of that time.
func (s *Binary) AddLate(prediction, label int8, b [2]int8, score float64, updated bool) {
	o := outcomeOf(label, prediction, b[0], b[1])
	left, full := s.leaving(Window)
	longLeft, longFull := s.leaving(LongWindow)
	leaving, longLeaving := s.outcomes[left], s.outcomes[longLeft]
	s.loss.add(o.loss(score))
	s.bins.add(score, o.positive())
	for p := range predictors {
		s.all[p][o.cell(p)]++
		if full {
			s.last[p][leaving.cell(p)]--
		}
		//mutation:last10000
		if longFull {
			s.long[p][longLeaving.cell(p)]--
		}
		s.last[p][o.cell(p)]++
		s.long[p][o.cell(p)]++
		s.fading[p].fade()
		s.fading[p][o.cell(p)]++
	}
	s.outcomes[s.next], s.scores[s.next] = o, score
	s.left.Latest = 0
	if updated {
		s.step(1)
	} else {
		s.step(0)
	}
}

// AddProbability adds the probability, 0 to 1, that the learner gave to the label of the example added last.
func (s *Binary) AddProbability(given float64) {
	at := s.latest()
	s.probabilities.add(at, given, s.labelAt(at))
}

func (s *Binary) labelAt(place int) binaryLabel {
	if s.outcomes[place].positive() {
		return positiveLabel
	}
	return negativeLabel
}

// LeaveOut counts a labelled example that is to be in no figure. The baselines learn its label.
func (s *Binary) LeaveOut(label int8, updated bool) {
	s.left.Labels[(label+1)/2]++
	s.left.Latest = label
	s.totals.Predictions++
	if updated {
		s.totals.Updates++
	}
}

// Baselines returns what no-change and majority predict, -1 or 1, by the labels added so far.
func (s *Binary) Baselines() [2]int8 {
	b := [2]int8{-1, -1}
	switch {
	case s.left.Latest != 0:
		b[0] = s.left.Latest
	case s.filled == 0 || s.outcomes[s.latest()].positive():
		b[0] = 1
	}
	if c := &s.all[learned]; c.positives()+s.left.Labels[1] >= c.negatives()+s.left.Labels[0] {
		b[1] = 1
	}
	return b
}

// outcomeOf takes the label, then what each predictor predicted.
func outcomeOf(label int8, predicted ...int8) (o outcome) {
	for p, prediction := range predicted {
		if prediction > 0 {
			o |= 1 << p
		}
	}
	if label > 0 {
		o |= 1 << predictors
	}
	return o
}

// Labels returns how many examples of the negative and of the positive label there are.
func (s *Binary) Labels() [2]int64 {
	all := &s.all[learned]
	return [2]int64{int64(all.negatives()), int64(all.positives())}
}

// Examples counts labelled examples.
func (s *Binary) Examples() int64 { return int64(s.all[learned].total()) }

// Mistakes counts labelled examples whose prediction was wrong.
func (s *Binary) Mistakes() int64 { return int64(s.all[learned].mistakes()) }
