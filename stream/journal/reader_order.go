package journal

// order is the order in which partitions are read, a heap.Interface: by the seqs of their next entries, then as the
// sources are. Partitions that were never read are not in the heap.
type order struct {
	seqs []int64 // by partition: of the next entry, or unread, foreign or ended
	heap []int   // partitions
}

func (o *order) Len() int { return len(o.heap) }

func (o *order) Less(i, j int) bool {
	a, b := o.heap[i], o.heap[j]
	return o.seqs[a] < o.seqs[b] || o.seqs[a] == o.seqs[b] && a < b
}

func (o *order) Swap(i, j int) { o.heap[i], o.heap[j] = o.heap[j], o.heap[i] }

func (o *order) Push(partition any) { o.heap = append(o.heap, partition.(int)) }

func (o *order) Pop() any {
	last := len(o.heap) - 1
	partition := o.heap[last]
	o.heap = o.heap[:last]
	return partition
}
