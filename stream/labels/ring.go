package labels

import "slices"

// settled is an id whose waiting has ended. It has 16 bytes.
type settled struct {
	id   ID
	what uint32 // the outcome above labelBits of label
}

func newSettled(id ID, o Outcome, l Label) settled {
	return settled{id, uint32(o)<<labelBits | uint32(l)}
}

func (s *settled) outcome() Outcome { return Outcome(s.what >> labelBits) }
func (s *settled) label() Label     { return Label(s.what & (1<<labelBits - 1)) }

const blockIDs = 1024

type block [blockIDs]settled

// ring is the settled ids in the order in which they were settled, the last size of them. Like a list's slabs, its
// blocks are shared with snapshots.
type ring struct {
	blocks []*block
	epochs []uint64
	epoch  uint64
	size   int
	first  int // the oldest
	n      int
}

func newRing(size int) ring {
	blocks := (size + blockIDs - 1) / blockIDs
	return ring{blocks: make([]*block, blocks), epochs: make([]uint64, blocks), size: size}
}

// at is for reading only.
func (r *ring) at(i int) *settled { return &r.blocks[i/blockIDs][i%blockIDs] }

// push adds an id in the place of the oldest if the ring is full.
func (r *ring) push(s settled) (at int) {
	at = r.first + r.n
	if at >= r.size {
		at -= r.size
	}
	if r.n < r.size {
		r.n++
	} else if r.first++; r.first == r.size {
		r.first = 0
	}
	switch i := at / blockIDs; {
	case r.blocks[i] == nil:
		r.blocks[i], r.epochs[i] = &block{}, r.epoch
	case r.epochs[i] != r.epoch:
		own := *r.blocks[i]
		r.blocks[i], r.epochs[i] = &own, r.epoch
	}
	*r.at(at) = s
	return at
}

func (r *ring) snapshot() ring {
	s := *r
	s.blocks = slices.Clone(r.blocks)
	r.epoch++
	return s
}
