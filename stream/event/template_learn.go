package event

import (
	"bytes"
	"sync/atomic"

	"rosenblatt/learner"
)

// templates is the template of a decoder, and how it is adapted to its events: one that does not fit is learned, as a
// draft, and what the template lacks is added. If the draft is of another kind of event, it replaces the template only
// after many events that did not fit.
type templates struct {
	*template
	draft    *template // of the current event, if learning
	spare    *template
	learning bool // the values of the current event are added to the draft
	learned  int  // where the last of them ends in the event
	fixed    bool // the template comes from the options, or there is none: none is learned

	misses    int // events since the last one that fitted
	waited    int // events that did not fit since the last one that was learned
	patience  int // how many of them until another one is learned
	backoff   int // patience after the last draft that could not be added
	hits      int // events that fitted since then
	reordered int // how often the template's keys were only reordered
}

const (
	// A template is tried on so many events in a row that do not fit, misfits, and replaced after relearnAfter of them,
	// or after twice as many as before if few events fitted since, up to relearnRarely. This bounds the cost of
	// templates that do not pay, and a few odd events do not replace one that does.
	misfits       = 4
	relearnAfter  = 16
	relearnRarely = 1024
	// maxKeys, and maxText, in bytes of keys and names, bound the memory of a template learned from events. An event
	// may repeat a long name in the names of thousands of features.
	maxKeys = 2048
	maxText = 1 << 20
	// sparsest is how many times more keys a template may have than an event that is added: each is compared.
	sparsest = 12
)

func newTemplates() templates {
	return templates{template: new(template), draft: new(template), spare: new(template)}
}

// ready reports whether the next event may fit.
func (t *templates) ready() bool { return len(t.keys) != 0 && (t.misses < misfits || t.fixed) }

// hit notes that an event fitted.
func (t *templates) hit() { t.misses, t.hits = 0, t.hits+1 }

// begin has the current event, which does not fit, learned if enough events did not.
func (t *templates) begin() {
	if t.fixed {
		return
	}
	t.misses++
	t.waited++
	if t.learning = t.waited >= t.patience; t.learning {
		t.waited, t.learned = 0, 0
		t.draft.reset()
	}
}

// complete ends the learning of an event, of which only features up to most are accepted.
func (t *templates) complete(e *Example, value []byte, most int) {
	if !t.learning {
		return
	}
	t.learning = false
	if e.Rejected != nil || e.Skip {
		return
	}
	t.draft.tail = append(t.draft.tail[:0], value[t.learned:]...)
	switch known := len(t.keys) != 0; {
	case known && t.draft.usable() && t.merge(most):
		t.misses, t.patience = 0, 0
	case known && t.misses <= relearnAfter, !t.draft.usable():
		t.wait()
	default:
		t.template, t.draft = t.draft, t.template
		t.link()
		t.misses, t.patience, t.reordered = 0, 0, 0
	}
}

// wait has the next event learned later.
func (t *templates) wait() {
	t.backoff = min(max(relearnAfter, 2*t.backoff), relearnRarely)
	if t.hits > relearnRarely {
		t.backoff = relearnAfter
	}
	t.patience, t.hits = t.backoff, 0
}

// discard makes what was a feature of the current event a value without a role.
func (t *templates) discard() {
	if t.learning {
		t.draft.clear()
	}
}

// abandon ends the learning of an event that no template can hold.
func (t *templates) abandon() {
	if t.learning {
		t.learning = false
		t.wait()
	}
}

// learn adds the value at value[i:next] to the draft. A feature has a name.
func (d *Decoder) learn(i, next int, at place, name []byte) {
	t := &d.template
	text := d.value[t.learned:i]
	t.learned = next
	if !t.fixed && (len(t.draft.keys) >= maxKeys || t.draft.bytes()+len(text)+len(name) > maxText) {
		t.abandon()
		return
	}
	key := newTemplateKey(text, at)
	if at.role != plainRole {
		t.draft.add(key, text)
		return
	}
	d.setName(&key, name)
	if _, found := t.draft.seen.find(key.hash); found || t.draft.features >= d.options.MaxFeatures {
		t.abandon() // a feature named twice adds up
		return
	}
	if key.slow() {
		key.load = never
	}
	t.draft.addFeature(key, text, name)
}

