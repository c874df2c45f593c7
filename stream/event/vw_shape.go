package event

import (
	"rosenblatt/stream/internal/number"
	"slices"
)

// vwShaped reads the features of an event's first namespace as far as they are those of the shape (see shape, which is json's
// as well), from b[i] behind the namespace's name. It returns where the rest begins: at a blank, a bar or the end. The
// namespace's name is d.name[:prefix], and its scale is 1.
func (d *Decoder) vwShaped(b []byte, i, prefix int) int {
	s := &d.json.shape
	if d.visit != nil || len(d.arena) != d.start || i == len(b) || b[i] == '|' {
		return i // names are wanted, or there are features already, or none here
	}
	if string(d.name[:prefix]) == string(d.vw.space) {
		i = d.vwFollow(b, i)
		if i == len(b) || b[i] == '|' {
			s.misses = 0
			return i
		}
	}
	if s.misses%relearn == 0 {
		s.learning = true
		s.cut()
		d.vw = vwState{space: append(d.vw.space[:0], d.name[:prefix]...)} // what was known of starts was of another one
	}
	s.misses++
	return i
}

// vwFollow reads features as long as they are those of the shape, and counts them in its pending. It returns the offset behind
// them. What is wrong it leaves for others to find.
func (d *Decoder) vwFollow(b []byte, i int) int {
	s := &d.json.shape
	first := len(d.arena)
	d.arena = slices.Grow(d.arena, len(s.keys)+1)
	out := d.arena[first : first+len(s.keys)]
	k := 0
	for k < len(s.keys) {
		n, at := usual(b, i, s.keys[k:], out[k:], inLine)
		if k, i = k+n, at; k == len(s.keys) {
			break
		}
		key := &s.keys[k]
		if !key.at(b, i, s.text) {
			break
		}
		at = i + key.size
		v, end := number.Short(b, at)
		if end < 0 || !vwEnds(b, end) {
			end = vwWord(b, at)
			var is number.Kind
			if v, is = number.Text(b[at:end]); is != number.Finite || !(v >= -limit && v <= limit) {
				break
			}
		}
		out[k] = key.feature
		out[k].Value = v
		k++
		i = end
	}
	s.pending = first + k - d.start
	d.arena = d.arena[:first+k]
	return i
}

// vwEnds says whether a word ends at b[i].
func vwEnds(b []byte, i int) bool { return i >= len(b) || blank(b[i]) || b[i] == '|' }

// vwLearn adds the numeric feature just added to the shape, as long as nothing but such features with new names came. Text is
// the feature from one byte before its name up to its value.
func (d *Decoder) vwLearn(name, text []byte) {
	s := &d.json.shape
	if len(d.arena)-d.start != len(s.keys)+1 || !blank(text[0]) {
		s.learning = false
		return
	}
	d.extend(name, text)
}
