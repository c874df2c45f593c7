package event

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"sync/atomic"

	"rosenblatt/learner"
)

// featureTemplate holds the keys of the leading numeric features of an earlier event, as they were written. Most
// producers write the same keys in the same order in each event. Such an event needs no search for the ends of keys,
// no hashing and no check for duplicate names, which halves the time. The result is the same with and without a
// template.
type featureTemplate struct {
	text     []byte // the keys as written, with what separates them from their values, concatenated
	keys     []templateKey
	names    uint64 // Example.Names of an event with all of the keys; 0 before it is needed
	misses   int    // events since the last one that fitted
	learning bool   // the keys of the current event are being added
	matched  int    // how many features of the current event came by the template and are not in Decoder.seen
}

// templateKey is a key of a template.
type templateKey struct {
	head, mask uint64          // its first eight bytes in little-endian order, and which bits of them count
	tail, rest uint64          // if it is longer than eight bytes, its last eight, and which bits of them count
	skip, need int             // where those begin, and how many bytes an event must have left to compare both
	size       int             // in bytes
	end        int             // where it ends in text
	hash       uint64          // of the feature's name
	feature    learner.Feature // without its value
}

// at reports whether the key, as written in text, is at b[i].
func (k *templateKey) at(b []byte, i int, text []byte) bool {
	if i+k.need > len(b) {
		return k.begins(b[i:], text)
	}
	return (binary.LittleEndian.Uint64(b[i:])^k.head)&k.mask|
		(binary.LittleEndian.Uint64(b[i+k.skip:])^k.tail)&k.rest == 0
}

// begins is at for long keys and for those near the end of b.
func (k *templateKey) begins(b, text []byte) bool {
	return bytes.HasPrefix(b, text[k.end-k.size:k.end])
}

// relearnAfter is how many events must differ from a template before it is learned anew. It bounds the cost of
// templates that do not pay.
const relearnAfter = 16

// relearn makes the template learn the current event, which differs from it, if enough events did.
func (t *featureTemplate) relearn() {
	if t.misses%relearnAfter == 0 {
		t.learning = true
		t.truncate()
	}
	t.misses++
}

// truncate drops the keys that the current event does not have.
func (t *featureTemplate) truncate() {
	end := 0
	if t.matched > 0 {
		end = t.keys[t.matched-1].end
	}
	t.keys, t.text, t.names = t.keys[:t.matched], t.text[:end], 0
}

// lists is the last number given to a list of names.
var lists atomic.Uint64

// list returns Example.Names of an event whose features are the matched ones.
func (t *featureTemplate) list() uint64 {
	if t.matched != len(t.keys) {
		return 0
	}
	if t.names == 0 {
		t.names = lists.Add(1)
	}
	return t.names
}

// unmatch adds the features that came by the template to Decoder.seen, before other features follow.
func (d *Decoder) unmatch() {
	t := &d.template
	for k := range t.matched {
		place, _ := d.seen.find(t.keys[k].hash)
		d.seen.put(place, t.keys[k].hash, k)
		if d.seen.full() {
			d.seen.grow()
		}
	}
	t.matched = 0
}

// learn adds the key of the numeric feature just added to the template, as long as all features so far were numbers
// with different names. text precedes the value; usual reports whether a template can hold it.
func (d *Decoder) learn(name, text []byte, usual bool) {
	t, h := &d.template, d.sum(name)
	if !usual || len(d.arena)-d.start != len(t.keys)+1 {
		t.learning = false
		return
	}
	key := newTemplateKey(text, len(t.text)+len(text))
	key.hash, key.feature = h, d.numeric(h)
	t.text = append(t.text, text...)
	t.keys = slices.Grow(append(t.keys, key), 1) // parseFixedFields needs room for one more
}

// numeric returns a numeric feature, without its value, whose name has the hash h.
func (d *Decoder) numeric(h uint64) learner.Feature {
	return learner.Feature{Slot: d.slot(h), Print: fingerprint(h), Kind: learner.Numeric}
}

// newTemplateKey returns the key that is written as text and ends at end in the template's text.
func newTemplateKey(text []byte, end int) templateKey {
	var head [8]byte
	n := copy(head[:], text)
	key := templateKey{size: len(text), end: end,
		head: binary.LittleEndian.Uint64(head[:]), mask: math.MaxUint64 >> (64 - 8*n)}
	switch key.need = max(len(text), 8); {
	case len(text) > 16:
		key.need = math.MaxInt / 2 // head and tail do not cover it: left to begins
	case len(text) > 8:
		key.skip = len(text) - 8
		key.tail, key.rest = binary.LittleEndian.Uint64(text[key.skip:]), math.MaxUint64
	}
	return key
}
