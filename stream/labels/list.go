package labels

import "slices"

// entry is an example in the list; prev and next are in the order of seq, next also links free entries. It has 72
// bytes.
type entry struct {
	Example
	prev, next uint32
}

// slabEntries is how many entries are allocated, and copied for a snapshot, at a time.
const slabEntries = 256

type slab [slabEntries]entry

// list is the waiting examples in the order of seq. A snapshot shares its slabs: the first change of one copies it.
type list struct {
	slabs      []*slab
	epochs     []uint64 // of each slab, that of the list when it was written last
	epoch      uint64   // counts snapshots
	head, tail uint32   // none if n is 0
	free       uint32   // the first free entry, plus 1
	used       uint32   // entries that were ever used
	n          int
}

func (l *list) entry(at uint32) *entry { return &l.slabs[at/slabEntries][at%slabEntries] }

// at is for reading only.
func (l *list) at(at uint32) *Example { return &l.entry(at).Example }

// write returns an entry that no snapshot shares.
func (l *list) write(at uint32) *entry {
	//mutation:waiting-shared
	if i := at / slabEntries; l.epochs[i] != l.epoch {
		own := *l.slabs[i]
		l.slabs[i], l.epochs[i] = &own, l.epoch
	}
	return l.entry(at)
}

// push adds an example at the end.
func (l *list) push(e Example) (at uint32) {
	if at = l.free; at != 0 {
		at--
		l.free = l.entry(at).next
	} else {
		if at = l.used; at%slabEntries == 0 {
			l.slabs, l.epochs = append(l.slabs, &slab{}), append(l.epochs, l.epoch)
		}
		l.used++
	}
	*l.write(at) = entry{Example: e, prev: l.tail}
	if l.n == 0 {
		l.head = at
	} else {
		l.write(l.tail).next = at
	}
	l.tail = at
	l.n++
	return at
}

func (l *list) remove(at uint32) {
	e := *l.entry(at)
	if at == l.head {
		l.head = e.next
	} else {
		l.write(e.prev).next = e.next
	}
	if at == l.tail {
		l.tail = e.prev
	} else {
		l.write(e.next).prev = e.prev
	}
	l.write(at).next = l.free
	l.free = at + 1
	l.n--
}

// snapshot returns a list that does not change any more.
func (l *list) snapshot() list {
	s := *l
	s.slabs = slices.Clone(l.slabs)
	l.epoch++
	return s
}