// setName sets what follows from the name of the feature of a key.
func (d *Decoder) setName(k *templateKey, name []byte) {
	k.hash = d.sum(name)
	k.feature = learner.Feature{Slot: d.slot(k.hash), Print: fingerprint(k.hash), Kind: learner.Numeric}
	k.crossed, k.logged = d.crosses.mayTake(name), d.options.isLogged(name)
}

// merge adds the features of the draft to the template, if events of both kinds fit the result. It reports whether the
// template has changed.
func (t *templates) merge(most int) bool {
	m := t.spare
	m.reset()
	ok := m.union(t.template, t.draft)
	if !ok || m.features > most || len(m.keys) > min(maxKeys, sparsest*len(t.draft.keys)) || m.bytes() > maxText {
		return false
	}
	if len(m.keys) == len(t.keys) {
		if t.reordered++; t.reordered > len(t.keys) {
			return false
		}
	}
	t.template, t.spare = m, t.template
	t.link()
	return true
}

// union makes t, which is empty, a template of the keys of two others, in the order of u. Keys that only u has must be
// those of features that may be missing.
func (t *template) union(old, u *template) bool {
	if string(old.tail) != string(u.tail) {
		return false
	}
	t.tail = append(t.tail[:0], u.tail...)
	i := 0 // old's keys before this one are in t, or they come later in u
	for n := range u.keys {
		k := &u.keys[n]
		switch at, same := old.find(u, k, i); {
		case at >= i:
			if !same || !t.addMissing(old, u, i, at) {
				return false
			}
			i = at + 1
		case !k.free() || at >= 0 && !same:
			return false
		case at < 0: // the order of the others is not known
			for i < len(old.keys) && old.precedes(&old.keys[i], u, k) && !u.has(&old.keys[i]) {
				t.copy(old, &old.keys[i])
				i++
			}
		}
		t.copy(u, k)
	}
	return t.addMissing(old, u, i, len(old.keys))
}

// free reports whether the key is that of a feature that may be missing, so it can be anywhere between others.
func (k *templateKey) free() bool { return k.role == plainRole && k.optional }

// has reports whether the template has the feature of a key.
func (t *template) has(k *templateKey) bool {
	_, found := t.seen.find(k.hash)
	return found && k.role == plainRole
}

// find returns the index of the key of u in t, -1 if there is none, and whether it is written and used in the same way.
// Only features are found before i.
func (t *template) find(u *template, k *templateKey, i int) (at int, same bool) {
	equal := func(c *templateKey) bool { return c.place == k.place && bytes.Equal(t.written(c), u.written(k)) }
	if k.role == plainRole {
		place, found := t.seen.find(k.hash)
		if !found {
			return -1, false
		}
		at = int(t.seen.entries[place].index)
		return at, equal(&t.keys[at])
	}
	for ; i < len(t.keys); i++ {
		if equal(&t.keys[i]) {
			return i, true
		}
		if !t.keys[i].optional {
			break
		}
	}
	return -1, false
}

// addMissing adds the keys of old from i on that u does not have. It reports false if one may not be missing.
func (t *template) addMissing(old, u *template, i, end int) bool {
	for ; i < end; i++ {
		k := &old.keys[i]
		if !k.optional {
			return false
		}
		if !u.has(k) {
			t.copy(old, k)
		}
	}
	return true
}

// precedes reports whether a feature that may be missing most often precedes another: shorter keys, and then those
// that are smaller, so that numbers are in order.
func (t *template) precedes(k *templateKey, u *template, other *templateKey) bool {
	if !k.free() || k.size != other.size {
		return k.free() && k.size < other.size
	}
	return string(t.written(k)) < string(u.written(other))
}

// lists is the last number given to a list of names.
var lists atomic.Uint64
