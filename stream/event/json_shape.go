package event

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"sync/atomic"

	"rosenblatt/learner"
	"rosenblatt/stream/internal/number"
)

// shape remembers how the features object of an earlier event began: the keys of its leading numbers, as they were
// written. Most producers write the same keys in the same order again and again. An event that does so needs no
// search for the ends of keys, no hashing, and no test for doubles; that halves the time. What is decoded is the same either way.
type shape struct {
	text     []byte // `"key":` of each, one behind the other
	keys     []shapeKey
	names    uint64 // Example.Names of an event with all of them; 0 before one is wanted
	misses   int    // events since the last one that fitted
	learning bool   // the keys of the event at hand are being added
	pending  int    // how many features the event at hand has by its shape, while its table of names knows nothing of them
}

// shapeKey is one key.
type shapeKey struct {
	head, mask uint64          // its first eight bytes, the lowest first, and which bits of them count
	tail, rest uint64          // its last eight bytes, if it is longer than eight, and which bits of them count
	skip, need int             // where those begin, and how many bytes there must be to look at them
	size       int             // in bytes
	end        int             // where it ends in text
	hash       uint64          // of the feature's name
	feature    learner.Feature // without its value
}

// at says whether the key, as it stands in text, stands at b[i].
func (k *shapeKey) at(b []byte, i int, text []byte) bool {
	if i+k.need > len(b) {
		return k.begins(b[i:], text)
	}
	return (binary.LittleEndian.Uint64(b[i:])^k.head)&k.mask|(binary.LittleEndian.Uint64(b[i+k.skip:])^k.tail)&k.rest == 0
}

// begins is at for long keys, and for those near the end of b.
func (k *shapeKey) begins(b, text []byte) bool { return bytes.HasPrefix(b, text[k.end-k.size:k.end]) }

// relearn is how many events must not fit the shape until another is learned. It bounds what learning in vain costs.
const relearn = 16

// shaped reads the features object from behind its brace.
func (d *Decoder) shaped(i, prefix int) int {
	s := &d.json.shape
	i = space(d.value, i)
	if d.visit != nil || len(d.arena) != d.start {
		return d.object(i, prefix) // names are wanted, or there are features already
	}
	i, closed := d.follow(i)
	if closed {
		s.misses = 0
		return i
	}
	if s.misses%relearn == 0 {
		s.learning = true
		s.cut()
	}
	s.misses++
	if s.pending == 0 {
		i = d.object(i, prefix)
	} else { // behind a comma
		i = d.members(space(d.value, i), prefix)
	}
	s.learning = false
	return i
}

// cut drops the keys that the event at hand does not have.
func (s *shape) cut() {
	end := 0
	if s.pending > 0 {
		end = s.keys[s.pending-1].end
	}
	s.keys, s.text, s.names = s.keys[:s.pending], s.text[:end], 0
}

// lists counts the lists of names that were given a number.
var lists atomic.Uint64

// list gives Example.Names of an event whose features are the pending ones.
func (s *shape) list() uint64 {
	if s.pending != len(s.keys) {
		return 0
	}
	if s.names == 0 {
		s.names = lists.Add(1)
	}
	return s.names
}

// follow reads members as long as they are those of the shape, without spaces, and counts them in pending. It returns the
// offset behind the object's closing brace, or of the first other member. What is wrong it leaves for others to find.
func (d *Decoder) follow(i int) (next int, closed bool) {
	b, s := d.value, &d.json.shape
	first := len(d.arena)
	d.arena = slices.Grow(d.arena, len(s.keys)+1)
	out := d.arena[first : first+len(s.keys)]
	k := 0
	for k < len(s.keys) && !closed {
		n, at := usual(b, i, s.keys[k:], out[k:], inObject)
		if left := b[i:]; n == 0 && len(left) < room { // the last one, mostly: usual wants more bytes behind it
			var padded [2 * room]byte
			copy(padded[:], left)
			n, at = usual(padded[:], 0, s.keys[k:], out[k:], inObject)
			at += i
		}
		if n > 0 {
			k, i = k+n, at
			closed = b[i-1] == '}'
			continue
		}
		key := &s.keys[k]
		if !key.at(b, i, s.text) {
			break
		}
		v, end := number.JSON(b, i+key.size)
		if end < 0 || end >= len(b) || b[end] != ',' && b[end] != '}' || !(v >= -limit && v <= limit) {
			break
		}
		out[k] = key.feature
		out[k].Value = v
		k++
		i, closed = end+1, b[end] == '}'
	}
	s.pending = first + k - d.start
	d.arena = d.arena[:first+k]
	return i, closed
}

// settle makes the features that came by the shape known to the table of names, before others come.
func (d *Decoder) settle() {
	s := &d.json.shape
	for k := range s.pending {
		place, _ := d.seen.find(s.keys[k].hash)
		d.seen.put(place, s.keys[k].hash, k)
		if d.seen.full() {
			d.seen.grow()
		}
	}
	s.pending = 0
}

// learn adds the key of the numeric feature just added to the shape, as long as nothing but numbers with new names came.
// Text is the member up to its value.
func (d *Decoder) learn(name, text []byte) {
	s := &d.json.shape
	if len(d.arena)-d.start != len(s.keys)+1 || len(text) != len(name)+3 || text[len(text)-1] != ':' {
		s.learning = false
		return
	}
	d.extend(name, text)
}

// extend adds a key to the shape: text as it stands in events, of the feature called name.
func (d *Decoder) extend(name, text []byte) {
	s, h := &d.json.shape, d.sum(name)
	key := textKey(text, len(s.text)+len(text))
	key.hash, key.feature = h, learner.Feature{Slot: d.slot(h), Print: fingerprint(h), Kind: learner.Numeric}
	s.text = append(s.text, text...)
	s.keys = slices.Grow(append(s.keys, key), 1) // usual wants room for one more
}

// textKey is a key that is written as text, which ends at end where all keys stand.
func textKey(text []byte, end int) shapeKey {
	var head [8]byte
	n := copy(head[:], text)
	key := shapeKey{size: len(text), end: end, head: binary.LittleEndian.Uint64(head[:]), mask: math.MaxUint64 >> (64 - 8*n)}
	switch key.need = max(len(text), 8); {
	case len(text) > 16:
		key.need = math.MaxInt / 2 // two looks are not enough: for begins
	case len(text) > 8:
		key.skip = len(text) - 8
		key.tail, key.rest = binary.LittleEndian.Uint64(text[key.skip:]), math.MaxUint64
	}
	return key
}
