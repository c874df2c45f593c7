package journal

import (
	"container/heap"
	"context"
	"errors"
	"iter"
	"math"
	"slices"
)

// Order says how an entry's seq follows that of the last one.
type Order uint8

// The orders of entries.
const (
	Next       Order = iota // it is the next one
	Hole                    // entries before it are missing
	Duplicate               // it has the seq of the last one
	OutOfOrder              // its seq is lower
	Missing                 // it is not in the topic; its flight is the last one, and says what it is
	OutOfPlace              // its seq is the next one, and it does not fit the layout of its flight
)

// Source is one partition of the journal as a stream of entries.
type Source interface {
	// Next returns the next entry, valid until the following call; nil at the end.
	Next(ctx context.Context) (*Entry, error)
	// Position is the offset from which the partition is still to be read, after the entry that Next returned last.
	Position() int64
}

// Reader merges the partitions of a journal by seq. It returns every record; Kind and Order of the entry say what
// is wrong with one. Where the last flight lacks entries, it returns these too, as Missing. One goroutine uses it.
type Reader struct {
	Last  int64 // the seq of the last entry accepted; the caller sets it
	Epoch int64 // the highest of the entries read

	// Settled, if not nil, reports whether all that was written before an entry is readable in the sources. One that is
	// not settled does not show that those before it are missing for good. Next ends at the last settled entry.
	Settled func(e *Entry) bool

	// Whole makes Next end before a flight that lacks entries.
	Whole bool

	partitions []*partition
	order      order
	current    int   // the partition that Next returned an entry of, the first in order; or -1
	missing    Entry // what Next returned

	flight     *flight // of the entries after Last; nil if that has one batch, or has not begun
	incomplete bool    // flight is the last one and lacks entries
	lost       bool    // Last may be in the middle of a flight: at the start, and after a hole
	parsed     *flight // the newest one
}

// Instead of seqs.
const (
	unread  = -1
	foreign = 0
	ended   = math.MaxInt64
)

// NewReader makes a reader of the output's partitions, in their order, and then of those of the outcomes. Entries of
// equal seq come in the order of the sources.
func NewReader(last int64, sources ...Source) *Reader {
	r := &Reader{Last: last, current: -1, lost: true}
	for _, s := range sources {
		r.partitions, r.order.seqs = append(r.partitions, &partition{Source: s}), append(r.order.seqs, unread)
	}
	return r
}

// Resume lets Next, which returned nil, go on where a source that had ended has more by now.
func (r *Reader) Resume() {
	for i, p := range r.partitions {
		p.ended = false
		if r.order.seqs[i] == ended {
			r.order.seqs[i] = unread
		}
	}
	//mutation:order-resumed
	heap.Init(&r.order)
}

// Incomplete reports whether the entry that Next returned is of the last flight, and that lacks entries.
func (r *Reader) Incomplete() bool { return r.incomplete }

// Boundary reports whether no flight has entries on both sides of Last.
func (r *Reader) Boundary() bool {
	return r.flight == nil || r.Last >= r.flight.last() || r.Last < r.flight.First
}

// Next passes the entry that it returned before and returns the next one: a foreign record as soon as it is met, else
// the entry of the lowest seq; nil at the end. The entry is valid until the following call. Where the layout does not
// say in which partition a Missing one belongs, its Output is -1, and the caller sets it.
func (r *Reader) Next(ctx context.Context) (*Entry, error) {
	r.noteMissing()
	i, err := r.lowest(ctx)
	if err != nil {
		return nil, err
	}
	var p *partition
	if i >= 0 {
		p = r.partitions[i]
	}
	if p != nil && p.head.Kind == Foreign {
		return r.pick(i), nil
	}
	due := r.Last + 1
	if !r.flight.holds(due) {
		r.flight, r.incomplete = nil, false
		if p != nil && p.head.flight.holds(due) && (p.head.flight.First == due || r.lost) {
			if err := r.enter(ctx, p.head.flight); err != nil {
				return nil, err
			}
		}
	}
	switch {
	//mutation:whole-flights
	case r.incomplete && r.Whole:
		r.flight, r.incomplete = nil, false
		return nil, nil
	case r.incomplete && (p == nil || p.head.Seq > due):
		return r.missingEntry(), nil
	case p == nil, r.Settled != nil && !slices.ContainsFunc(r.partitions, r.settled):
		return nil, nil
	}
	return r.pick(i), nil
}

