package kafka

import (
	"cmp"
	"slices"

	"rosenblatt/stream/kafka/fetch"
	"rosenblatt/stream/recordbatch"
)

// filter drops the aborted batches of one fetch.Result (KIP-98): from the first offset of a listed transaction on, its
// producer's transactional batches up to the abort marker.
type filter struct {
	aborted []fetch.Aborted // by first offset; those reached are removed
	open    map[int64]struct{}
}

func newFilter(aborted []fetch.Aborted) filter {
	slices.SortFunc(aborted, func(a, b fetch.Aborted) int { return cmp.Compare(a.First, b.First) })
	return filter{aborted: aborted}
}

// keep tells whether a batch holds records to deliver. It must be called for every batch, in order, control batches
// too: an entry left in the list would drop the producer's next, committed transaction.
func (f *filter) keep(b *recordbatch.Batch) bool {
	for len(f.aborted) > 0 && f.aborted[0].First <= b.BaseOffset {
		if f.open == nil {
			f.open = map[int64]struct{}{}
		}
		f.open[f.aborted[0].Producer] = struct{}{}
		f.aborted = f.aborted[1:]
	}
	if b.Control {
		delete(f.open, b.ProducerID)
		return false
	}
	//mutation:non-transactional
	if !b.Transactional {
		return true
	}
	_, dropped := f.open[b.ProducerID]
	return !dropped
}
