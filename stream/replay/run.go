package replay

import (
	"cmp"
	"context"
	"errors"
	"io"
	"runtime"
	"sync"
	"time"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/event"
)

// Config says how a stream is replayed. Zero values mean the defaults named here.
type Config struct {
	Decode   event.Options // how records are decoded; every learner's processor has the same bits and seed
	Learners []Learner
	Delay    Delay   // of labels: none
	Labels   *Labels // that come in records of their own: none; neither Delay nor several Passes beside them
	Passes   int     // over the stream: 1
	Shuffle  bool    // each pass in a random order of its own
	Seed     uint64  // of Shuffle
	Strict   bool    // end at the first record that is rejected
	Curves   bool    // sample learning curves
	Decoders int     // decoding goroutines beside the dispatcher: processors less one, 1 to 4

	// Progress may be nil. It is called at 1, 2, 4, 8 ... predictions, and ProgressEvery after the last call, from the
	// learners' goroutines, one call at a time.
	Progress      func(predictions int64, reports []metrics.Report)
	ProgressEvery time.Duration // 0: at powers of two only

	// Moved may be nil. One goroutine calls it with how far the run is, in the source's measure over all passes, and
	// the total, 0 for unknown.
	Moved func(done, total int64)
}

type run struct {
	Config
	source     Source
	pool       pool
	progress   *progress
	late       bool    // labels are delayed
	joiner     *joiner // nil without Config.Labels
	evaluators []*evaluator
	order      chan *Block // blocks in the order of the stream, decoded or not yet
	work       chan *Block // for the decoders
	halt       context.CancelFunc
	kept       []*Block // of the first pass, if there are more
	skipped    int64
	strays     event.Strays
	size       int64 // of one pass, in the source's measure, read so far
	total      int64 // of one pass, as the source expects; 0 for unknown
	failure    error // of the source; read when all goroutines have ended
}

// inFlight is how many blocks may wait for the learners.
const inFlight = 8

// Run evaluates all learners on the source and returns when every goroutine has ended. Errors: the first Rejected
// record if Config.Strict, the source's, or the context's.
func Run(ctx context.Context, source Source, c Config) (*Result, error) {
	if len(c.Learners) == 0 {
		return nil, errors.New("replay: no learner to evaluate")
	}
	if c.Labels != nil && (c.Delay != Delay{} || c.Passes > 1 || c.Shuffle) {
		return nil, errors.New("replay: labels in records of their own are joined in one pass, without a delay")
	}
	c.Passes, c.Decoders = max(c.Passes, 1), cmp.Or(max(c.Decoders, 0), min(max(runtime.GOMAXPROCS(0)-1, 1), 4))
	work, halt := context.WithCancel(ctx)
	defer halt()
	r := &run{
		Config: c, source: source, late: c.Delay != Delay{}, halt: halt,
		progress: &progress{learners: len(c.Learners), publish: c.Progress, every: c.ProgressEvery,
			rows: map[rowKey]*progressRow{}},
		order: make(chan *Block, inFlight), work: make(chan *Block, inFlight),
	}
	if err := r.play(work); err != nil {
		return nil, err
	}
	return r.result(ctx)
}

// play runs all goroutines to their end. Its error is about the configuration.
func (r *run) play(ctx context.Context) error {
	all, err := r.newDecoders()
	if err != nil {
		return err
	}
	if r.Labels != nil {
		if r.joiner, err = newJoiner(r.Labels, all[0].labels); err != nil {
			return err
		}
	}
	var evaluators, readers sync.WaitGroup
	for i := range r.Learners {
		p := r.evaluator(i)
		r.evaluators = append(r.evaluators, p)
		if len(r.Learners) > 1 {
			p.in = make(chan batch, 4)
			evaluators.Go(p.work)
		}
	}
	for _, d := range all[1:] {
		readers.Go(func() {
			for b := range r.work {
				if b.claim() {
					b.decode(d)
				}
			}
		})
	}
	readers.Go(func() { r.failure = r.read(ctx) })
	r.dispatch(ctx, all[0])
	for _, p := range r.evaluators {
		p.end()
	}
	readers.Wait()
	evaluators.Wait()
	return nil
}

