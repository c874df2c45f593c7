package decode

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"

	"rosenblatt/learner"
)

// shape remembers how the features object of an earlier event began: the keys of its leading numbers, as they were
// written. Most producers write the same keys in the same order again and again. An event that does so needs no
// search for the ends of keys, no hashing, and no test for doubles; that halves the time. What is decoded is the same either way.
type shape struct {
	text     []byte // `"key":` of each, one behind the other
	keys     []shapeKey
	misses   int  // events since the last one that fitted
	learning bool // the keys of the event at hand are being added
	pending  int  // how many features the event at hand has by its shape, while its table of names knows nothing of them
}

// shapeKey is one key.
type shapeKey struct {
	head, mask uint64          // its first eight bytes, the lowest first, and which bits of them count
	size       int             // in bytes
	end        int             // where it ends in text
	hash       uint64          // of the feature's name
	feature    learner.Feature // without its value
}

// at says whether the key, as it stands in text, stands at b[i].
func (k *shapeKey) at(b []byte, i int, text []byte) bool {
	if i+8 <= len(b) && k.size <= 8 {
		return (binary.LittleEndian.Uint64(b[i:])^k.head)&k.mask == 0
	}
	return bytes.HasPrefix(b[i:], text[k.end-k.size:k.end])
}

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
		s.keys = s.keys[:s.pending]
		s.text = s.text[:s.end(s.pending)]
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

// end gives where key n-1 ends in s.text.
func (s *shape) end(n int) int {
	if n == 0 {
		return 0
	}
	return s.keys[n-1].end
}

// follow reads members as long as they are those of the shape, without spaces, and counts them in pending. It returns the
// offset behind the object's closing brace, or of the first other member. What is wrong it leaves for others to find.
//
// What most numbers are, one digit and one to seven behind a point, is read here, without a branch that depends on the sign or on how
// many digits there are. Where the next member begins is known from one look at eight bytes, long before the value is.
func (d *Decoder) follow(i int) (next int, closed bool) {
	b, s := d.value, &d.json.shape
	n := len(d.arena)
	arena := slices.Grow(d.arena, len(s.keys))[:n+len(s.keys)]
	for k := range s.keys {
		key := &s.keys[k]
		if !key.at(b, i, s.text) {
			break
		}
		at := i + key.size
		var v float64
		var end int
		if at+margin > len(b) {
			v, end = number(b, at)
		} else {
			minus := 0
			if b[at] == '-' {
				minus = 1
			}
			_, count := leading(binary.LittleEndian.Uint64(b[at+3:])) // of the digits behind the first one, or with a sign of all
			end = at + 3 + count
			digits := uint(count + 1 - minus)
			whole, x := uint64(b[at+minus]-'0'), binary.LittleEndian.Uint64(b[at+minus+2:])^zeros
			if whole > 9 || b[at+minus+1] != '.' || x&0xff > 9 || digits-1 >= 7 || b[end] != ',' && b[end] != '}' {
				v, end = number(b, at)
			} else { // exact by exact: convert says why
				v = float64(int64(whole*wholePowers[digits]+eight(x<<(64-8*digits)))) / powers[digits]
				v = math.Float64frombits(math.Float64bits(v) | uint64(minus)<<63)
			}
		}
		if end < 0 || end >= len(b) || b[end] != ',' && b[end] != '}' || !(v >= -limit && v <= limit) {
			break
		}
		arena[n] = key.feature
		arena[n].Value = v
		n++
		i = end + 1
		if b[end] == '}' {
			closed = true
			break
		}
	}
	s.pending = n - d.start
	d.arena = arena[:n]
	return i, closed
}

// margin is how many bytes follow looks at behind a key.
const margin = 12

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
	key := shapeKey{size: len(text), end: len(s.text) + len(text), hash: h,
		feature: learner.Feature{Slot: d.slot(h), Print: fingerprint(h), Kind: learner.Numeric}}
	var head [8]byte
	n := copy(head[:], text)
	key.head, key.mask = binary.LittleEndian.Uint64(head[:]), math.MaxUint64>>(64-8*n)
	s.text = append(s.text, text...)
	s.keys = append(s.keys, key)
}
