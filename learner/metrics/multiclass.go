package metrics

import "slices"

// Multiclass is the running score of predictions of several classes. Classes are numbers from 0 up; -1 is no class:
// as a prediction one made before any class was known, as a label a class that the model does not learn. For the
// learner no class is always a mistake; a baseline is right when both are no class.
//
// Of equally frequent classes the majority baseline predicts the one with the lower number; at the first example both
// baselines predict no class. Precision, recall and F1 are means over the classes that occurred, as label or as
// prediction (scikit-learn's average="macro"): a class that was never predicted has precision 0 there. No class is none
// of them.
//
// The zero value is ready to use; CopyTo copies a Multiclass. Add takes amortized constant time; it allocates only
// when a class or a pair of label and prediction is new. Memory grows with the number of these pairs.
type Multiclass struct {
	counters
	all      tally
	last     tally // over the last Window examples
	long     tally // over the last LongWindow examples
	fading   tally // in units of scale, see grow
	scale    float64
	cells    []cell
	index    map[pair]int                  // of cells
	majority int                           // number of the class seen most often + 1
	outcomes [LongWindow]multiclassOutcome // of the ring

	// What baselines know of labels whose examples are in no figure: by number + 1, and the latest label of all, if its
	// example was left out, plus 1.
	left       []float64
	leftLatest int
}

// tally counts examples by class; element 0 is no class. Counts are exact up to 2^53.
type tally struct {
	counts [1 + 2*predictors][]float64 // labels, then predicted of each predictor, then hits of each
	total  float64
}

func (t *tally) labels() []float64         { return t.counts[0] }
func (t *tally) predicted(p int) []float64 { return t.counts[1+p] }
func (t *tally) hits(p int) []float64      { return t.counts[1+predictors+p] } // by label

// pair is a label and what the learner predicted, both as numbers + 1.
type pair struct{ label, prediction int32 }

type cell struct {
	pair
	all, fading float64
}

// multiclassOutcome is one example: its label, then the class of each predictor, as numbers + 1.
type multiclassOutcome [1 + predictors]int32

func (o *multiclassOutcome) label() int32          { return o[0] }
func (o *multiclassOutcome) predicted(p int) int32 { return o[1+p] }

// hit reports whether predictor p was right.
func (o *multiclassOutcome) hit(p int) bool {
	return o.predicted(p) == o.label() && (p != learned || o.label() != 0)
}

func (t *tally) fits(class int32) {
	for len(t.labels()) <= int(class) {
		for i := range t.counts {
			t.counts[i] = append(t.counts[i], 0)
		}
	}
}

func (t *tally) add(o *multiclassOutcome, times float64) {
	t.total += times
	t.labels()[o.label()] += times
	for p := range predictors {
		t.predicted(p)[o.predicted(p)] += times
		if o.hit(p) {
			t.hits(p)[o.label()] += times
		}
	}
}

// Add scores a labelled example: the classes predicted and right, -1 for none, and how many learners updated
// (learner.Multi.Steps). The baselines predict by the labels added so far.
func (s *Multiclass) Add(prediction, label, steps int) {
	s.AddLate(prediction, label, s.Baselines(), steps)
}

// Baselines returns the classes that no-change and majority predict, -1 for none, by the labels added so far.
func (s *Multiclass) Baselines() [2]int {
	switch {
	case s.leftLatest != 0:
		return [2]int{s.leftLatest - 2, s.majority - 1}
	case s.filled == 0:
		return [2]int{-1, -1}
	}
	return [2]int{int(s.outcomes[s.latest()].label()) - 1, s.majority - 1}
}

// LeaveOut counts a labelled example that is to be in no figure. The baselines learn its label.
func (s *Multiclass) LeaveOut(label, steps int) {
	for len(s.left) <= label+1 {
		s.left = append(s.left, 0)
	}
	s.left[label+1]++
	s.leftLatest = label + 2
	s.totals.Predictions++
	s.totals.Updates += int64(steps)
	if s.most(int32(label + 1)) {
		s.majority = label + 1
	}
}

