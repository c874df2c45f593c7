package event

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"unsafe"

	"rosenblatt/learner"
	"rosenblatt/stream/internal/number"
)

// template is how earlier events were written: what preceded each of their values, and what each value was for. Most
// producers write the same keys in the same order in each event, or leave some of them out, and such an event is read
// in a single pass (fits), without a search for the ends of keys, hashing or a check for duplicate names. It consists
// of pieces of valid events and of values that are checked, so it is UTF-8 and well formed. The result is the same with
// and without a template.
type template struct {
	keys     []templateKey
	text     []byte    // what precedes the values, concatenated
	names    []byte    // the names of features, each with a = after it, concatenated
	tail     []byte    // what follows the last value
	seen     nameTable // the indices of the keys of features, by the hashes of their names
	features int       // of the keys, those of features

	first, last templateKey // only their next and index, and their role: what is before the keys and after them
	words       []wordSum   // of short words that were seen
	list        uint64      // Example.Names of an event that has the keys from first.next on; 0 before it is needed
	listed      int         // how many features it has then
}

// templateKey is what precedes a value, from the end of the value before, and what the value is for.
type templateKey struct {
	head, mask uint64          // its first eight bytes in little-endian order, and which bits of them count
	tail       uint64          // if it is longer than eight bytes, its last eight
	middle     uint64          // if it is longer than sixteen bytes, the eight after the first eight
	between    uint64          // which bits of them count
	size       int             // in bytes
	load       uintptr         // how many bytes an event must have left for numbers to load the field, or never
	next       *templateKey    // the key after it in the event before
	feature    learner.Feature // without its value
	hash       uint64          // of its name
	index      int             // in the template
	end        int             // where it ends in text
	nameEnd    int             // where the name of the feature ends in names
	nameSize   int             // its size there, with the =
	crossed    bool            // a cross takes its feature, or its words
	logged     bool            // a number becomes its logarithm
	place
}

// place is where a value is in an event.
type place struct {
	role     role
	kind     kind // of a feature
	optional bool // without its key and the value, the event is still well formed
	element  bool // of an array: it can only be a number
	depth    int  // of the objects and arrays around it
}

// slow reports whether the value of a feature is not just put into the arena.
func (k *templateKey) slow() bool { return k.crossed || k.logged }

// matches reports whether the key is at a place of which the bytes that load counts can be read.
func (k *templateKey) matches(at unsafe.Pointer) bool {
	if (eightAt(at, 0)^k.head)&k.mask != 0 {
		return false
	}
	return k.size <= 8 || eightAt(at, k.size-8) == k.tail && (eightAt(at, 8)^k.middle)&k.between == 0
}

// newTemplateKey returns the key that is written as text.
func newTemplateKey(text []byte, at place) templateKey {
	var head [8]byte
	n := copy(head[:], text)
	key := templateKey{size: len(text), load: never, place: at,
		head: binary.LittleEndian.Uint64(head[:]), mask: math.MaxUint64 >> (64 - 8*n)}
	if len(text) > 8 {
		key.tail = binary.LittleEndian.Uint64(text[len(text)-8:])
	}
	if len(text) > 16 {
		key.middle, key.between = binary.LittleEndian.Uint64(text[8:]), math.MaxUint64
	}
	if at.role == plainRole && at.kind.isNumber() && len(text) <= longest {
		key.load = uintptr(len(text) + number.Window)
	}
	return key
}

// never is more bytes than any event has.
const never = math.MaxInt / 2

// written is the key as it is written.
func (t *template) written(k *templateKey) []byte { return t.text[k.end-k.size : k.end] }

// name is the name of the key's feature, with a = after it.
func (t *template) name(k *templateKey) []byte { return t.names[k.nameEnd-k.nameSize : k.nameEnd] }

// at reports whether the key, or after the last one the rest of the event, is at b[i].
func (t *template) at(k *templateKey, b []byte, i int) bool {
	if k == &t.last {
		return string(b[i:]) == string(t.tail)
	}
	if k.size <= longest && i+longest <= len(b) {
		return k.matches(unsafe.Pointer(&b[i]))
	}
	return bytes.HasPrefix(b[i:], t.written(k))
}

// after returns the key that is at b[i], after prev and after keys that may be missing, or last if the rest of the
// event is there; nil if there is none.
func (t *template) after(prev *templateKey, b []byte, i int) *templateKey {
	head := headAt(b, i)
	keys := t.keys[prev.index+1:]
	for n := range keys {
		k := &keys[n]
		if (head^k.head)&k.mask == 0 && t.at(k, b, i) {
			return k
		}
		if !k.optional {
			return nil
		}
	}
	if t.at(&t.last, b, i) {
		return &t.last
	}
	return nil
}

// headAt returns the eight bytes from b[i] on in little-endian order, with zeros after the end.
func headAt(b []byte, i int) uint64 {
	if i+8 <= len(b) {
		return binary.LittleEndian.Uint64(b[i:])
	}
	var head [8]byte
	copy(head[:], b[i:])
	return binary.LittleEndian.Uint64(head[:])
}

// bytes is how many bytes of keys and names the template has.
func (t *template) bytes() int { return len(t.text) + len(t.names) }

// reset makes the template empty.
func (t *template) reset() {
	t.keys, t.text, t.names = t.keys[:0], t.text[:0], t.names[:0]
	t.features = 0
	t.seen.reset()
}

// add adds a key, written as text.
func (t *template) add(k templateKey, text []byte) {
	t.text = append(t.text, text...)
	k.end = len(t.text)
	t.keys = append(t.keys, k)
}

// addFeature adds the key of a feature called name.
func (t *template) addFeature(k templateKey, text, name []byte) {
	t.seen.add(k.hash, len(t.keys))
	t.names = append(append(t.names, name...), '=')
	k.nameEnd, k.nameSize = len(t.names), len(name)+1
	t.features++
	t.add(k, text)
}

// copy adds a key of another template.
func (t *template) copy(from *template, k *templateKey) {
	if k.role != plainRole {
		t.add(*k, from.written(k))
		return
	}
	name := from.name(k)
	t.addFeature(*k, from.written(k), name[:len(name)-1])
}

// link completes the template.
func (t *template) link() {
	prev := &t.first
	prev.index = -1
	for n := range t.keys {
		k := &t.keys[n]
		k.index = n
		prev.next, prev = k, k
	}
	prev.next = &t.last
	t.last.role, t.last.load = otherRole, never
	t.list = 0
	clear(t.words)
}

// clear makes what was a feature a value without a role.
func (t *template) clear() {
	for i := range t.keys {
		if k := &t.keys[i]; k.role == plainRole || k.role == otherRole {
			k.role, k.load = ignoreRole, never
		}
	}
	t.features = 0
	t.seen.reset()
}

// usable reports whether the template can hold the roles of its keys, and all values are read.
func (t *template) usable() bool {
	return !slices.ContainsFunc(t.keys, func(k templateKey) bool { return k.role == textRole || k.role == otherRole })
}
