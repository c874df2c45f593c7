package model

import (
	"fmt"

	"rosenblatt/learner"
	"rosenblatt/learner/decision"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/topics"
)

// beside is what a processor has beside its champion, whose predictions are published.
type beside struct {
	identity
	challengers []*challenger // each in a place: see labels.KeptBeside
	learners    []string      // Config.Learners
	contest     contest
	ofOutcome   Beside // of the last outcome that was published

	// published counts what was published, nil before the first promotion: then that is what the champion predicted.
	published  *Processor
	promotions []Promotion

	ownBaselines [2]int  // what those of the champion's own figures predict, after a promotion
	ownOutcome   Outcome // memory that is used again

	example  *event.Example // of the last Predict
	features []learner.Feature
	turn     uint64 // its number, if it is the champion's; 0 without challengers
	shared   bool   // shareTables was called
}

// identity says which learner a processor has.
type identity struct {
	number    int    // in Config.Learners
	since     int64  // it has learned what follows this seq
	suspended string // why it has stopped for good; empty while it learns
}

// challenger is a learner beside the champion. It predicts what was published, learns what the champion learns, and is
// scored on what it would have predicted.
type challenger struct {
	*Processor
	predicted *Outcome // of the last prediction that was published; nil: it has not predicted that
	mistake   loss     // of the last example that was learned
}

// Beside is what goes with an outcome for the challengers.
type Beside struct {
	labels.KeptBeside                    // of an example that waits for its label, or did
	Published         labels.Published   // likewise: what was published
	Waiting           []decision.Waiting // by learner, what waits for labels when the example's is known
}

// waits reports whether the outcome is of an example that waits, or did.
func (b *Beside) waits() bool { return b != nil && len(b.Each) > 0 }

// KeptBeside is what each learner but the champion predicted for an example that waits for its label.
func (o *Outcome) KeptBeside() *labels.KeptBeside {
	if !o.Beside.waits() {
		return nil
	}
	return &o.Beside.KeptBeside
}

// addChallengers makes the challengers of a configuration, untrained.
func (p *Processor) addChallengers(c *Config) error {
	for i := range c.Challengers {
		of := c.Of(c.Challengers[i].Name)
		t, err := newTask(&of)
		if err != nil {
			return prefixed(c.Challengers[i].Name, err)
		}
		d, err := configuredDrifts(&of)
		if err != nil {
			return prefixed(c.Challengers[i].Name, err)
		}
		q := &Processor{NoLearn: c.NoLearn, Scores: c.Scores, names: p.names, drifts: d}
		q.number = i + 1
		p.challengers = append(p.challengers, &challenger{Processor: q.with(t)})
	}
	p.learners, p.contest = c.Learners(), newContest(1+len(c.Challengers))
	return nil
}

// predictBeside has the challengers predict what the champion predicted last, which is published.
func (p *Processor) predictBeside(o *Outcome) {
	p.shareTables()
	w := &p.ofOutcome
	w.By, w.Each, w.Waiting = p.number, w.Each[:0], w.Waiting[:0]
	for _, c := range p.challengers {
		c.turn = p.turn
		c.predict(p.example, p.features)
		if o.Labelled {
			continue
		}
		kept := labels.Beside{Published: labels.NotPredicted}
		if x := c.predicted; x != nil {
			kept = labels.Beside{Score: x.Score, Published: x.Kept()}
		}
		w.Each = append(w.Each, kept)
	}
	o.Beside = w
}

// shareTables has learners that scale alike, and have met the same examples, keep their features in one table: those
// that began at once, with nothing, go on meeting the same. One that is suspended does not learn any more, whatever its
// table has.
func (p *Processor) shareTables() {
	if p.shared {
		return
	}
	p.shared = true
	all := []*Processor{p}
	for _, c := range p.challengers {
		all = append(all, c.Processor)
	}
	for i, q := range all {
		for _, o := range all[:i] {
			//mutation:shares-since
			if q.since == o.since && q.table.ShareTable(o.table.Table()) {
				break
			}
		}
	}
}

