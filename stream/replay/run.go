package replay

import (
	"context"
	"errors"
	"io"
	"runtime"

	"golang.org/x/sync/errgroup"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/event"
)

// Config says how a stream is replayed. Zero values mean the defaults named beside them.
type Config struct {
	Decode   event.Options // how records are read; every learner's processor was made with the same bits and seed
	Learners []Learner
	Delay    Delay  // how late labels are: not at all
	Passes   int    // how often the stream is gone through: 1
	Shuffle  bool   // each pass in a random order of its own
	Seed     uint64 // of Shuffle
	Strict   bool   // end at the first record that is rejected
	Curves   bool   // take the points of the curves
	Decoders int    // decoding goroutines beside the one that gives out blocks: a processor fewer than there are, 1 to 4

	// Progress, when not nil, is called at 1, 2, 4, 8 ... answered examples with a report of each learner. The calls come
	// one after the other, from the learners' goroutines.
	Progress func(answered int64, reports []metrics.Report)

	// Moved, when not nil, is called again and again with how far the run is, in the source's measure over all passes, and
	// the whole of it, 0 when that is not known. The calls come from one goroutine.
	Moved func(done, total int64)
}

// run is a replay under way.
type run struct {
	Config
	source  Source
	pool    pool
	board   *board
	late    bool // labels are delayed
	players []*player
	order   chan *Block // blocks in the order of the stream, decoded or not yet
	work    chan *Block // the same blocks, for the decoders
	halt    context.CancelFunc
	kept    []*Block // of the first pass, when there are to be more
	skipped int64
	size    int64 // of one pass, in the source's measure, as far as it is read
	total   int64 // what the source says it will be; 0 when it does not know
	failure error // of the source; read when all goroutines have ended
}

// inFlight is how many blocks may wait for the learners.
const inFlight = 8

// errNoLearner is a mistake of the caller.
var errNoLearner = errors.New("replay: no learner to evaluate")

// Run goes through the source with every learner. Errors: the first Rejected record when Config.Strict, the source's own, or the
// context's. It returns when every goroutine has ended.
func Run(ctx context.Context, source Source, c Config) (*Result, error) {
	if len(c.Learners) == 0 {
		return nil, errNoLearner
	}
	c.Passes, c.Decoders = max(c.Passes, 1), orDefault(c.Decoders, min(max(runtime.GOMAXPROCS(0)-1, 1), 4))
	work, halt := context.WithCancel(ctx)
	defer halt()
	r := &run{
		Config: c, source: source, board: newBoard(len(c.Learners), c.Progress), late: c.Delay != Delay{},
		order: make(chan *Block, inFlight), work: make(chan *Block, inFlight), halt: halt,
	}
	if err := r.play(work); err != nil {
		return nil, err
	}
	return r.result(ctx)
}

func orDefault(n, otherwise int) int {
	if n <= 0 {
		return otherwise
	}
	return n
}

// play runs all goroutines to their end. Its error is about the configuration.
func (r *run) play(ctx context.Context) error {
	decoders := make([]*event.Decoder, r.Decoders+1)
	for i := range decoders {
		d, err := event.New(r.Decode)
		if err != nil {
			return err
		}
		decoders[i] = d
	}
	var players, readers errgroup.Group
	for i := range r.Learners {
		p := r.player(i)
		r.players = append(r.players, p)
		if len(r.Learners) > 1 {
			p.in = make(chan batch, 4)
			players.Go(func() error { p.play(); return nil })
		}
	}
	for _, d := range decoders[1:] {
		readers.Go(func() error {
			for b := range r.work {
				if b.claim() {
					b.decode(d)
				}
			}
			return nil
		})
	}
	readers.Go(func() error { r.failure = r.read(ctx); return nil })
	r.dispatch(ctx, decoders[0])
	for _, p := range r.players {
		p.end()
	}
	_ = readers.Wait() // they return nothing but nil
	_ = players.Wait()
	return nil
}

// read fills blocks and lines them up, until the source ends or the run does.
func (r *run) read(ctx context.Context) error {
	defer close(r.order)
	defer close(r.work)
	for {
		b := r.pool.get()
		err := r.source.Fill(ctx, b)
		if len(b.Records) > 0 {
			b.done, b.total = r.source.Done()
			b.state.Store(waiting)
			select {
			case r.order <- b:
			case <-ctx.Done():
				return ctx.Err()
			}
			r.work <- b // it may have been decoded by now, and be another one when a decoder comes to it
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// dispatch gives every block to every learner, and goes through them again for further passes.
func (r *run) dispatch(ctx context.Context, d *event.Decoder) {
	keep := r.Passes > 1 || r.Shuffle
	blocks := lineup{order: r.order, own: d}
	for b := blocks.next(); b != nil; b = blocks.next() {
		r.skipped += b.Skipped
		b.kept = keep
		if keep {
			r.kept = append(r.kept, b)
		}
		r.size, r.total = b.done, b.total
		r.moved(b.done)
		if !r.Shuffle {
			r.give(batch{block: b}) // from here on it is no longer ours
		}
	}
	r.total = r.size
	first := 1
	if r.Shuffle {
		first = 0
	}
	for pass := first; pass < r.Passes && ctx.Err() == nil; pass++ {
		r.again(ctx, pass)
	}
}

// moved tells how far the run is.
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

// give hands a batch to every learner.
func (r *run) give(b batch) {
	if b.block != nil {
		b.block.users.Store(int32(len(r.players)))
	}
	for _, p := range r.players {
		p.give(b)
	}
}

// result draws the conclusion when all goroutines have ended.
func (r *run) result(ctx context.Context) (*Result, error) {
	refused := r.refused()
	switch {
	case refused != nil:
		return nil, refused
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case r.failure != nil:
		return nil, r.failure
	}
	out := &Result{Records: r.players[0].seen, Skipped: r.skipped * int64(r.Passes), Passes: r.Passes}
	out.Rejected, out.Rejects = common(r.players)
	for _, p := range r.players {
		out.Learners = append(out.Learners, p.scored())
	}
	return out, nil
}

// refused is the first record that ended the run, nil when none did. It has a learner's name when not all refuse it.
func (r *run) refused() (first *Rejected) {
	for _, p := range r.players {
		if p.failed != nil && p.failed.before(first) {
			first = p.failed
		}
	}
	for _, p := range r.players {
		if first != nil && (p.failed == nil || p.failed.at != first.at) {
			first.Learner = r.players[first.rank].learner.Name
		}
	}
	return first
}
