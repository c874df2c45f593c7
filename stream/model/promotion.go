package model

import (
	"fmt"
	"slices"

	"rosenblatt/stream/topics"
)

// Promotion is a change of the champion.
type Promotion struct {
	Seq  int64  `json:"seq"` // of the first entry of the new one
	From string `json:"from"`
	To   string `json:"to"`
	Time int64  `json:"time"` // of that entry, ms
}

// mostPromotions is how many are kept, the newest ones.
const mostPromotions = 1000

// Learners are the names of all learners, that of Config.Learner first.
func (p *Processor) Learners() []string { return p.learners }

// Champion is the name of the learner whose predictions are published.
func (p *Processor) Champion() string { return p.learners[p.number] }

// Promotions are the changes of the champion, the newest ones.
func (p *Processor) Promotions() []Promotion { return p.promotions }

// UnknownLearner says that a promotion is of a learner that the model does not have.
type UnknownLearner struct {
	Name string
	Has  []string
}

func (e *UnknownLearner) Error() string {
	return fmt.Sprintf("%q is no learner of this model, which has %q", e.Name, e.Has)
}

// SuspendedLearner says that a learner cannot be promoted.
type SuspendedLearner struct{ Name, Why string }

func (e *SuspendedLearner) Error() string {
	return fmt.Sprintf("%s has stopped learning: %s", e.Name, e.Why)
}

// CanPromote reports why a learner cannot be the champion: *UnknownLearner or *SuspendedLearner.
func (p *Processor) CanPromote(name string) error {
	number := slices.Index(p.learners, name)
	if number < 0 {
		return &UnknownLearner{name, p.learners}
	}
	for _, c := range p.challengers {
		if c.number == number && c.suspended != "" {
			return &SuspendedLearner{name, c.suspended}
		}
	}
	return nil
}

// Takes reports whether a learner takes the event that the champion predicted last. One that does not is suspended.
func (p *Processor) Takes(name string) bool {
	for _, c := range p.challengers {
		if p.learners[c.number] != name {
			continue
		}
		c.turn = p.turn
		if _, rejected := c.Predict(p.example, p.features); rejected != nil {
			c.suspend(rejected)
			return false
		}
	}
	return true
}

// Promote makes a learner the champion from the entry of a seq on, which is predicted next. The champion becomes a
// challenger. What was counted of published predictions goes on. The champion itself is no error, and nothing changes.
func (p *Processor) Promote(name string, seq, at int64) error {
	if err := p.CanPromote(name); err != nil || name == p.Champion() {
		return err
	}
	p.promotions = append(p.promotions, Promotion{Seq: seq, From: p.Champion(), To: name, Time: at})
	if n := len(p.promotions) - mostPromotions; n > 0 {
		p.promotions = slices.Clone(p.promotions[n:])
	}
	published := p.shown().figures()
	p.switchTo(slices.Index(p.learners, name))
	//mutation:published-go-on
	p.publishAs(published)
	return nil
}

// TakeBack takes the last promotion back: nothing was predicted since.
func (p *Processor) TakeBack() {
	last := len(p.promotions) - 1
	published := p.shown().figures()
	p.switchTo(slices.Index(p.learners, p.promotions[last].From))
	p.promotions = p.promotions[:last]
	p.publishAs(published)
}

// switchTo makes the learner of a number the champion. Each other one is in its place.
func (p *Processor) switchTo(number int) {
	if p.number == number {
		return
	}
	if p.number != 0 {
		p.swap(p.challengers[p.number-1])
	}
	if number != 0 {
		p.swap(p.challengers[number-1])
	}
}

// swap exchanges the champion and a challenger, with their own figures.
func (p *Processor) swap(c *challenger) {
	q := c.Processor
	p.task, q.task = q.task, p.task
	p.table, q.table = q.table, p.table
	p.score, q.score = q.score, p.score
	p.Score, q.Score = p.score, q.score
	p.Trained, q.Trained = q.Trained, p.Trained
	p.sliced.counts, q.sliced.counts = q.sliced.counts, p.sliced.counts
	p.drifts, q.drifts = q.drifts, p.drifts
	p.identity, q.identity = q.identity, p.identity
	c.predicted = nil
}

// shown is what counts the published predictions.
func (p *Processor) shown() *Processor {
	if p.published != nil {
		return p.published
	}
	return p
}

// figures are those of a processor, whatever its learner.
type figures struct {
	task   task
	sliced sliced
	drifts *drifts
}

func (p *Processor) figures() figures { return figures{p.task, p.sliced, p.drifts} }

// publishAs goes on counting what was published, under the champion as it is now.
func (p *Processor) publishAs(was figures) {
	p.published = p.Unscored()
	was.task.copyScore(p.published.task)
	was.sliced.copyTo(&p.published.sliced)
	p.published.drifts = was.drifts.clone()
	p.published.drifts.only() // the champion begins anew by its own
	p.Score = p.published.score
}

// learnChampion has the champion learn an outcome. What was published may be another one's prediction.
func (p *Processor) learnChampion(r *topics.Record, o *Outcome) {
	own := o
	if p.published != nil {
		p.published.figure(o)
		if d := p.published.drifts; d != nil && o.Labelled {
			d.add(o, p.published.score)
		}
		own = p.own(o)
		p.shareValues(p.published.sliced.counts)
	}
	p.learn(r, own)
	p.contest.last = lossOf(own)
}

// own is what the champion has predicted itself, with the label of a published outcome.
func (p *Processor) own(o *Outcome) *Outcome {
	if !o.Labelled {
		return o
	}
	own := *o
	switch b := o.Beside; {
	case !b.waits():
		own.Baselines = p.ownBaselines
	case b.By != p.number:
		//mutation:own-prediction
		if was, did := p.keptOf(o); did {
			p.SetPrediction(&was)
			own, p.outcome = p.outcome, own
			own.Beside = o.Beside
		}
	}
	if b := o.Beside; b != nil && p.number < len(b.Waiting) {
		own.Waiting = b.Waiting[p.number]
	}
	own.Slices = o.Slices
	p.ownOutcome = own
	return &p.ownOutcome
}
