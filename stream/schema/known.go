package schema

import (
	"errors"
	"maps"
	"reflect"
	"sync"
	"sync/atomic"
)

// Entry is an id and its schema. Several ids may have the same.
type Entry struct {
	ID     ID
	Schema *Schema
}

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

	ids  atomic.Pointer[map[ID]*Schema] // replaced, never changed
	mu   sync.Mutex                     // of those who add
	all  []*Schema                      // distinct
	list []Entry                        // in the order in which they were added
	text int64
}

// Lookup implements Store.
func (k *Known) Lookup(id ID) *Schema {
	if ids := k.ids.Load(); ids != nil {
		return (*ids)[id]
	}
	return nil
}

// Entries returns all that is known, in the order in which it was added.
func (k *Known) Entries() []Entry {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.list[:len(k.list):len(k.list)]
}

// Size returns how many distinct schemas there are.
func (k *Known) Size() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.all)
}

// Add takes in entries, but for ids that are known, and makes them durable before Lookup returns them.
func (k *Known) Add(entries []Entry) error { return k.add(entries, k.Save) }

// Load takes in entries that are durable.
func (k *Known) Load(entries []Entry) error { return k.add(entries, nil) }

func (k *Known) add(entries []Entry, save func([]Entry) error) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	ids := map[ID]*Schema{}
	if had := k.ids.Load(); had != nil {
		ids = maps.Clone(*had)
	}
	all, text := k.all, k.text
	var added []Entry
	for _, e := range entries {
		if ids[e.ID] != nil {
			continue
		}
		same := same(all, e.Schema)
		if same == nil {
			same, all, text = e.Schema, append(all, e.Schema), text+e.Schema.bytes()
		}
		ids[e.ID] = same
		added = append(added, Entry{e.ID, same})
	}
	switch {
	case len(added) == 0:
		return nil
	//mutation:max-schemas
	case k.Limit > 0 && len(all) > k.Limit || text > mostText:
		return ErrTooMany
	}
	//mutation:schema-saved-first
	if save != nil {
		if err := save(added); err != nil {
			return err
		}
	}
	k.all, k.text, k.list = all, text, append(k.list, added...)
	k.ids.Store(&ids)
	return nil
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
