package labels

import (
	"rosenblatt/learner/decision"
	"rosenblatt/learner/metrics"
)

// Example is an example that waits for its label.
type Example struct {
	Seq       int64 // of its prediction
	Partition int32 // of its event
	Published Published
	Offset    int64   // of its event
	Time      int64   // the event's timestamp, ms
	Since     int64   // it waits since then: the smaller of Time and the moment of the prediction, ms
	Score     float64 // of its prediction
	ID        ID
	Baselines [2]int16 // the classes that the baselines predicted (model.Outcome)
}

// Most is how many examples may wait, and how many settled ids may be remembered, at most: the index names each by 31
// bits.
const Most = 1 << 30

// Limits bound a Waiting. They may change from one start to the next: what they decide is journaled.
type Limits struct {
	Wait     int64 `json:"wait"`     // ms of label time
	Examples int   `json:"examples"` // that wait
	Settled  int   `json:"settled"`  // ids remembered
}

// Loosest returns the limits that allow whatever either allows.
func (l Limits) Loosest(other Limits) Limits {
	return Limits{min(l.Wait, other.Wait), min(l.Examples, other.Examples), max(l.Settled, other.Settled)}
}

// EverLimits are the loosest limits that a model ever had. An audit assumes them.
type EverLimits struct {
	Limits
	Idle bool `json:"idle,omitempty"` // a silent partition of labels counted as read
}

// Loosest returns the limits that allow whatever either allows.
func (e EverLimits) Loosest(other EverLimits) EverLimits {
	return EverLimits{e.Limits.Loosest(other.Limits), e.Idle || other.Idle}
}

// Bounds are what the limits of a model decide behind a checkpoint.
type Bounds struct {
	SettledIDs int        `json:"settledIDs"` // the bound under which the journal behind it is followed
	Ever       EverLimits `json:"ever"`
}

// Waiting holds examples that wait for their labels, and the ids settled last. One goroutine owns it.
type Waiting struct {
	Limits
	list    list
	settled ring
	index   index
	sliced  bool             // an example had slices
	sums    decision.Waiting // of the list

	sumsOf []decision.Waiting // the same by learner; nil without challengers
	kept   KeptBeside         // memory that is used again

	warm warming
}

// New returns an empty Waiting.
func New(l Limits) *Waiting {
	w := &Waiting{Limits: l, settled: newRing(max(l.Settled, 0))}
	w.index = newIndex(max(l.Examples, 0) + w.settled.size)
	return w
}

// Len is how many examples wait.
func (w *Waiting) Len() int { return w.list.n }

// Settled is how many settled ids are remembered.
func (w *Waiting) Settled() int { return w.settled.n }

// Add adds the example last predicted, whose Seq is above that of all others. If its id waits or is settled, nothing
// changes, and the outcome of the example is Duplicate.
func (w *Waiting) Add(e Example) (duplicate bool) { return w.AddWith(e, metrics.SliceCodes{}, nil) }

// AddWith is Add for an example with slices, and with what challengers predicted.
func (w *Waiting) AddWith(e Example, c metrics.SliceCodes, kept *KeptBeside) (duplicate bool) {
	if _, known := w.lookup(&e.ID); known {
		return true
	}
	at := w.list.push(e, c, kept)
	w.addBeside(at, 1)
	w.sliced = w.sliced || c != metrics.SliceCodes{}
	e.Published.add(&w.sums, 1)
	w.insert(&e.ID, ref(at)<<1)
	return false
}

// Slices are those of an example that waits.
func (w *Waiting) Slices(e *Example) (c metrics.SliceCodes) {
	if !w.sliced {
		return c
	}
	if slot, known := w.lookup(&e.ID); known && w.index.slots[slot].ref()&isSettled == 0 {
		c = w.list.slices(w.index.slots[slot].ref() >> 1)
	}
	return c
}

// ForgetSlices forgets those of all that wait.
func (w *Waiting) ForgetSlices() {
	w.list.forgetSlices()
	w.sliced = false
}

// Own settles the id of an event that bears its own label, unless the id is known already.
func (w *Waiting) Own(id ID, l Label) {
	if _, known := w.lookup(&id); !known {
		w.settle(id, Labelled, l)
	}
}

// Find returns what a label record does, and the example if that Waits. The example is not to be changed, and valid
// until the next change.
func (w *Waiting) Find(id ID, l Label) (Verdict, *Example) {
	slot, known := w.lookup(&id)
	if !known {
		return NoExample, nil
	}
	r := w.index.slots[slot].ref()
	if r&isSettled == 0 {
		return Waits, w.list.at(uint32(r >> 1))
	}
	s := w.settled.at(int(r >> 1))
	switch {
	case !s.outcome().bearsLabel():
		return Late, nil
	case s.label() == l:
		return Repeat, nil
	}
	return Conflicting, nil
}

