package labels

import (
	"slices"

	"rosenblatt/learner/metrics"
)

// link is the place of an example in the list, in the order of seq; next also links free entries.
type link struct{ prev, next uint32 }

// slabEntries is how many entries are allocated, and copied for a snapshot, at a time.
const slabEntries = 256

// slab is a run of entries, 72 bytes each. Links are apart: an example that is removed changes those of its neighbours,
// which are small enough to stay in a processor's cache, and an example has a cache line.
type slab struct {
	links    [slabEntries]link
	examples [slabEntries]Example
}

// codes are the slices of the examples of a slab.
type codes [slabEntries]metrics.SliceCodes

// list is the waiting examples in the order of seq. A snapshot shares its slabs: the first change of one copies it.
type list struct {
	slabs []*slab
	codes []*codes // by slab, nil as long as all are 0: they are apart, as few ask for them

	challengers int        // whose predictions are kept, too
	beside      []*besides // by slab; of no challengers nil
	epochs      []uint64   // of each slab, that of the list when it was written last
	epoch       uint64     // counts snapshots
	head, tail  uint32     // none if n is 0
	free        uint32     // the first free entry, plus 1
	used        uint32     // entries that were ever used
	n           int
}

// at and link are for reading only.
func (l *list) at(at uint32) *Example { return &l.slabs[at/slabEntries].examples[at%slabEntries] }
func (l *list) link(at uint32) *link  { return &l.slabs[at/slabEntries].links[at%slabEntries] }

// write returns the slab of an entry, which no snapshot shares.
func (l *list) write(at uint32) *slab {
	i := at / slabEntries
	//mutation:waiting-shared
	if l.epochs[i] != l.epoch {
		own := *l.slabs[i]
		l.slabs[i], l.epochs[i] = &own, l.epoch
		if c := l.codes[i]; c != nil {
			own := *c
			l.codes[i] = &own
		}
		//mutation:beside-shared
		if l.challengers > 0 {
			l.beside[i] = l.beside[i].clone()
		}
	}
	return l.slabs[i]
}

// slices are those of an entry.
func (l *list) slices(at uint32) (c metrics.SliceCodes) {
	if of := l.codes[at/slabEntries]; of != nil {
		c = of[at%slabEntries]
	}
	return c
}

// setSlices sets those of an entry whose slab no snapshot shares.
func (l *list) setSlices(at uint32, c metrics.SliceCodes) {
	of := &l.codes[at/slabEntries]
	if *of == nil {
		if c == (metrics.SliceCodes{}) {
			return
		}
		*of = new(codes)
	}
	(*of)[at%slabEntries] = c
}

// forgetSlices forgets all.
func (l *list) forgetSlices() { l.codes = make([]*codes, len(l.slabs)) }

// push adds an example at the end.
func (l *list) push(e Example, c metrics.SliceCodes, kept *KeptBeside) (at uint32) {
	if at = l.free; at != 0 {
		at--
		l.free = l.link(at).next
	} else {
		if at = l.used; at%slabEntries == 0 {
			l.slabs, l.epochs, l.codes = append(l.slabs, &slab{}), append(l.epochs, l.epoch), append(l.codes, nil)
			if l.challengers > 0 {
				l.beside = append(l.beside, newBesides(l.challengers))
			}
		}
		l.used++
	}
	s, i := l.write(at), at%slabEntries
	s.examples[i], s.links[i] = e, link{prev: l.tail}
	l.setSlices(at, c)
	l.setBeside(at, kept)
	if l.n == 0 {
		l.head = at
	} else {
		l.setNext(l.tail, at)
	}
	l.tail = at
	l.n++
	return at
}

func (l *list) setNext(at, next uint32) { l.write(at).links[at%slabEntries].next = next }

func (l *list) remove(at uint32) {
	e := *l.link(at)
	if at == l.head {
		l.head = e.next
	} else {
		l.setNext(e.prev, e.next)
	}
	if at == l.tail {
		l.tail = e.prev
	} else {
		l.write(e.next).links[e.next%slabEntries].prev = e.prev
	}
	l.setNext(at, l.free)
	l.free = at + 1
	l.n--
}

// snapshot returns a list that does not change any more.
func (l *list) snapshot() list {
	s := *l
	s.slabs, s.codes, s.beside = slices.Clone(l.slabs), slices.Clone(l.codes), slices.Clone(l.beside)
	l.epoch++
	return s
}
