package labels

import "math/bits"

// index is a hash table with linear probing of where ids are. It holds no ids: its refs lead to them. Before it follows
// a ref it compares a byte of the hash, since most lookups are of ids that are not in the table.
type index struct {
	slots []slot
	n     int
}

// slot has six bytes: most often they are in one cache line.
type slot struct {
	low, high uint16 // of the ref
	tag       uint8  // 0 if it is empty
	behind    uint8  // how far it is behind the home of its hash, or far: a removal would have to follow refs to know
}

func (s *slot) ref() ref { return ref(s.high)<<16 | ref(s.low) }

func (s *slot) set(r ref) { s.low, s.high = uint16(r), uint16(r>>16) }

// far is more than almost all are behind, and few enough that tests meet it.
const far = 15

// The table is at most 4/5 full, with six bytes a slot: 7.5 bytes an id.
func newIndex(ids int) index {
	slots := ids + ids/4 + 8
	return index{slots: make([]slot, slots)}
}

// home is the slot of a hash, whatever the number of slots (Lemire 2016, "fastrange").
func (x *index) home(hash uint64) int {
	high, _ := bits.Mul64(hash, uint64(len(x.slots)))
	return int(high)
}

// tagOf is a byte of the low end of the hash, since home uses the high end.
func tagOf(hash uint64) uint8 { return max(uint8(hash), 1) }

// first returns the first slot that may hold an id with this hash, -1 if there is none.
func (x *index) first(hash uint64) int { return x.scan(x.home(hash), tagOf(hash)) }

// next returns the one after it.
func (x *index) next(slot int, hash uint64) int { return x.scan(x.after(slot), tagOf(hash)) }

func (x *index) scan(slot int, tag uint8) int {
	for ; x.slots[slot].tag != 0; slot = x.after(slot) {
		if x.slots[slot].tag == tag {
			return slot
		}
	}
	return -1
}

func (x *index) after(slot int) int {
	if slot++; slot < len(x.slots) {
		return slot
	}
	return 0
}

func (x *index) full() bool { return x.n+1 > len(x.slots)/5*4 }

// insert adds an id that is not in the table.
func (x *index) insert(hash uint64, r ref) {
	at, behind := x.home(hash), 0
	for x.slots[at].tag != 0 {
		at = x.after(at)
		behind++
	}
	s := &x.slots[at]
	s.tag, s.behind = tagOf(hash), uint8(min(behind, far))
	s.set(r)
	x.n++
}

// remove empties a slot and moves those behind it that would not be found any more (Knuth, 6.4, algorithm R).
func (x *index) remove(slot int, hash func(ref) uint64) {
	gap := 1
	for at := x.after(slot); x.slots[at].tag != 0; at = x.after(at) {
		behind := int(x.slots[at].behind)
		if behind == far {
			behind = x.distance(x.home(hash(x.slots[at].ref())), at)
		}
		if behind >= gap {
			x.slots[slot] = x.slots[at]
			x.slots[slot].behind = uint8(min(behind-gap, far))
			slot, gap = at, 0
		}
		gap++
	}
	x.slots[slot].tag = 0
	x.n--
}

// distance is how many slots to is behind from.
func (x *index) distance(from, to int) int {
	if to >= from {
		return to - from
	}
	return to - from + len(x.slots)
}

func (x *index) grow(hash func(ref) uint64) {
	old := *x
	*x = newIndex(x.n + x.n/4 + 64)
	for i := range old.slots {
		if r := old.slots[i].ref(); old.slots[i].tag != 0 {
			x.insert(hash(r), r)
		}
	}
}
