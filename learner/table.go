package learner

// table is what a model keeps of its features: of each slot the statistics of scaling, the fingerprint of its name,
// and the name. It does not depend on labels, so several models may have one: see Model.ShareTable.
type table struct {
	scaler     scaler
	prints     []uint16 // one for each slot: a print and the shared flag
	printed    *group   // of prints
	met        int      // how many slots have a print
	collisions int      // how many of them have the shared flag
	names      nameTable
	complete   uint64 // the last list of names met that has no fresh name, or 0

	// The example that was scaled last.
	example  uint64    // its number: see Model.NumberExample
	scaled   []Feature // its features
	recorded bool      // it is in the statistics and prints
	buffer   []Feature // memory of scaled
}

// A print in the table is that of the first name met at its slot, or 0, and a flag: others have been met too.
const (
	printMask = 1<<15 - 1
	shared    = 1 << 15
)

func newTable(s Spec) *table {
	slots := 1 << s.Bits
	prints := make([]uint16, slots)
	return &table{scaler: newScaler(s, slots), names: newNameTable(slots, s.MaxNames), prints: prints,
		printed: newGroup(slots, Column{Name: columnPrints, Uint16: prints})}
}

// scaleExample returns x with scaled values, in the table's memory, or x itself where nothing is scaled. It reports
// whether all values are in range. The statistics do not change. weights are those that the caller reads next, or nil.
// An example of the number of the one before, other than 0, is that one.
func (t *table) scaleExample(number uint64, x []Feature, weights []float64) ([]Feature, bool) {
	//mutation:scaled-once
	if number != 0 && number == t.example {
		t.prefetchWeights(x, weights)
		return t.scaled, true
	}
	if t.example, t.recorded = number, false; t.scaler.mode != plain {
		t.buffer = append(t.buffer[:0], x...)
		x = t.buffer
	}
	t.prefetch(x, weights)
	if t.scaled = x; !t.scaler.scale(x) {
		t.example = 0
		return nil, false
	}
	return x, true
}

// recordExample learns the statistics and prints of x, as scaleExample returned it last: once for an example with a
// number. See Model.LearnNamed.
func (t *table) recordExample(number uint64, x []Feature, names uint64) (fresh bool) {
	if number != 0 && number == t.example {
		//mutation:recorded-once
		if t.recorded {
			return false
		}
		t.recorded = true
	}
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
		t.example = 0
	}
}

// Used counts the slots at which a name has been met in learned examples, of all slots.
func (t *table) Used() (used, of int) { return t.met, len(t.prints) }

// Collisions counts the slots at which several names have been met in learned examples.
func (t *table) Collisions() int { return t.collisions }
