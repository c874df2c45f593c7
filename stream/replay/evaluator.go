package replay

import (
	"math"

	"rosenblatt/learner/decision"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// evaluator runs one learner. One goroutine uses it: its own, or of a single learner the dispatcher's.
type evaluator struct {
	run     *run
	rank    int // among the learners
	learner *Learner
	proc    *model.Processor
	in      chan batch // nil for a single learner

	seen        int64 // records so far, also rejected ones
	predictions int64
	untrained   int64 // of them
	clock       int64 // the highest timestamp so far
	waiting     queue
	sums        decision.Waiting        // of what waits
	joined      map[int64]model.Outcome // predictions of examples that wait for a label record, by number
	rejects     rejects
	curve       curve
	bins        calibration
	row         int64 // when progress is reported next, a power of two
	failed      *Rejected
}

// batch is a block, or picked examples of several. Of a block with label records the steps say what is done.
type batch struct {
	block *Block
	steps []step
	picks []pick
	row   bool // progress is reported after it
}

func (r *run) evaluator(rank int) *evaluator {
	l := &r.Learners[rank]
	p := &evaluator{run: r, rank: rank, learner: l, proc: l.Processor, row: 1,
		joined: map[int64]model.Outcome{}, rejects: rejects{count: map[event.Reason]int64{}}}
	if r.Curves {
		p.curve = curve{stride: firstStride, next: firstStride}
	}
	return p
}

// give passes a batch on. A single learner processes it here, where it was decoded.
func (p *evaluator) give(b batch) {
	if p.in != nil {
		p.in <- b
		return
	}
	p.take(b)
}

// end says that there are no more batches.
func (p *evaluator) end() {
	if p.in != nil {
		close(p.in)
		return
	}
	p.complete()
}

func (p *evaluator) work() {
	for b := range p.in {
		p.take(b)
	}
	p.complete()
}

func (p *evaluator) take(b batch) {
	for _, k := range b.picks {
		p.example(k.block, int(k.i))
	}
	switch {
	case b.block == nil:
	case p.run.joiner != nil:
		for i := range b.steps {
			p.step(b.block, &b.steps[i])
		}
	default:
		for i := range b.block.Records {
			p.example(b.block, i)
		}
	}
	if b.block != nil {
		p.run.pool.release(b.block)
	}
	if b.row {
		p.run.progress.add(p.rank, rowKey{p.seen, true}, p.proc)
	}
}

// complete learns the labels that are still missing.
func (p *evaluator) complete() {
	p.settle(math.MaxInt64)
	p.curve.end(p.proc)
}

// example predicts one example and learns the labels that are due.
func (p *evaluator) example(b *Block, i int) {
	if p.run.late && p.failed == nil && !b.Examples[i].Skip {
		p.settle(p.now(&b.Records[i]))
	}
	o := p.predict(b, i)
	switch {
	case o == nil:
	case p.run.late:
		b.users.Add(1)
		o.Count(&p.sums, 1)
		p.waiting.add(late{due: p.due(&b.Records[i]), block: b, i: i, at: p.seen - 1, outcome: *o})
	default:
		p.learn(&b.Records[i], o)
	}
}

// predict predicts one example; nil if it is rejected or skipped.
func (p *evaluator) predict(b *Block, i int) *model.Outcome {
	at, e := p.seen, &b.Examples[i]
	p.seen++
	if p.failed != nil || e.Skip {
		return nil
	}
	o, rejected := p.proc.Predict(e, b.Features(i))
	if rejected != nil {
		if p.learner.Refused != nil {
			p.learner.Refused(b, i, rejected)
		}
		p.reject(NewRejected(p.run.source.Where(b, i), b.Records[i].Value, rejected), at)
		return nil
	}
	//mutation:untrained-delayed
	if p.run.late { // it is predicted without the label that it has
		o.Untrained = !p.proc.Trained
	}
	p.proc.Slice(&b.Records[i], o)
	if p.learner.Watch != nil {
		p.learner.Watch(b, i, *o)
	}
	p.predictions++
	if o.Untrained {
		p.untrained++
	}
	p.proc.Publish(o)
	return o
}

// now is in predictions so far, or milliseconds.
func (p *evaluator) now(r *topics.Record) int64 {
	if p.run.Delay.Time > 0 {
		p.clock = max(p.clock, r.Timestamp)
		return p.clock
	}
	return p.predictions
}

// due is when the label of the example last predicted arrives.
func (p *evaluator) due(r *topics.Record) int64 {
	if p.run.Delay.Time > 0 {
		return r.Timestamp + p.run.Delay.Time.Milliseconds()
	}
	return p.predictions + p.run.Delay.Examples
}

func (p *evaluator) settle(now int64) {
	for {
		x, ok := p.waiting.next(now)
		if !ok {
			return
		}
		x.outcome.Count(&p.sums, -1)
		p.learnLate(&x)
		p.run.pool.release(x.block)
	}
}

// learnLate predicts again, to learn the label with the present model, but scores the first prediction.
func (p *evaluator) learnLate(x *late) {
	if p.failed != nil {
		return
	}
	o, rejected := p.proc.Predict(&x.block.Examples[x.i], x.block.Features(x.i))
	if rejected != nil {
		p.reject(NewRejected(p.run.source.Where(x.block, x.i), x.block.Records[x.i].Value, rejected), x.at)
		return
	}
	p.proc.SetPrediction(&x.outcome)
	p.learn(&x.block.Records[x.i], o)
}

// learn scores and learns the example last predicted.
func (p *evaluator) learn(r *topics.Record, o *model.Outcome) {
	//mutation:untrained-calibration
	if o.Probable && o.Labelled && !o.Untrained {
		p.bins.add(p.proc.Forecast(o))
	}
	//mutation:replay-hears-of-waiting
	o.Waiting = p.sums
	p.proc.Learn(r, o)
	p.curve.add(p.proc)
	if n := p.proc.Score.Predictions(); n == p.row {
		p.row *= 2
		p.run.progress.add(p.rank, rowKey{n, false}, p.proc)
	}
}

func (p *evaluator) reject(x *Rejected, at int64) {
	p.rejects.count[x.Reason]++
	if !p.run.Strict && len(p.rejects.first) == keptRejects {
		return
	}
	x.at, x.rank = at, p.rank
	p.rejects.first = append(p.rejects.first, x)
	if p.run.Strict {
		p.failed = x
		p.run.halt()
	}
}
