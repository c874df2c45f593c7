package schema

import (
	"errors"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
)

// mostText is how many bytes of text the schemas of a model have at most.
const mostText = 64 << 20

// ErrTooMany is the error of Add for more schemas than the limit, or than 64 MiB of their text.
var ErrTooMany = errors.New("too many schemas")

// Known is the Store of a model: what is part of its state. Any goroutine may use it.
type Known struct {
	// Limit is how many distinct schemas there may be; 0 for no limit.
	Limit int
	// Save makes entries durable; nil where nothing is saved.
	Save func([]Entry) error

	ids  atomic.Pointer[map[ID][]text] // replaced, never changed
	mu   sync.Mutex                    // of those who add
	all  []*Schema                     // distinct
	list []Entry                       // in the order in which they were added
	text int64

	generation atomic.Int64
}

// text is a schema of an id, from where on it is that. The first one of an id is from everywhere on.
type text struct {
	schema *Schema
	from   *From
}

// Newest returns the schema that an id means now, nil if it is not known.
func (k *Known) Newest(id ID) *Schema { return k.Lookup(id, Place{}) }

// Lookup implements Store.
func (k *Known) Lookup(id ID, at Place) *Schema {
	ids := k.ids.Load()
	if ids == nil {
		return nil
	}
	all := (*ids)[id]
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].from.holds(at) {
			return all[i].schema
		}
	}
	return nil
}

// Entries returns all that is known, in the order in which it was added.
func (k *Known) Entries() []Entry {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.list[:len(k.list):len(k.list)]
}

// Generation rises with all that becomes known: Entries has all of it.
func (k *Known) Generation() int64 { return k.generation.Load() }

// Latest returns the entries of the newest schema of each id, in the order in which they were added.
func (k *Known) Latest() (all []Entry) {
	entries := k.Entries()
	newest := map[ID]int{}
	for _, e := range entries {
		newest[e.ID] = max(newest[e.ID], e.Key().Number)
	}
	return slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return e.Key().Number < newest[e.ID] })
}

// Size returns how many distinct schemas there are.
func (k *Known) Size() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.all)
}

// Add takes in entries, but for those whose key is known, and makes them durable before Lookup returns them.
func (k *Known) Add(entries []Entry) error { return k.add(entries, k.Save, false) }

// Load takes in entries that are durable. Of those with one key the last one counts.
func (k *Known) Load(entries []Entry) error { return k.add(entries, nil, true) }

// Replace is Add that takes in what is said of known keys, too: another text, or another place from which on it is one.
func (k *Known) Replace(entries []Entry) error { return k.add(entries, k.Save, true) }

// Change makes these the schemas of known ids, from a place on.
func (k *Known) Change(entries []Entry, from From) error {
	changed := make([]Entry, len(entries))
	numbers := map[ID]int{}
	for _, e := range k.Entries() {
		numbers[e.ID] = max(numbers[e.ID], e.Key().Number)
	}
	for i, e := range entries {
		to := From{numbers[e.ID] + 1, from.Epoch, slices.Clone(from.Positions), slices.Clone(from.Labels)}
		changed[i] = Entry{e.ID, e.Schema, &to}
	}
	return k.Add(changed)
}

// ChangedSince reports whether an id has another schema in the record at a place than it had for a process of an epoch.
func (k *Known) ChangedSince(at Place, epoch int64) bool {
	return slices.ContainsFunc(k.Entries(), func(e Entry) bool {
		return e.From != nil && e.From.Epoch > epoch && e.From.holds(at)
	})
}

// Lower lowers the places from which on texts are those of ids to positions below them: what was read above these is
// gone, and other records are in its place.
func (k *Known) Lower(positions, labels []int64) error {
	var lowered []Entry
	for _, e := range k.Entries() {
		if e.From == nil {
			continue
		}
		//mutation:place-lowered
		if from, ok := e.From.within(positions, labels); ok {
			lowered = append(lowered, Entry{e.ID, e.Schema, from})
		}
	}
	return k.Replace(lowered)
}

// Reset makes these all that is known, once save has made that durable.
func (k *Known) Reset(entries []Entry, save func([]Entry) error) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	next := addition{at: map[Key]int{}}
	for _, e := range entries {
		if known := same(k.all, e.Schema); known != nil {
			e.Schema = known
		}
		next.add(e, true)
	}
	if k.exceeds(&next) {
		return ErrTooMany
	}
	if err := save(next.list); err != nil {
		return err
	}
	k.set(&next)
	return nil
}

func (k *Known) add(entries []Entry, save func([]Entry) error, replace bool) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	next := addition{all: k.all, text: k.text, list: slices.Clone(k.list), at: map[Key]int{}}
	for i, e := range next.list {
		next.at[e.Key()] = i
	}
	for _, e := range entries {
		next.add(e, replace)
	}
	switch {
	case len(next.added) == 0:
		return nil
	//mutation:max-schemas
	case k.exceeds(&next):
		return ErrTooMany
	}
	//mutation:schema-saved-first
	if save != nil {
		if err := save(next.added); err != nil {
			return err
		}
	}
	k.set(&next)
	return nil
}

func (k *Known) exceeds(next *addition) bool {
	return k.Limit > 0 && len(next.all) > k.Limit || next.text > mostText
}

func (k *Known) set(next *addition) {
	k.all, k.text, k.list = next.all, next.text, next.list
	ids := make(map[ID][]text, len(k.list))
	for _, e := range k.list {
		ids[e.ID] = append(ids[e.ID], text{e.Schema, e.From})
	}
	for _, all := range ids {
		slices.SortStableFunc(all, func(a, b text) int { return a.from.number() - b.from.number() })
	}
	k.ids.Store(&ids)
	k.generation.Add(1)
}

// addition is what is known with some entries more.
type addition struct {
	all   []*Schema
	text  int64
	list  []Entry
	at    map[Key]int // in list
	added []Entry
}

func (a *addition) add(e Entry, replace bool) {
	i, has := a.at[e.Key()]
	if has && (!replace || a.list[i].Is(e)) {
		return
	}
	known := same(a.all, e.Schema)
	if known == nil {
		known, a.all, a.text = e.Schema, append(a.all, e.Schema), a.text+e.Schema.bytes()
	}
	e.Schema = known
	if a.added = append(a.added, e); has {
		a.list[i] = e
		return
	}
	a.at[e.Key()] = len(a.list)
	a.list = append(a.list, e)
}

// same returns the schema among all that says the same, nil without one.
func same(all []*Schema, s *Schema) *Schema {
	for _, other := range all {
		if other == s || other.Text == s.Text && reflect.DeepEqual(other, s) {
			return other
		}
	}
	return nil
}

// bytes is the text of a schema and its references.
func (s *Schema) bytes() int64 {
	n := len(s.Text)
	for i := range s.References {
		n += len(s.References[i].Text)
	}
	return int64(n)
}
