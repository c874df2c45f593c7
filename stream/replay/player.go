package replay

import (
	"math"

	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// player is one learner at work. Only one goroutine uses it: its own, or where it is the only one that which gives out the blocks.
type player struct {
	run     *run
	rank    int // among the learners
	learner *Learner
	proc    *model.Processor
	in      chan batch // nil for the only one

	seen     int64 // records so far, rejected ones too: an example's number in the stream
	answered int64
	clock    int64 // the highest timestamp so far
	waiting  queue
	rejects  rejects
	curve    curve
	bins     calibration
	row      int64 // the next power of two at which progress is told
	failed   *Rejected
}

// batch is a block and which of its examples to take: all, in order, when picks is nil.
type batch struct {
	block *Block
	picks []pick
}

// player makes the player of a learner.
func (r *run) player(rank int) *player {
	l := &r.Learners[rank]
	return &player{run: r, rank: rank, learner: l, proc: l.Processor, curve: newCurve(r.Curves), row: 1,
		rejects: rejects{count: map[event.Reason]int64{}}}
}

// give hands over a batch. One learner alone is served here and now, where the batch was decoded.
func (p *player) give(b batch) {
	if p.in != nil {
		p.in <- b
		return
	}
	p.take(b)
}

// end says that there are no more batches.
func (p *player) end() {
	if p.in != nil {
		close(p.in)
		return
	}
	p.complete()
}

// play answers and learns all batches.
func (p *player) play() {
	for b := range p.in {
		p.take(b)
	}
	p.complete()
}

func (p *player) take(b batch) {
	if p.failed == nil {
		p.batch(b)
	}
	if b.block != nil {
		p.run.pool.release(b.block)
	}
}

// complete views the labels that are still out.
func (p *player) complete() {
	if p.failed == nil {
		p.settle(math.MaxInt64)
		p.finish()
	}
}

func (p *player) batch(b batch) {
	if b.picks == nil {
		for i := range b.block.Records {
			p.example(b.block, i)
		}
		return
	}
	for _, k := range b.picks {
		p.example(k.block, int(k.i))
	}
}

// example answers one example and views the labels that are due.
func (p *player) example(b *Block, i int) {
	at := p.seen
	p.seen++
	if p.failed != nil {
		return
	}
	e := &b.Examples[i]
	if e.Skip {
		return
	}
	if p.run.late {
		p.settle(p.now(&b.Records[i]))
	}
	o, rejected := p.proc.Predict(e, b.Features(i))
	if rejected != nil {
		p.reject(b, i, at, rejected)
		return
	}
	if p.learner.Watch != nil {
		p.learner.Watch(b, i, *o)
	}
	p.answered++
	if p.run.late {
		b.users.Add(1)
		p.waiting.add(late{due: p.due(&b.Records[i]), block: b, i: i, at: at, outcome: *o})
		return
	}
	p.view(b, i, o)
}

// now is the time on the clock by which labels are due: examples answered, or milliseconds.
func (p *player) now(r *topics.Record) int64 {
	if p.run.Delay.Time > 0 {
		p.clock = max(p.clock, r.Timestamp)
		return p.clock
	}
	return p.answered
}

// due is when the label of the example just answered comes in.
func (p *player) due(r *topics.Record) int64 {
	if p.run.Delay.Time > 0 {
		return r.Timestamp + p.run.Delay.Time.Milliseconds()
	}
	return p.answered + p.run.Delay.Examples
}

// settle views the labels that are due by now. What is learned is learned by the model as it is now; what is scored is the
// answer that was given.
func (p *player) settle(now int64) {
	for {
		x, ok := p.waiting.next(now)
		if !ok {
			return
		}
		p.learnLate(x)
		p.run.pool.release(x.block)
	}
}

func (p *player) learnLate(x late) {
	if p.failed != nil {
		return
	}
	o, rejected := p.proc.Predict(&x.block.Examples[x.i], x.block.Features(x.i))
	if rejected != nil {
		p.reject(x.block, x.i, x.at, rejected)
		return
	}
	// A class gets its number when its first label is learned: the label may have another number than it would have had then.
	o.SetPrediction(&x.outcome)
	p.view(x.block, x.i, o)
}

// view scores and learns the example that Predict answered last.
func (p *player) view(b *Block, i int, o *model.Outcome) {
	if o.Probable && o.Labelled {
		p.bins.add(p.proc.Forecast(o))
	}
	p.proc.Learn(&b.Records[i], o)
	if p.curve.stride > 0 {
		p.curve.note(p.proc)
	}
	if n := p.proc.Score.Predictions(); n == p.row {
		p.row *= 2
		p.run.board.tell(p.rank, n, p.proc)
	}
}

// reject counts a record that is no example for this learner.
func (p *player) reject(b *Block, i int, at int64, why *event.Error) {
	p.rejects.count[why.Reason]++
	if !p.run.Strict && len(p.rejects.first) == keptRejects {
		return
	}
	x := NewRejected(p.run.source.Where(b, i), b.Records[i].Value, why)
	x.at, x.rank = at, p.rank
	p.rejects.first = append(p.rejects.first, x)
	if p.run.Strict {
		p.failed = x
		p.run.halt()
	}
}

// finish completes what is told of the learner.
func (p *player) finish() {
	if p.curve.stride > 0 {
		p.curve.end(p.proc)
	}
}