// Ended is how the waiting of a settled id ended; 0 of one that is not settled.
func (w *Waiting) Ended(id ID) Outcome {
	slot, known := w.lookup(&id)
	if !known || w.index.slots[slot].ref()&isSettled == 0 {
		return 0
	}
	return w.settled.at(int(w.index.slots[slot].ref() >> 1)).outcome()
}

// Knows reports whether an example with an id waits or is settled.
func (w *Waiting) Knows(id ID) bool {
	_, known := w.lookup(&id)
	return known
}

// First returns the waiting example with the lowest seq, nil if none waits. It is valid until the next change.
func (w *Waiting) First() *Example {
	if w.list.n == 0 {
		return nil
	}
	return w.list.at(w.list.head)
}

// After returns the waiting example with the next seq after a waiting one, nil if there is none. It is valid until the
// next change.
func (w *Waiting) After(e *Example) *Example {
	slot, known := w.lookup(&e.ID)
	if !known || w.index.slots[slot].ref()&isSettled != 0 {
		return nil
	}
	at := w.index.slots[slot].ref() >> 1
	if at == w.list.tail {
		return nil
	}
	return w.list.at(w.list.link(at).next)
}

// Due returns the lowest waiting example if its waiting has ended, and how: by label time, Assumed if silence means a
// label, else Expired; or Evicted because too many wait. Else the outcome is 0.
func (w *Waiting) Due(c *Clock, assume bool) (*Example, Outcome) {
	e := w.First()
	if e == nil {
		return nil, 0
	}
	switch now, ok := c.Time(); {
	case ok && now-w.Wait > e.Since && assume:
		return e, Assumed
	case ok && now-w.Wait > e.Since:
		return e, Expired
	case w.list.n > w.Examples:
		return e, Evicted
	}
	return nil, 0
}

// End ends the waiting of an example that Find, First or Due returned, and settles its id. The label is that of the
// label record, 0 without one.
func (w *Waiting) End(e *Example, o Outcome, l Label) {
	id, published := e.ID, e.Published
	w.forget() // this may move slots
	slot, known := w.lookup(&id)
	if !known || w.index.slots[slot].ref()&isSettled != 0 {
		panic("labels: End of an example that does not wait")
	}
	at := w.index.slots[slot].ref() >> 1
	//mutation:ended-beside
	w.addBeside(at, -1)
	w.list.remove(at)
	published.add(&w.sums, -1)
	if w.settled.size == 0 {
		w.index.remove(slot, w.hash)
		return
	}
	w.index.slots[slot].set(ref(w.settled.push(newSettled(id, o, l)))<<1 | isSettled)
}

// settle remembers an id that does not wait.
func (w *Waiting) settle(id ID, o Outcome, l Label) {
	if w.settled.size == 0 {
		return
	}
	w.forget()
	at := w.settled.push(newSettled(id, o, l))
	w.insert(&id, ref(at)<<1|isSettled)
}

// forget forgets the oldest settled id if there is no place for one more.
func (w *Waiting) forget() {
	if w.settled.n < w.settled.size || w.settled.size == 0 {
		return
	}
	oldest := ref(w.settled.first)<<1 | isSettled
	if slot, known := w.lookup(&w.settled.at(w.settled.first).id); known && w.index.slots[slot].ref() == oldest {
		w.index.remove(slot, w.hash)
	}
}

// Forget forgets a settled id early, as a Waiting with a lower limit of them has done. One that has forgotten ids is
// not saved.
func (w *Waiting) Forget(id ID) {
	if slot, known := w.lookup(&id); known && w.index.slots[slot].ref()&isSettled != 0 {
		w.index.remove(slot, w.hash)
	}
}

// ref says where an id is: the number of an entry of the list, or of the ring, times two; plus isSettled.
type ref = uint32

const isSettled = 1

func (w *Waiting) id(r ref) *ID {
	if r&isSettled != 0 {
		return &w.settled.at(int(r >> 1)).id
	}
	return &w.list.at(r >> 1).ID
}

func (w *Waiting) hash(r ref) uint64 { return w.id(r).hash() }

// lookup returns the slot of an id in the index.
func (w *Waiting) lookup(id *ID) (slot int, known bool) {
	for slot = w.index.first(id.hash()); slot >= 0; slot = w.index.next(slot, id.hash()) {
		if *w.id(w.index.slots[slot].ref()) == *id {
			return slot, true
		}
	}
	return 0, false
}

func (w *Waiting) insert(id *ID, r ref) {
	if w.index.full() {
		w.index.grow(w.hash)
	}
	w.index.insert(id.hash(), r)
}
