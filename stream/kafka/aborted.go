package kafka

import (
	"cmp"
	"slices"

	"rosenblatt/stream/recordbatch"
)

// filter tells aborted batches from committed ones within one fetchResult, as KIP-98 describes: the broker lists the
// aborted transactions that overlap what it sent; from its first offset on a producer's transactional batches are
// dropped until its abort marker. The list belongs to its fetchResult, so nothing is carried from one to the next.
type filter struct {
	aborted []abortedTxn // by first offset; those already reached are removed
	open    map[int64]struct{}
}

func newFilter(aborted []abortedTxn) filter {
	slices.SortFunc(aborted, func(a, b abortedTxn) int { return cmp.Compare(a.first, b.first) })
	return filter{aborted: aborted}
}

// keep tells whether a batch holds records to deliver. It must be called for every batch, in order, control batches
// too: a fetchResult that starts at an abort marker still lists that transaction, and an entry left in the list would
// drop the producer's next, committed transaction.
func (f *filter) keep(b *recordbatch.Batch) bool {
	for len(f.aborted) > 0 && f.aborted[0].first <= b.BaseOffset {
		if f.open == nil {
			f.open = map[int64]struct{}{}
		}
		f.open[f.aborted[0].producer] = struct{}{}
		f.aborted = f.aborted[1:]
	}
	if b.Control {
		// A commit marker ends nothing that is in the list: a producer has one transaction at a time, and the listed one is
		// ended by its abort marker.
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
