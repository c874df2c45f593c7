package event

import (
	"slices"

	"rosenblatt/stream/internal/number"
)

// templateNamespace reads the features of an event's first namespace as far as they fit the template, from b[i]
// after the namespace's name, which is p.name[:prefix]. It returns where the rest begins: at a blank, a bar or the
// end. The namespace has no scale.
func (p *vwParser) templateNamespace(b []byte, i, prefix int) int {
	t := &p.template
	if p.visit != nil || len(p.arena) != p.start || i == len(b) || b[i] == '|' {
		return i // names are needed, or there are features already, or none here
	}
	if string(p.name[:prefix]) == string(p.namespace) {
		i = p.templateFeatures(b, i)
		if i == len(b) || b[i] == '|' {
			t.misses = 0
			return i
		}
	}
	if t.relearn(); t.learning {
		p.namespace = append(p.namespace[:0], p.name[:prefix]...)
		p.starts, p.nextStart, p.ready = [2]vwStart{}, 0, false // they were of another namespace
	}
	return i
}

// templateFeatures reads features as long as they fit the template, and counts them as matched. It returns the offset
// behind them. It leaves errors to the general parser.
func (p *vwParser) templateFeatures(b []byte, i int) int {
	d := p.Decoder
	t := &d.template
	first := len(d.arena)
	d.arena = slices.Grow(d.arena, len(t.keys)+1)
	out := d.arena[first : first+len(t.keys)]
	k := 0
	for k < len(t.keys) {
		n, at := parseFixedFields(b, i, t.keys[k:], out[k:], featureEnding)
		if k, i = k+n, at; k == len(t.keys) {
			break
		}
		key := &t.keys[k]
		if !key.at(b, i, t.text) {
			break
		}
		at = i + key.size
		v, end := number.Short(b, at)
		if end < 0 || !vwEnds(b, end) {
			end = vwWord(b, at)
			var kind number.Kind
			if v, kind = number.Text(b[at:end]); kind != number.Finite || !(v >= -limit && v <= limit) {
				break
			}
		}
		out[k] = key.feature
		out[k].Value = v
		k++
		i = end
	}
	t.matched = first + k - d.start
	d.arena = d.arena[:first+k]
	return i
}

// vwEnds reports whether a word ends at b[i].
func vwEnds(b []byte, i int) bool { return i >= len(b) || blank(b[i]) || b[i] == '|' }
