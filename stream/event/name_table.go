package event

import (
	"math/bits"
	"math/rand/v2"
)

// nameTable maps the names of one event, by their 64-bit hashes, to indices. It is a hash table with linear probing,
// at most half full. Entries of earlier events have another generation, so reset is cheap. Two names of one event
// with the same hash are taken for one: that happens in one event of 10,000 names out of 3·10^11.
type nameTable struct {
	entries    []entry // a power of two
	used       int     // entries of this generation
	generation uint32
}

type entry struct {
	hash       uint64
	generation uint32
	index      uint32
}

const firstTable = 64

// reset removes all entries.
func (t *nameTable) reset() {
	if t.entries == nil {
		t.entries = make([]entry, firstTable)
	}
	t.used = 0
	t.generation++
	if t.generation == 0 { // after an overflow, old entries could be taken for new ones
		clear(t.entries)
		t.generation = 1
	}
}

// find returns the place of a hash: that of its entry, or else of the entry to be added.
func (t *nameTable) find(hash uint64) (place int, found bool) {
	mask := uint64(len(t.entries) - 1)
	for at := scattered(hash) & mask; ; at = (at + 1) & mask {
		e := &t.entries[at]
		if e.generation != t.generation {
			return int(at), false
		}
		if e.hash == hash {
			return int(at), true
		}
	}
}

// secrets differ from process to process: nobody can make names that share a place. No result depends on places.
var secrets = [2]uint64{rand.Uint64(), rand.Uint64()}

// scattered is where the search for a hash begins, modulo the size of the table.
func scattered(hash uint64) uint64 {
	hi, lo := bits.Mul64(hash^secrets[0], secrets[1])
	return hi ^ lo
}

// put adds an entry at the place that find returned. Then the caller must call grow if the table is full; put does
// not, so that it can be inlined.
func (t *nameTable) put(place int, hash uint64, index int) {
	t.entries[place] = entry{hash, t.generation, uint32(index)}
	t.used++
}

// add adds an entry, unless it is found.
func (t *nameTable) add(hash uint64, index int) (found bool) {
	place, found := t.find(hash)
	if !found {
		t.put(place, hash, index)
		if t.full() {
			t.grow()
		}
	}
	return found
}

// full reports whether the table must grow.
func (t *nameTable) full() bool { return 2*t.used >= len(t.entries) }

func (t *nameTable) grow() {
	old := t.entries
	t.entries = make([]entry, 2*len(old))
	for _, e := range old {
		if e.generation == t.generation {
			place, _ := t.find(e.hash)
			t.entries[place] = e
		}
	}
}
