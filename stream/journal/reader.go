package journal

import (
	"context"
	"iter"
	"math"

	"rosenblatt/stream/topics"
)

// Order says how an entry's seq follows that of the last one.
type Order uint8

// The orders of entries.
const (
	Due        Order = iota // it is the next one
	Hole                    // entries before it are missing
	Duplicate               // it has the seq of the last one
	OutOfOrder              // its seq is lower
)

// Source is one output partition as a stream of entries.
type Source interface {
	// Next returns the next entry, valid until the following call; nil at the end.
	Next(ctx context.Context) (*Entry, error)
	// Position is the offset from which the partition is still to be read, after the entry that Next returned last.
	Position() int64
}

// Reader merges the partitions of an output topic by seq. It returns every record; Kind and Order of the entry say what
// is wrong with one. One goroutine uses it.
type Reader struct {
	Last int64 // the seq of the last entry accepted; the caller sets it

	partitions []*partition
	current    *partition // the one that Next returned an entry of
	others     int64      // the lowest seq of a partition but current; 0: unknown
}

// partition is a source with its next entry.
type partition struct {
	Source
	head  *Entry
	ended bool
}

// NewReader makes a reader. Entries of equal seq come in the order of the sources.
func NewReader(last int64, sources ...Source) *Reader {
	r := &Reader{Last: last}
	for _, s := range sources {
		r.partitions = append(r.partitions, &partition{Source: s})
	}
	return r
}

// Next passes the entry that it returned before and returns the next one: a foreign record as soon as it is met, else
// the entry of the lowest seq; nil at the end. The entry is valid until the following call.
func (r *Reader) Next(ctx context.Context) (*Entry, error) {
	if p := r.current; p != nil {
		p.head, r.current = nil, nil
		if err := p.fill(ctx); err != nil {
			return nil, err
		}
		if p.head != nil && p.head.Seq < r.others { // entries come in batches
			return r.pick(p), nil
		}
	}
	var first *partition
	r.others = math.MaxInt64
	for _, p := range r.partitions {
		if err := p.fill(ctx); err != nil {
			return nil, err
		}
		switch {
		case p.head == nil:
		case p.head.Kind == Foreign:
			r.others = 0
			return r.pick(p), nil
		case first == nil:
			first = p
		case p.head.Seq < first.head.Seq:
			first, r.others = p, first.head.Seq
		default:
			r.others = min(r.others, p.head.Seq)
		}
	}
	if first == nil {
		return nil, nil
	}
	return r.pick(first), nil
}

func (r *Reader) pick(p *partition) *Entry {
	r.current = p
	switch e := p.head; {
	case e.Seq == r.Last+1:
		e.Order = Due
	case e.Seq > r.Last:
		e.Order = Hole
	case e.Seq == r.Last:
		e.Order = Duplicate
	default:
		e.Order = OutOfOrder
	}
	return p.head
}

// fill makes head the next entry; it stays nil at the end.
func (p *partition) fill(ctx context.Context) (err error) {
	if p.head == nil && !p.ended {
		p.head, err = p.Next(ctx)
		p.ended = p.head == nil && err == nil
	}
	return err
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
	for _, p := range r.partitions {
		if p.head != nil && p != r.current {
			out = append(out, p.head.Record.Offset)
		} else {
			out = append(out, p.Position())
		}
	}
	return out
}

type serial struct {
	*topics.Cursor
	model string
	entry Entry
}

// Open makes a source that reads when its next entry is needed, at most max records at a time. An empty model allows
// any.
func Open(log topics.Opener, p topics.Part, model string, max int) Source {
	return &serial{Cursor: topics.NewCursor(log, topics.Output, p, max), model: model}
}

// Next implements Source.
func (s *serial) Next(ctx context.Context) (*Entry, error) {
	r, err := s.Head(ctx)
	if r == nil {
		return nil, err
	}
	s.Take()
	s.entry = Parse(s.Partition, r, s.model)
	return &s.entry, nil
}
