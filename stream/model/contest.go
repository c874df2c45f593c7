package model

import "rosenblatt/learner/metrics"

// loss is what a learner's prediction for an example cost.
type loss struct {
	counted  bool // it is in the learner's figures
	mistakes metrics.Difference
}

// lossOf is that of a labelled outcome.
func lossOf(o *Outcome) (l loss) {
	if l.counted = o.Labelled && !o.Untrained; !l.counted || !o.Mistake {
		return l
	}
	if o.Label == Positive && o.Prediction == Negative {
		l.mistakes.FalseNegatives = 1
	} else {
		l.mistakes.FalsePositives = 1
	}
	return l
}

// contest compares all learners with one another, example by example.
type contest struct {
	last  loss // the champion's
	pairs []metrics.Paired
}

func newContest(learners int) contest {
	return contest{pairs: make([]metrics.Paired, learners*(learners-1)/2)}
}

// pair is the place of a pair of which i is below j.
func pair(i, j int) int { return j*(j-1)/2 + i }

// add compares all learners by the last example. The champion has this number.
func (c *contest) add(champion int, challengers []*challenger) {
	for n, x := range challengers {
		if !x.mistake.counted {
			continue
		}
		c.both(champion, c.last, x.number, x.mistake)
		for _, y := range challengers[:n] {
			c.both(y.number, y.mistake, x.number, x.mistake)
		}
	}
}

func (c *contest) both(i int, of loss, j int, with loss) {
	if !of.counted || !with.counted {
		return
	}
	if i > j {
		i, j, of, with = j, i, with, of
	}
	d := of.mistakes
	d.FalsePositives -= with.mistakes.FalsePositives
	d.FalseNegatives -= with.mistakes.FalseNegatives
	c.pairs[pair(i, j)].Add(d)
}

// of is the comparison of learner a with learner b.
func (c *contest) of(a, b int) metrics.Paired {
	if a < b {
		return c.pairs[pair(a, b)]
	}
	return c.pairs[pair(b, a)].Reversed()
}

// compare says how much dearer learner i is than learner j.
func (c *contest) compare(i, j int, cost metrics.Cost) metrics.Comparison {
	x := c.of(i, j)
	return x.Compare(cost)
}

func (c *contest) copyTo(to *contest) {
	pairs := append(to.pairs[:0], c.pairs...)
	*to = *c
	to.pairs = pairs
}
