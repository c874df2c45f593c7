package event

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"sync/atomic"
	"unsafe"

	"rosenblatt/learner"
)

// template is how an earlier event was written: what preceded each of its values, and what each value was for. Most
// producers write the same keys in the same order in each event, and such an event is read in a single pass (fits),
// without a search for the ends of keys, hashing or a check for duplicate names. It consists of pieces of a valid
// event and of values that are checked, so it is UTF-8 and well formed. The result is the same with and without a
// template.
type template struct {
	keys     []templateKey
	text     []byte    // what precedes the values, concatenated
	names    []byte    // the names of features, each with a = behind, concatenated
	tail     []byte    // what follows the last value
	seen     nameTable // the names of features
	features int       // of the keys, those of features
	list     uint64    // Example.Names of an event of all features, each a number; 0 before it is needed
	fixed    bool      // it comes from the options, not from an event
	misses   int       // events since the last one that fitted, or since the template was learned
	patience int       // how many of them until another template is learned
	learning bool      // the values of the current event are being added
	learned  int       // where the last added value ends in the current event
}

// templateKey is what precedes a value, from the end of the value before, and what the value is for.
type templateKey struct {
	head, mask uint64          // its first eight bytes in little-endian order, and which bits of them count
	tail, rest uint64          // if it is longer than eight bytes, its last eight, and which bits of them count
	middle     uint64          // if it is longer than sixteen bytes, the eight after the first eight
	between    uint64          // which bits of them count
	skip       int             // where the last eight begin
	load       int             // how many bytes an event must have left for matches, or never
	need       int             // how many for parseFixedFields, or never: it changes with the numbers of the events
	size       int             // in bytes
	end        int             // where it ends in text
	nameEnd    int             // where the name of the feature ends in names
	nameSize   int             // its size there, with the =
	feature    learner.Feature // without its value
	word       bool            // the last value was a word, so the next one most often is
	place
}

// place is where a value is in an event.
type place struct {
	role     role
	optional bool // without its key and the value, the event is still well formed
	element  bool // of an array: it can only be a number
	depth    int  // of the objects and arrays around it
}

// at reports whether the key, as written in text, is at b[i].
func (k *templateKey) at(b []byte, i int, text []byte) bool {
	if i+max(k.size, 16) > len(b) || k.size > 24 {
		return bytes.HasPrefix(b[i:], text[k.end-k.size:k.end])
	}
	return k.matches(unsafe.Pointer(&b[i]))
}

// matches is at for keys of up to 24 bytes, of which at can be read, as well as 16 bytes at least.
func (k *templateKey) matches(at unsafe.Pointer) bool {
	return (eightAt(at, 0)^k.head)&k.mask|(eightAt(at, 8)^k.middle)&k.between|(eightAt(at, k.skip)^k.tail)&k.rest == 0
}

// newTemplateKey returns the key that is written as text and ends at end in the template's text.
func newTemplateKey(text []byte, end int) templateKey {
	var head [8]byte
	n := copy(head[:], text)
	key := templateKey{size: len(text), end: end, load: max(len(text), 16), need: never,
		head: binary.LittleEndian.Uint64(head[:]), mask: math.MaxUint64 >> (64 - 8*n)}
	if len(text) > 8 {
		key.skip = len(text) - 8
		key.tail, key.rest = binary.LittleEndian.Uint64(text[key.skip:]), math.MaxUint64
	}
	if len(text) > 16 {
		key.middle, key.between = binary.LittleEndian.Uint64(text[8:]), math.MaxUint64
	}
	return key
}

const (
	// A template is tried on so many events that do not fit, misfits, and replaced after relearnAfter of them, or after
	// twice as many as the one before if no event fitted that, up to relearnRarely. This bounds the cost of templates
	// that do not pay, and a few odd events do not replace one that does.
	misfits       = 4
	relearnAfter  = 16
	relearnRarely = 1024
	// maxKeys bounds the memory of a template learned from an event.
	maxKeys = 2048
)

// ready reports whether the next event may fit.
func (t *template) ready() bool { return len(t.keys) != 0 && (t.misses < misfits || t.fixed) }

// hit notes that an event fitted.
func (t *template) hit() { t.misses, t.patience = 0, relearnAfter }

// begin makes the template learn the current event, which differs from it, if enough events did.
func (t *template) begin() {
	t.misses++
	if t.learning = !t.fixed && t.misses > t.patience; t.learning {
		t.patience = min(max(relearnAfter, 2*t.patience), relearnRarely)
		t.keys, t.text, t.names = t.keys[:0], t.text[:0], t.names[:0]
		t.misses, t.features, t.list, t.learned = 0, 0, 0, 0
		t.seen.reset()
	}
}

// complete ends the learning of an event.
func (t *template) complete(e *Example, value []byte) {
	if !t.learning {
		return
	}
	t.learning = false
	other := func(k templateKey) bool { return k.role == textRole || k.role == otherRole }
	if rejected := e.Rejected != nil || e.Skip; rejected || slices.ContainsFunc(t.keys, other) {
		t.keys = t.keys[:0]
		if rejected {
			t.patience = 0 // the next event is tried
		}
		return
	}
	t.tail = append(t.tail[:0], value[t.learned:]...)
}

// discard makes what was a feature a value without a role.
func (t *template) discard() {
	if !t.learning {
		return
	}
	for i := range t.keys {
		if k := &t.keys[i]; k.role == plainRole || k.role == otherRole {
			k.role = ignoreRole
		}
	}
	t.features = 0
	t.seen.reset()
}

// abandon ends the learning of an event that no template can hold.
func (t *template) abandon() {
	if t.learning {
		t.learning, t.keys = false, t.keys[:0]
	}
}

// learn adds the value at value[i:next] to the template. A feature has a name.
func (d *Decoder) learn(i, next int, at place, name []byte) {
	t := &d.template
	text := d.value[t.learned:i]
	t.text, t.learned = append(t.text, text...), next
	if len(t.keys) >= maxKeys && !t.fixed {
		t.abandon()
		return
	}
	key := newTemplateKey(text, len(t.text))
	if key.place = at; at.role != plainRole || len(text) > 24 {
		key.load = never
	}
	if at.role == plainRole {
		h := d.sum(name)
		if found := t.seen.add(h); found || t.features >= d.options.MaxFeatures {
			t.abandon() // a feature named twice adds up
			return
		}
		key.feature = learner.Feature{Slot: d.slot(h), Print: fingerprint(h), Kind: learner.Numeric}
		t.names = append(append(t.names, name...), '=')
		key.nameEnd, key.nameSize = len(t.names), len(name)+1
		t.features++
	}
	t.keys = slices.Grow(append(t.keys, key), 1) // parseFixedFields needs room for one more
}

// lists is the last number given to a list of names.
var lists atomic.Uint64
