package event

// table remembers the names met in one event, by their 64-bit hashes: open addressing with linear probing, at most half
// full. Entries of earlier events are told by their generation, so that starting anew costs nothing. Two names of one
// event with the same 64-bit hash would be taken for one: one event of 10,000 names in 3·10^11.
type table struct {
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

// reset forgets everything.
func (t *table) reset() {
	if t.entries == nil {
		t.entries = make([]entry, firstTable)
	}
	t.used = 0
	t.generation++
	if t.generation == 0 { // wrapped: entries of long ago would look like new ones
		clear(t.entries)
		t.generation = 1
	}
}

// find gives the place of a hash: its entry's when it is there, else where it belongs.
func (t *table) find(hash uint64) (place int, there bool) {
	mask := uint64(len(t.entries) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		e := &t.entries[at]
		if e.generation != t.generation {
			return int(at), false
		}
		if e.hash == hash {
			return int(at), true
		}
	}
}

// put stores a hash that find did not find, at the place it gave. Then, if the table is full, it must grow; the test is
// the caller's, so that put is inlined.
func (t *table) put(place int, hash uint64, index int) {
	t.entries[place] = entry{hash, t.generation, uint32(index)}
	t.used++
}

// full says whether the table is as full as it may be.
func (t *table) full() bool { return 2*t.used >= len(t.entries) }

func (t *table) grow() {
	old := t.entries
	t.entries = make([]entry, 2*len(old))
	for _, e := range old {
		if e.generation == t.generation {
			place, _ := t.find(e.hash)
			t.entries[place] = e
		}
	}
}
