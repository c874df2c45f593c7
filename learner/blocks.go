package learner

import "math/bits"

// A block is consecutive slots, the unit in which writes are noted: as many as share a cache line of float64.
const (
	blockShift = 3
	blockSlots = 1 << blockShift
)

// blocks is a set of blocks, a bit for each.
type blocks []uint64

func newBlocks(slots int) blocks { return make(blocks, (slots+64*blockSlots-1)/(64*blockSlots)) }

func (b blocks) has(i uint32) bool { return b[i/64]>>(i%64)&1 != 0 }
func (b blocks) add(i uint32)      { b[i/64] |= 1 << (i % 64) }
func (b blocks) remove(i uint32)   { b[i/64] &^= 1 << (i % 64) }

// addAll adds the blocks of another set.
func (b blocks) addAll(of blocks) {
	for i, word := range of {
		b[i] |= word
	}
}

// fill adds all blocks that so many slots have.
func (b blocks) fill(slots int) {
	n := (slots + blockSlots - 1) / blockSlots
	for i := range b {
		b[i] = ^uint64(0) >> max(0, 64*(i+1)-n)
	}
}

// run is the first run of blocks at or above i: from..to, equal if there is none.
func (b blocks) run(i int) (from, to int) {
	end := 64 * len(b)
	from = b.next(i, 0)
	if from == end {
		return end, end
	}
	return from, b.next(from, ^uint64(0))
}

// next is the first block at or above i that is in the set, or with flip ^0 the first that is not; 64·len(b) if there
// is none.
func (b blocks) next(i int, flip uint64) int {
	for w := i / 64; w < len(b); w++ {
		word := b[w] ^ flip
		if w == i/64 {
			word &= ^uint64(0) << (i % 64)
		}
		if word != 0 {
			return 64*w + bits.TrailingZeros64(word)
		}
	}
	return 64 * len(b)
}
