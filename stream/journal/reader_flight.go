package journal

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"rosenblatt/stream/topics"
)

// partition is a source with its next entry.
type partition struct {
	Source
	head   *Entry
	ended  bool
	flight *flight  // of the entry read last
	ahead  []*Entry // read before they are needed, with records of their own
}

// enter begins a flight. It reads ahead until it meets an entry of a later one. Where there is none, this is the last
// flight, and it is incomplete if entries are missing.
func (r *Reader) enter(ctx context.Context, f *flight) error {
	r.flight = f
	for i, p := range r.partitions {
		if r.order.seqs[i] > f.last() && r.later(p.head) {
			return nil
		}
	}
	found := int64(0)
	for _, p := range r.shortestFirst() {
		n, later, err := r.lookAhead(ctx, p)
		if err != nil || later {
			return err
		}
		found += n
	}
	//mutation:torn-flight
	r.incomplete = found < f.last()-r.Last
	f.missing = map[topics.PartitionOf]bool{}
	return nil
}

// later reports whether an entry shows that the flight is not the last one.
func (r *Reader) later(e *Entry) bool {
	return e != nil && e.Kind != Foreign && e.Seq > r.flight.last() && (r.Settled == nil || r.Settled(e))
}

// shortestFirst are the partitions in the order of their shares of predictions.
func (r *Reader) shortestFirst() []*partition {
	share := make([]int64, len(r.partitions))
	for _, run := range r.flight.Runs {
		if run.Kind == Predicted && int(run.Partition) < len(share) {
			share[run.Partition] += run.N
		}
	}
	order := make([]int, len(share))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(share[i], share[j]) })
	sorted := make([]*partition, len(order))
	for i, p := range order {
		sorted[i] = r.partitions[p]
	}
	return sorted
}

// lookAhead reads a partition up to its first entry of a later flight, or to its end, and counts its entries of this
// one.
func (r *Reader) lookAhead(ctx context.Context, p *partition) (found int64, later bool, err error) {
	for i := -1; ; i++ {
		switch {
		case i < 0 && p.head == nil:
			return 0, false, nil
		case i < 0:
			p.head = p.head.keep() // reading overwrites it
		case i == len(p.ahead):
			e, err := r.read(ctx, p)
			if e == nil {
				return found, false, err
			}
			p.ahead = append(p.ahead, e.keep())
		}
		e := p.head
		if i >= 0 {
			e = p.ahead[i]
		}
		switch {
		case e.Kind == Foreign:
		case e.Seq > r.flight.last():
			return found, r.later(e), nil
		default:
			found++
		}
	}
}

// keep returns a copy that stays valid.
func (e *Entry) keep() *Entry {
	k, record := *e, *e.Record
	record.Key, record.Value, record.Headers = bytes.Clone(record.Key), bytes.Clone(record.Value), nil
	k.Record, k.layout = &record, nil
	return &k
}

// missingEntry is the entry that is due, which the last flight lacks.
func (r *Reader) missingEntry() *Entry {
	run := r.flight.run(r.Last + 1)
	e := Entry{Kind: run.Kind, Order: Missing, Topic: run.Kind.Topic(), Output: r.flight.home(run),
		Partition: run.Partition, Offset: -1, Seq: r.Last + 1, flight: r.flight}
	if run.Kind != Predicted {
		e.Outcome = &Outcome{Kind: run.Kind, Partition: run.Partition, LabelPartition: run.Partition}
	}
	e.announce()
	r.missing = e
	return &r.missing
}

// noteMissing notes in which partition the entry that Next returned is missing.
func (r *Reader) noteMissing() {
	if r.missing.Order == Missing {
		r.flight.missing[r.missing.place()] = true
		r.missing = Entry{}
	}
}

// read returns the next entry of a partition's source with its flight; nil at the end.
func (r *Reader) read(ctx context.Context, p *partition) (*Entry, error) {
	if p.ended {
		return nil, nil
	}
	e, err := p.Next(ctx)
	if e == nil || err != nil {
		p.ended = err == nil
		return nil, err
	}
	if e.Kind == Foreign {
		return e, nil
	}
	r.Epoch = max(r.Epoch, e.Epoch)
	switch {
	case e.layout != nil:
		if p.flight, err = r.parse(e.layout, e.champion); err != nil {
			e.Kind, e.Why = Foreign, err
			return e, nil
		}
	case !p.flight.holds(e.Seq):
		p.flight = nil
	}
	e.flight = p.flight
	return e, nil
}

// parse is parseFlight, but once for the batches of one flight, which mostly come one after the other.
func (r *Reader) parse(layout []byte, champion string) (*flight, error) {
	for _, f := range []*flight{r.flight, r.parsed} {
		if f != nil && bytes.Equal(f.value, layout) && f.champion == champion {
			return f, nil
		}
	}
	f, err := parseFlight(layout, champion)
	if err == nil {
		r.parsed = f
	}
	return f, err
}
