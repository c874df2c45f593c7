package event

import (
	"github.com/cespare/xxhash/v2"

	"rosenblatt/learner"
	"rosenblatt/stream/internal/number"
)

// limit is the largest magnitude of a value or a weight. It leaves room for sums of squares within float64. number.At
// reads no larger one.
const limit = number.Large

// add adds a feature to the current event. Values of the same name are summed.
func (d *Decoder) add(name []byte, v float64, k learner.Kind) {
	if len(d.prefixes) != 0 || d.options.Seed != 0 {
		d.addHashed(d.prefixedSum(name), name, v, k, false)
		return
	}
	d.addHashed(xxhash.Sum64(name), name, v, k, false) // sum, inlined by hand: this is the hottest path
}

// addOnce adds an indicator unless its name is present.
func (d *Decoder) addOnce(name []byte) {
	d.addHashed(d.prefixedSum(name), name, 1, learner.Indicator, true)
}

// addHashed is add or, with once, addOnce, of a name whose hash is known.
func (d *Decoder) addHashed(h uint64, name []byte, v float64, k learner.Kind, once bool) {
	if !(v >= -limit && v <= limit) {
		d.outOfRange(name, v)
		return
	}
	place, found := d.seen.find(h)
	if found {
		if !once {
			d.addTo(int(d.seen.entries[place].index), name, v)
		}
		return
	}
	index := len(d.arena) - d.start
	if index >= d.options.MaxFeatures {
		if d.unfit.replacedBy(TooManyFeatures) {
			d.unfit.add(TooManyFeatures, -1, "feature %v: more than %d features; raise the limit or send fewer",
				quoted(name), d.options.MaxFeatures)
		}
		return
	}
	d.arena = append(d.arena, learner.Feature{Slot: d.slot(h), Print: fingerprint(h), Kind: k, Value: v})
	d.seen.put(place, h, index)
	if d.seen.full() {
		d.seen.grow()
	}
	if d.visit != nil {
		d.visit(name, index)
	}
}

// addTo adds v to the feature at index.
func (d *Decoder) addTo(index int, name []byte, v float64) {
	f := &d.arena[d.start+index]
	f.Value += v
	if !(f.Value >= -limit && f.Value <= limit) {
		d.outOfRange(name, f.Value)
	}
}

func (d *Decoder) outOfRange(name []byte, v float64) {
	if d.unfit.replacedBy(OutOfRange) {
		d.unfit.add(OutOfRange, -1, "feature %v: %g is over %g in magnitude; scale it down where it is produced",
			quoted(name), v, limit)
	}
}

// discard drops the features found so far and what is wrong with them.
func (d *Decoder) discard() {
	d.template.discard()
	d.arena = d.arena[:d.start]
	d.seen.reset()
	d.unfit = Error{}
}

// hold stores a name in d.name, so that it can be extended, and returns where it ends. prefix is what path was called
// with.
func (d *Decoder) hold(name []byte, prefix int) int {
	if prefix == d.base {
		d.name = append(d.name[:prefix], name...)
	}
	return len(d.name)
}

// path returns the name of a feature: the prefix in d.name and a key. Without a prefix it is the key itself.
func (d *Decoder) path(prefix int, key []byte) []byte {
	if prefix == d.base {
		return key
	}
	d.name = append(d.name[:prefix], key...)
	return d.name[d.base:]
}

// addWord adds the indicator `name=word`.
func (d *Decoder) addWord(name []byte, prefix int, word []byte) {
	end := d.hold(name, prefix)
	d.name = append(append(d.name[:end], '='), word...)
	d.add(d.name[d.base:], 1, learner.Indicator)
}