// AddLate is Add for a label that came later than its example was predicted: the baselines are those of that time.
func (s *Multiclass) AddLate(prediction, label int, b [2]int, steps int) {
	o := multiclassOutcome{int32(label + 1), int32(prediction + 1), int32(b[0] + 1), int32(b[1] + 1)}
	for _, t := range s.tallies() {
		t.fits(slices.Max(o[:]))
	}
	if left, full := s.leaving(Window); full {
		s.last.add(&s.outcomes[left], -1)
	}
	//mutation:last10000-of-classes
	if left, full := s.leaving(LongWindow); full {
		s.long.add(&s.outcomes[left], -1)
	}
	s.grow()
	s.all.add(&o, 1)
	s.last.add(&o, 1)
	s.long.add(&o, 1)
	s.fading.add(&o, s.scale)
	c := s.cellOf(pair{o.label(), o.predicted(learned)})
	c.all++
	c.fading += s.scale
	s.outcomes[s.next], s.leftLatest = o, 0
	s.step(int64(steps))
	if s.most(o.label()) {
		s.majority = int(o.label())
	}
}

func (s *Multiclass) most(label int32) bool {
	now, leader := s.seen(int(label)), s.seen(s.majority)
	return now > leader || now == leader && int(label) < s.majority
}

// seen is how many labels the baselines know of a class, given as number + 1.
func (s *Multiclass) seen(class int) (n float64) {
	if class < len(s.all.labels()) {
		n = s.all.labels()[class]
	}
	if class < len(s.left) {
		n += s.left[class]
	}
	return n
}

// AddProbability adds to the log-loss. given is the probability, 0 to 1, that the learner gave to the label of the
// example added last; one whose class was not known before has none.
func (s *Multiclass) AddProbability(given float64) { s.probabilities.add(s.latest(), given, ofClasses) }

func (s *Multiclass) tallies() [4]*tally { return [4]*tally{&s.all, &s.last, &s.long, &s.fading} }

// grow raises what the next example counts instead of lowering all fading counts. Before that overflows, all counts
// are scaled down.
func (s *Multiclass) grow() {
	const high = 1e100
	if s.scale == 0 {
		s.scale = 1
		return
	}
	if s.scale /= Fade; s.scale < high {
		return
	}
	s.fading.times(1 / s.scale)
	for i := range s.cells {
		s.cells[i].fading *= 1 / s.scale
	}
	s.scale = 1
}

func (t *tally) times(factor float64) {
	t.total *= factor
	for _, counts := range t.counts {
		for i := range counts {
			counts[i] *= factor
		}
	}
}

func (s *Multiclass) cellOf(p pair) *cell {
	at, known := s.index[p]
	if !known {
		if s.index == nil {
			s.index = make(map[pair]int)
		}
		at = len(s.cells)
		s.index[p] = at
		s.cells = append(s.cells, cell{pair: p})
	}
	return &s.cells[at]
}

// Examples counts labelled examples.
func (s *Multiclass) Examples() int64 { return int64(s.all.total) }

// Mistakes counts labelled examples whose prediction was wrong.
func (s *Multiclass) Mistakes() int64 { return int64(s.all.total - sumOf(s.all.hits(learned))) }

func sumOf(counts []float64) (total float64) {
	for _, c := range counts {
		total += c
	}
	return total
}

// CopyTo makes dst a score of its own with the same counts, in dst's memory where that fits.
func (s *Multiclass) CopyTo(dst *Multiclass) {
	if s == dst {
		return
	}
	index, cells, tallies := dst.index, dst.cells, [4]tally{dst.all, dst.last, dst.long, dst.fading}
	left := append(dst.left[:0], s.left...)
	*dst = *s
	dst.left = left
	dst.all, dst.last, dst.long, dst.fading = tallies[0], tallies[1], tallies[2], tallies[3]
	for i, from := range s.tallies() {
		from.copyTo(dst.tallies()[i])
	}
	for i := range cells {
		if i >= len(s.cells) || cells[i].pair != s.cells[i].pair {
			index, cells = nil, nil
			break
		}
	}
	dst.index, dst.cells = index, cells
	for i := range s.cells {
		*dst.cellOf(s.cells[i].pair) = s.cells[i]
	}
}

func (t *tally) copyTo(dst *tally) {
	dst.total = t.total
	for i, counts := range t.counts {
		dst.counts[i] = append(dst.counts[i][:0], counts...)
	}
}