// newDecoders returns those of the dispatcher and of the decoding goroutines.
func (r *run) newDecoders() (all []decoders, err error) {
	all = make([]decoders, r.Decoders+1)
	for i := range all {
		if all[i].events, err = event.New(r.Decode); err != nil {
			return nil, err
		}
		if r.Labels == nil {
			continue
		}
		if all[i].labels, err = event.NewLabels(r.Labels.Decode, r.Labels.ByKey); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (r *run) read(ctx context.Context) error {
	defer close(r.order)
	defer close(r.work)
	for {
		b := r.pool.get()
		err := r.source.Fill(ctx, b)
		if len(b.Records)+len(b.Labels)+len(b.outcomes) > 0 {
			b.done, b.total = r.source.Done()
			b.state.Store(waiting)
			select {
			case r.order <- b:
			case <-ctx.Done():
				return ctx.Err()
			}
			r.work <- b // from here on it may be decoded, or even reused
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// dispatch passes every block on to every learner, once or for each pass.
func (r *run) dispatch(ctx context.Context, d decoders) {
	keep := r.Passes > 1 || r.Shuffle
	blocks := blockQueue{order: r.order, own: d}
	for b := blocks.next(); b != nil; b = blocks.next() {
		r.skipped += b.Skipped
		r.strays.AddBatch(&b.Batch, r.Decode.Columns, func(i int) string { return r.source.Where(b, i) })
		b.kept = keep
		if keep {
			r.kept = append(r.kept, b)
		}
		r.size, r.total = b.done, b.total
		r.moved(b.done)
		if !r.Shuffle {
			b.users.Store(int32(len(r.evaluators)))
			r.give(r.batch(b)) // from here on it may be reused
		}
	}
	r.total = r.size
	pass := 1
	if r.Shuffle {
		pass = 0
	}
	for ; pass < r.Passes && ctx.Err() == nil; pass++ {
		r.again(ctx, pass)
	}
}

func (r *run) batch(b *Block) batch {
	if r.joiner != nil {
		return batch{block: b, steps: r.joiner.join(b)}
	}
	return batch{block: b}
}

func (r *run) moved(done int64) {
	if r.Moved == nil {
		return
	}
	passes := int64(r.Passes)
	if r.Shuffle {
		passes++ // reading is one of its own
	}
	r.Moved(done, r.total*passes)
}

func (r *run) give(b batch) {
	b.row = r.progress.due()
	for _, p := range r.evaluators {
		p.give(b)
	}
}

// result is called when all goroutines have ended.
func (r *run) result(ctx context.Context) (*Result, error) {
	rejected := r.rejected()
	switch {
	case rejected != nil:
		return nil, rejected
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case r.failure != nil:
		return nil, r.failure
	}
	out := &Result{Records: r.evaluators[0].seen, Skipped: r.skipped * int64(r.Passes), Passes: r.Passes,
		Strays: r.strays}
	out.Rejected, out.Rejects = common(r.evaluators)
	if out.Late = r.late || r.joiner != nil; r.joiner != nil {
		out.Labels = r.joiner.result()
	}
	for _, p := range r.evaluators {
		out.Learners = append(out.Learners, p.scored())
	}
	return out, nil
}

// rejected is the record that ended the run. It has a learner's name unless all reject it.
func (r *run) rejected() (first *Rejected) {
	for _, p := range r.evaluators {
		if p.failed != nil && p.failed.before(first) {
			first = p.failed
		}
	}
	for _, p := range r.evaluators {
		if first != nil && (p.failed == nil || p.failed.at != first.at) {
			first.Learner = r.evaluators[first.rank].learner.Name
		}
	}
	return first
}
