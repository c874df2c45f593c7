package event

import (
	"rosenblatt/learner"
	"rosenblatt/stream/internal/number"
)

// field reads a value with a role, or one of a top-level field.
func (d *Decoder) field(i int, name []byte, prefix int, r role) int {
	if d.json.depth == 1 && (r == plainRole || r == ignoreRole) { // had knows the others
		h := d.sum(name)
		place, there := d.json.fields.find(h)
		if there {
			return d.duplicate(i, name)
		}
		d.json.fields.put(place, h, 0)
		if d.json.fields.full() {
			d.json.fields.grow()
		}
		if r == plainRole && d.json.emit {
			if v, end := number.JSON(d.value, i); end >= 0 {
				d.addHashed(h, name, v, learner.Numeric, false)
				return end
			}
		}
	}
	switch r {
	case plainRole:
		return d.common(i, name, prefix)
	case ignoreRole:
		return d.search(i, name, prefix)
	case textRole:
		if d.json.inside {
			return d.textField(i, name, prefix)
		}
	}
	if d.json.had&(1<<r) != 0 {
		return d.duplicate(i, name)
	}
	d.json.had |= 1 << r
	switch r {
	case textRole:
		return d.textField(i, name, prefix)
	case featuresRole:
		return d.features(i, prefix)
	case idRole:
		return d.idField(i)
	case weightRole:
		return d.weightField(i)
	default:
		return d.labelField(i)
	}
}

func (d *Decoder) duplicate(i int, name []byte) int {
	d.failed.add(DuplicateField, "offset %d: the field %v stands there twice; send it once", i, quoted(name))
	return d.skip(i)
}

// features reads the features field.
func (d *Decoder) features(i, prefix int) int {
	if d.json.flat {
		d.json.flat = false
		d.discard()
	}
	if d.value[i] != '{' {
		d.failed.add(BadFeatures, "offset %d: the field %q is no object; send {\"name\":value, ...}", i, d.options.FeaturesField)
		return d.skip(i)
	}
	if !d.enter(i) {
		return -1
	}
	// The names within begin anew, behind the prefix that what is around this object still needs.
	outside := d.base
	d.base, d.json.inside, d.json.emit = prefix, true, true
	if at := d.json.textAt; at != 0 { // discarded above, but wanted beside a features field too
		d.textField(at, view(d.options.TextField), prefix)
	}
	i = d.shaped(i+1, prefix)
	d.base, d.json.inside, d.json.emit = outside, false, false
	d.json.depth--
	return i
}

// common reads a value without a role: as features where features are wanted.
func (d *Decoder) common(i int, name []byte, prefix int) int {
	if d.json.emit {
		return d.feature(i, name, prefix)
	}
	return d.search(i, name, prefix)
}

// search passes a value that is no feature; in an object there may still be fields with a role.
func (d *Decoder) search(i int, name []byte, prefix int) int {
	j := &d.json
	if d.value[i] != '{' || !d.scope().dotted {
		return d.skip(i)
	}
	emit := j.emit
	j.emit = false
	i = d.nested(i, name, prefix)
	j.emit = emit && (j.flat || j.inside) // unless the features field was in there
	return i
}

// textField reads the field that is split into words, within the features object or beside it. If it is no string it is a
// field like any other.
func (d *Decoder) textField(i int, name []byte, prefix int) int {
	if d.value[i] != '"' {
		return d.common(i, name, prefix)
	}
	if d.json.flat {
		d.json.textAt = i
	}
	text, scratch, next := d.str(i, d.text)
	d.text = scratch
	if next >= 0 {
		d.addText(name, prefix, text)
	}
	return next
}

// token reads a value and returns it as it was written.
func (d *Decoder) token(i int) (raw []byte, next int) {
	next = d.skip(i)
	if next < 0 {
		return nil, -1
	}
	return d.value[i:next], next
}

// idField reads the id.
func (d *Decoder) idField(i int) int {
	if c := d.value[i]; c == '{' || c == '[' {
		return d.stop(Syntax, i, "the id is no string, number or bool; send one of them, or name another field as the id")
	}
	raw, next := d.token(i)
	if next >= 0 && raw[0] != 'n' {
		d.example.ID, d.example.IDIsJSON = raw, true
	}
	return next
}

// weightField reads the example's weight.
func (d *Decoder) weightField(i int) int {
	raw, next := d.token(i)
	if next < 0 || raw[0] == 'n' {
		return next
	}
	v, end := number.JSON(raw, 0)
	if end < 0 {
		d.badWeight(raw)
		return next
	}
	d.weight(raw, v)
	return next
}

// labelField reads the label.
func (d *Decoder) labelField(i int) int {
	if v, next := number.JSON(d.value, i); next >= 0 { // what most labels are
		d.label(d.value[i:next], true, v)
		return next
	}
	raw, next := d.token(i)
	if next < 0 || raw[0] == 'n' {
		return next
	}
	switch raw[0] {
	case '{', '[':
		d.failed.add(BadLabel, "offset %d: the label is no number, bool or string", i)
	case '"':
		if d.options.multi() {
			d.stringClass(raw, i)
			break
		}
		text, scratch, _ := d.str(i, d.text)
		d.text = scratch
		d.label(text, false, 0)
	default: // true or false
		d.label(raw, false, 0)
	}
	return next
}
