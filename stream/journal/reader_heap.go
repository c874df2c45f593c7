package journal

// before reports whether a partition comes before another one: by the seq of its next entry, then in the order of the
// sources.
func (r *Reader) before(a, b int) bool {
	return r.seqs[a] < r.seqs[b] || r.seqs[a] == r.seqs[b] && a < b
}

// push adds a partition to the heap.
func (r *Reader) push(p int) {
	r.heap = append(r.heap, p)
	for i := len(r.heap) - 1; i > 0; {
		above := (i - 1) / 2
		if !r.before(p, r.heap[above]) {
			return
		}
		r.heap[i], r.heap[above] = r.heap[above], p
		i = above
	}
}

// sink moves the partition at a place of the heap down to where its seq belongs.
func (r *Reader) sink(i int) {
	p := r.heap[i]
	for {
		next := 2*i + 1
		if next >= len(r.heap) {
			break
		}
		if next+1 < len(r.heap) && r.before(r.heap[next+1], r.heap[next]) {
			next++
		}
		if !r.before(r.heap[next], p) {
			break
		}
		r.heap[i] = r.heap[next]
		i = next
	}
	r.heap[i] = p
}