func (c *challenger) predict(e *event.Example, x []learner.Feature) {
	if c.predicted = nil; c.suspended != "" {
		return
	}
	o, rejected := c.Predict(e, x)
	//mutation:challenger-suspended
	if rejected != nil {
		c.suspend(rejected)
		return
	}
	c.Publish(o)
	c.predicted = o
}

// suspend ends the learning of a challenger: the champion has taken an event that it cannot take.
func (c *challenger) suspend(why *event.Error) {
	c.suspended = fmt.Sprintf("%v: %s", why.Reason, why.Message())
}

// learnBeside has the challengers learn what the champion has learned last.
func (p *Processor) learnBeside(r *topics.Record, o *Outcome) {
	for _, c := range p.challengers {
		c.mistake = loss{}
		now := c.predicted
		//mutation:challenger-learns-outcome
		if o.Beside.waits() {
			now = c.again(p, o)
		}
		if now == nil {
			continue
		}
		if now.Slices = o.Slices; o.Beside != nil && c.number < len(o.Beside.Waiting) {
			//mutation:challenger-waiting
			now.Waiting = o.Beside.Waiting[c.number]
		}
		c.shareValues(p.shown().sliced.counts)
		c.learn(r, now)
		if c.predicted = nil; o.Labelled {
			c.mistake = lossOf(now)
		}
	}
	if o.Labelled {
		p.contest.add(p.number, p.challengers)
	}
}

// again is what a challenger predicted for an example that waited, with its label; nil if it did not predict it.
func (c *challenger) again(p *Processor, o *Outcome) *Outcome {
	was, did := c.keptOf(o)
	if !did || c.suspended != "" {
		return nil
	}
	if !o.Labelled {
		c.outcome = was
		return &c.outcome
	}
	c.turn = p.turn
	now, rejected := c.Predict(p.example, p.features)
	if rejected != nil {
		c.suspend(rejected)
		return nil
	}
	//mutation:challenger-published-scored
	c.SetPrediction(&was)
	return now
}

// byPublisher gives an outcome whose example waited the probability that the learner gave which published it.
func (p *Processor) byPublisher(o *Outcome) {
	b := o.Beside
	if !b.waits() || b.By == p.number {
		return
	}
	was := p.learner(b.By).Published(&labels.Example{Score: o.Score, Published: b.Published})
	o.Probability, o.Probable, o.Millionths = was.Probability, was.Probable, was.Millionths
	if o.Labelled {
		o.LabelProbability = p.task.labelProbability(o)
	}
}

// learner is that of a number, by itself.
func (p *Processor) learner(number int) *Processor {
	for _, c := range p.challengers {
		if c.number == number {
			return c.Processor
		}
	}
	return p
}

// keptOf is what a learner predicted for an example that waited, whoever published a prediction for that.
func (p *Processor) keptOf(o *Outcome) (was Outcome, did bool) {
	b := o.Beside
	kept := labels.Beside{Score: o.Score, Published: o.Kept()}
	if b.By != p.number {
		kept = b.Each[b.Place(p.number)]
	}
	if kept.Published == labels.NotPredicted {
		return was, false
	}
	x := labels.Example{Score: kept.Score, Published: kept.Published,
		Baselines: [2]int16{int16(o.Baselines[0]), int16(o.Baselines[1])}}
	return p.Published(&x), true
}

// shareValues numbers the values of fields as what was published does.
func (p *Processor) shareValues(of *metrics.Slices) {
	if of != nil && of != p.sliced.counts {
		p.sliced.counts.Adopt(of)
	}
}

// shareSlices makes all learners count decisions by the same fields, those by other ones anew.
func (p *Processor) shareSlices(anew bool) {
	share := func(q *Processor) {
		switch of := p.sliced.counts; {
		case of == nil:
			q.sliced.counts = nil
		case anew || q.sliced.counts == nil:
			q.sliced.counts = metrics.NewSlices(of.Fields())
		}
	}
	for _, c := range p.challengers {
		share(c.Processor)
	}
	if p.published != nil {
		share(p.published)
	}
}
