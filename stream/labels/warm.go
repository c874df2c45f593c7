package labels

// warming is memory that Warm uses again.
type warming struct {
	seqs       []int64
	prev, next []uint32 // entries of the list
	read       uint8    // otherwise the reads would be left out
}

// Prefetch reads what Add of these ids will read: a processor waits for the memory of many at once, and not for one
// after the other.
func (w *Waiting) Prefetch(ids []ID) {
	read := uint8(0)
	for i := range ids {
		read += w.index.slots[w.index.home(ids[i].hash())].tag
	}
	w.warm.read += read
}

// Warm is Expect for Find and End. It returns the seqs of those that wait, valid until the next call. Each loop reads
// what the one before has found: with few instructions between them, many reads are under way.
func (w *Waiting) Warm(ids []ID) (seqs []int64) {
	w.Prefetch(ids)
	if w.settled.n == w.settled.size {
		w.expectForgotten(len(ids))
	}
	x, l := &w.warm, &w.list
	x.seqs, x.prev, x.next = x.seqs[:0], x.prev[:0], x.next[:0]
	for i := range ids {
		if slot := w.index.first(ids[i].hash()); slot >= 0 {
			if r := w.index.slots[slot].ref(); r&isSettled == 0 {
				x.next = append(x.next, r>>1)
			}
		}
	}
	for i, at := range x.next {
		links := l.link(at)
		x.seqs, x.prev, x.next[i] = append(x.seqs, l.at(at).Seq), append(x.prev, links.prev), links.next
	}
	for i, at := range x.prev {
		x.read += uint8(l.link(at).next + l.link(x.next[i]).prev)
	}
	return x.seqs
}

// expectForgotten reads what End of so many examples will read of the ids that it forgets.
func (w *Waiting) expectForgotten(n int) {
	read := uint8(0)
	for i := range min(n, w.settled.n) {
		at := w.settled.first + i
		if at >= w.settled.size {
			at -= w.settled.size
		}
		read += w.index.slots[w.index.home(w.settled.at(at).id.hash())].tag
	}
	w.warm.read += read
}
