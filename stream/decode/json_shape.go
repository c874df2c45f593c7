package decode

import (
	"bytes"

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
	end  int    // where it ends in text
	hash uint64 // of the feature's name
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
func (d *Decoder) follow(i int) (next int, closed bool) {
	b, s, arena := d.value, &d.json.shape, d.arena
	from := 0
	for k := range s.keys {
		key := s.text[from:s.keys[k].end]
		from = s.keys[k].end
		if !bytes.HasPrefix(b[i:], key) {
			break
		}
		v, end := number(b, i+len(key))
		if end < 0 || end >= len(b) || !(v >= -limit && v <= limit) {
			break
		}
		if b[end] != ',' && b[end] != '}' {
			break
		}
		h := s.keys[k].hash
		arena = append(arena, learner.Feature{Slot: d.slot(h), Print: fingerprint(h), Kind: learner.Numeric, Value: v})
		i = end + 1
		if b[end] == '}' {
			closed = true
			break
		}
	}
	s.pending = len(arena) - d.start
	d.arena = arena
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
	s.text = append(s.text, text...)
	s.keys = append(s.keys, shapeKey{len(s.text), d.sum(name)})
}
