package learner

// table is what a model keeps of its features: of each slot the statistics of scaling, the fingerprint of its name,
// and the name. It does not depend on labels.
type table struct {
	scaler     scaler
	prints     []uint16 // one for each slot: a print and the shared flag
	printed    *group   // of prints
	met        int      // how many slots have a print
	collisions int      // how many of them have the shared flag
	names      nameTable
	complete   uint64 // the last list of names met that has no fresh name, or 0
}

// A print in the table is that of the first name met at its slot, or 0, and a flag: others have been met too.
const (
	printMask = 1<<15 - 1
	shared    = 1 << 15
)

func newTable(s Spec) table {
	slots := 1 << s.Bits
	prints := make([]uint16, slots)
	return table{scaler: newScaler(s, slots), names: newNameTable(slots, s.MaxNames), prints: prints,
		printed: newGroup(slots, Column{Name: columnPrints, Uint16: prints})}
}

// scaled returns x with scaled values, in the memory of buffer, or x itself where nothing is scaled. It reports
// whether all values are in range. The statistics do not change. weights are those that the caller reads next, or
// nil.
func (t *table) scaled(x, buffer []Feature, weights []float64) ([]Feature, bool) {
	if t.scaler.mode != plain {
		x = append(buffer[:0], x...)
	}
	t.prefetch(x, weights)
	return x, t.scaler.scale(x)
}

// record learns the statistics and prints of x, as scaled returned it last. See Model.LearnNamed.
func (t *table) record(x []Feature, names uint64) (fresh bool) {
	t.scaler.commit(x, names)
	if names == 0 || names != t.complete {
		if fresh = t.meet(x); !fresh {
			t.complete = names // prints are only added, so meeting them again changes nothing
		}
	}
	return fresh
}

// meet records the prints of x and reports whether one of them could have its name kept.
func (t *table) meet(x []Feature) (fresh bool) {
	prints := t.prints
	for i := range x {
		if f := &x[i]; prints[f.Slot]&printMask != f.Print {
			t.mark(f.Slot, f.Print)
		}
	}
	if t.names.count == t.met || !t.names.room() {
		return false
	}
	for i := range x {
		if f := &x[i]; !t.names.has(f.Slot) && prints[f.Slot]&printMask == f.Print {
			return true
		}
	}
	return false
}

func (t *table) mark(slot uint32, print uint16) {
	t.printed.touchSlot(slot)
	switch p := t.prints[slot]; {
	case p == 0:
		t.prints[slot] = print & printMask
		t.met++
	case p&shared == 0:
		t.prints[slot] = p | shared
		t.collisions++
	}
}

// SetName keeps a slot's name, cut to MaxNameBytes, if the slot has none, print is the first met there and the table
// is not full. Otherwise it does nothing.
func (t *table) SetName(slot uint32, print uint16, name []byte) {
	if print != 0 && t.prints[slot]&printMask == print && t.names.room() && !t.names.has(slot) {
		t.names.add(slot, name)
	}
}

// ForgetScaling forgets the statistics of scaling.
func (t *table) ForgetScaling() {
	if t.scaler.group != nil {
		t.scaler.group.touchAll()
		clear(t.scaler.stats)
		//mutation:scaled-before-forgotten
		t.scaler.scaled = nil
	}
}

// Used counts the slots at which a name has been met in learned examples, of all slots.
func (t *table) Used() (used, of int) { return t.met, len(t.prints) }

// Collisions counts the slots at which several names have been met in learned examples.
func (t *table) Collisions() int { return t.collisions }
