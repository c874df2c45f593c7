package simulation

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"rosenblatt/learner"
	"rosenblatt/stream"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// told is a promotion that somebody asked for, and was told that it is published.
type told struct {
	name string
	seq  int64
}

// challenge gives some worlds challengers.
func (w *world) challenge(c *model.Config) {
	r := rand.New(rand.NewPCG(w.seed, 380)) // of its own: what else is drawn stays
	if w.seed%3 == 0 || r.IntN(5) < 2 {
		return
	}
	names := []string{"pa1:C=0.1", "b=arow", "averaged:window=20 scale:none", "l=logistic", "perceptron scale:maxabs"}
	for i := range 1 + r.IntN(2) {
		x, err := c.ParseChallenger(names[r.IntN(len(names))], 2*i+1, learner.ParseLearner)
		if err != nil {
			w.t.Fatal(err)
		}
		if !slices.Contains(c.Learners(), x.Name) {
			c.Challengers = append(c.Challengers, x)
		}
	}
	if err := c.Validate(); err != nil {
		w.t.Fatal(err)
	}
}

// asking is the journal of a process that is asked for promotions: at random moments, and while it writes a flight.
type asking struct {
	topics.Journal
	p     *process
	names []string
	rng   *rand.Rand // of the writer
	last  int        // in names, that was asked for
}

// askFor lets a process be asked for promotions.
func (w *world) askFor(p *process) {
	names := w.setup.Config.ModelConfig.Learners()
	if len(names) == 1 {
		return
	}
	p.task.Journal = &asking{Journal: p.task.Journal, p: p, names: names,
		rng: rand.New(rand.NewPCG(w.seed, 381<<32|uint64(p.id)))}
	r := rand.New(rand.NewPCG(w.seed, 382<<32|uint64(p.id)))
	w.background(func() {
		for range 20 {
			select {
			case <-p.ended:
				return
			case <-time.After(time.Duration(r.IntN(3000)) * time.Millisecond):
				w.promote(p, names[r.IntN(len(names))], time.Duration(1+r.IntN(2000))*time.Millisecond)
			}
		}
	})
}

// Append implements topics.Journal.
func (a *asking) Append(ctx context.Context, batches []topics.Batch) error {
	if a.rng.IntN(3) > 0 {
		a.last = (a.last + 1 + a.rng.IntN(len(a.names)-1)) % len(a.names) // mostly another one than the champion
		name, patience := a.names[a.last], time.Duration(1+a.rng.IntN(2000))*time.Millisecond
		a.p.w.background(func() { a.p.w.promote(a.p, name, patience) })
	}
	return a.Journal.Append(ctx, batches)
}

// promote asks a process for a promotion, and notes what it was told.
func (w *world) promote(p *process, name string, patience time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	done, err := p.task.Promote(ctx, name)
	var unknown *model.UnknownLearner
	var suspended *model.SuspendedLearner
	switch {
	case err == nil && done.Seq > 0:
		w.count("promotions that were confirmed")
		w.mu.Lock()
		defer w.mu.Unlock()
		w.told = append(w.told, told{name, done.Seq})
	case errors.Is(err, stream.ErrPending):
		w.count("promotions that waited")
	case errors.As(err, &unknown), errors.As(err, &suspended):
		w.violate("%v does not promote %s: %v", p, name, err)
	}
}

// keptPromises checks that each promotion that somebody was told of is in the journal.
func (o *oracle) keptPromises() {
	for _, x := range o.w.told {
		if !slices.ContainsFunc(o.learners.changes, func(p model.Promotion) bool {
			return p.Seq == x.seq && p.To == x.name
		}) {
			o.w.violate("somebody was told that %s is the champion from seq %d on: %v", x.name, x.seq,
				o.learners.changes)
		}
	}
}
