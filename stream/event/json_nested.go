package event

import (
	"strconv"

	"rosenblatt/learner"
	"rosenblatt/stream/internal/number"
)

// nested reads an object within a value called name: its members' names follow a dot.
func (d *Decoder) nested(i int, name []byte, prefix int) int {
	end := d.hold(name, prefix)
	d.name = append(d.name[:end], '.')
	if !d.enter(i) {
		return -1
	}
	i = d.object(i+1, end+1)
	d.json.depth--
	return i
}

// enter goes one level down, at the brace or bracket at i.
func (d *Decoder) enter(i int) bool {
	if d.json.depth >= d.options.MaxDepth {
		d.stop(TooDeep, i, "nested deeper than %d levels; raise the limit or flatten the event", d.options.MaxDepth)
		return false
	}
	d.json.depth++
	return true
}

// array reads an array of numbers or one of strings as features called name.
func (d *Decoder) array(i int, name []byte, prefix int) int {
	b := d.value
	if !d.enter(i) {
		return -1
	}
	end := d.hold(name, prefix)
	first := space(b, i+1)
	if first < len(b) && b[first] == ']' {
		d.json.depth--
		return first + 1
	}
	words := first < len(b) && b[first] == '"'
	good := true
	for i, n := first, 0; ; n++ {
		if i >= len(b) {
			return d.unexpected(i, "a value")
		}
		if good && d.elementFits(i, words) {
			i = d.element(i, end, n, words)
		} else {
			if good {
				d.unfit.add(BadFeatures, "field %v, offset %d: an array is all numbers or all strings", quoted(d.name[d.base:end]), i)
			}
			good = false
			i = d.skip(i)
		}
		if i < 0 {
			return -1
		}
		if i = space(b, i); i < len(b) && b[i] == ',' {
			i = space(b, i+1)
			continue
		}
		if i < len(b) && b[i] == ']' {
			d.json.depth--
			return i + 1
		}
		return d.unexpected(i, "a comma or the array's closing bracket")
	}
}

// elementFits says whether the value at i is a string, with words, or else a number.
func (d *Decoder) elementFits(i int, words bool) bool {
	switch d.value[i] {
	case '"':
		return words
	case '{', '[', 't', 'f', 'n':
		return false
	}
	return !words
}

// element reads element n of an array whose name ends at d.name[end].
func (d *Decoder) element(i, end, n int, words bool) int {
	if words {
		var text []byte
		if text, d.text, i = d.str(i, d.text); i >= 0 {
			d.name = append(append(d.name[:end], '='), text...)
			d.addOnce(d.name[d.base:])
		}
		return i
	}
	v, next := number.JSON(d.value, i)
	if next < 0 {
		return d.unexpected(i, "a value")
	}
	d.name = append(strconv.AppendInt(append(d.name[:end], '['), int64(n), 10), ']')
	d.add(d.name[d.base:], v, learner.Numeric)
	return next
}