func (r *Reader) settled(p *partition) bool { return p.head != nil && r.Settled(p.head) }

// lowest returns the partition whose next entry is foreign or has the lowest seq; -1 at the end.
func (r *Reader) lowest(ctx context.Context) (int, error) {
	if i := r.current; i >= 0 {
		r.current, r.order.seqs[i], r.partitions[i].head = -1, unread, nil
	}
	o := &r.order
	for len(o.heap) > 0 && o.seqs[o.heap[0]] == unread {
		if err := r.fill(ctx, o.heap[0]); err != nil {
			return -1, err
		}
		heap.Fix(o, 0)
	}
	for i := len(o.heap); i < len(o.seqs) && !(i > 0 && o.seqs[o.heap[0]] == foreign); i++ {
		if err := r.fill(ctx, i); err != nil {
			return -1, err
		}
		heap.Push(o, i)
	}
	if len(o.heap) == 0 || o.seqs[o.heap[0]] == ended {
		return -1, nil
	}
	return o.heap[0], nil
}

func (r *Reader) pick(i int) *Entry {
	r.current = i
	p := r.partitions[i]
	switch e := p.head; {
	case e.Kind == Foreign:
	case e.Seq == r.Last+1:
		e.Order, r.lost = Next, false
		if e.Why = r.outOfPlace(p); e.Why != nil {
			e.Order = OutOfPlace
		}
		e.announce()
	case e.Seq > r.Last:
		e.Order, r.lost = Hole, true
		e.announce()
	case e.Seq == r.Last:
		e.Order = Duplicate
	default:
		e.Order = OutOfOrder
	}
	return p.head
}

// outOfPlace says why the entry that is due does not fit the layout of its flight.
func (r *Reader) outOfPlace(p *partition) error {
	e := p.head
	//mutation:layout-in-each-batch
	if !e.flight.same(r.flight) {
		return errors.New("the batches of its flight do not have the same layout and champion")
	}
	if r.flight == nil {
		return nil
	}
	run := r.flight.run(e.Seq)
	switch {
	//mutation:layout-fits
	case run.Kind != e.Kind || run.Partition != e.runPartition():
		return errors.New("the layout of its flight has another entry in its place")
	//mutation:outcome-in-its-partition
	case e.Outcome != nil && e.Output != e.Outcome.Home(int(r.flight.Outcomes)):
		return errors.New("it belongs in another partition")
	//mutation:prefix-of-share
	case r.flight.missing[e.place()]:
		return errors.New("an entry before it, of the same partition and flight, is missing")
	}
	return nil
}

// fill makes head the next entry; it stays nil at the end.
func (r *Reader) fill(ctx context.Context, i int) (err error) {
	p := r.partitions[i]
	if len(p.ahead) > 0 {
		p.head, p.ahead = p.ahead[0], p.ahead[1:]
	} else if p.head, err = r.read(ctx, p); err != nil {
		return err
	}
	switch {
	case p.head == nil:
		r.order.seqs[i] = ended
	case p.head.Kind == Foreign:
		r.order.seqs[i] = foreign
	default:
		r.order.seqs[i] = p.head.Seq
	}
	return nil
}

// Heads are the next entries of all partitions, the current one among them; nil for a partition that has ended. They
// are complete once Next has returned an entry that is not foreign.
func (r *Reader) Heads() iter.Seq2[int, *Entry] {
	return func(yield func(int, *Entry) bool) {
		for i, p := range r.partitions {
			if !yield(i, p.head) {
				return
			}
		}
	}
}

// Positions are the offsets after the current entry from which each partition is still to be read.
func (r *Reader) Positions() []int64 {
	out := make([]int64, 0, len(r.partitions))
	for i, p := range r.partitions {
		switch {
		case p.head != nil && i != r.current:
			out = append(out, p.head.Record.Offset)
		case len(p.ahead) > 0:
			out = append(out, p.ahead[0].Record.Offset)
		default:
			out = append(out, p.Position())
		}
	}
	return out
}
