package event

import (
	"bytes"

	"rosenblatt/learner"
	"rosenblatt/stream/internal/number"
)

// field reads the value of a field with a role, or of a top-level field.
func (p *jsonParser) field(i int, name []byte, prefix int, r role) int {
	if p.depth == 1 && (r == plainRole || r >= ignoreRole) { // had covers the others
		h := p.sum(name)
		slot, there := p.fields.find(h)
		if there {
			return p.duplicate(i, name)
		}
		p.fields.put(slot, h, 0)
		if p.fields.full() {
			p.fields.grow()
		}
		if r == plainRole && p.emit {
			if v, end := number.JSON(p.value, i); end >= 0 {
				p.addHashed(h, name, v, learner.Numeric, false)
				if p.template.learning {
					p.learnValue(i, end, place{}, name)
				}
				return end
			}
		}
	}
	switch r {
	case plainRole:
		return p.common(i, name, prefix)
	case ignoreRole:
		return p.search(i, name, prefix)
	case wordRole, numberRole:
		return p.kindField(i, name, prefix, r)
	case textRole:
		if p.inside {
			return p.textField(i, name, prefix)
		}
	}
	if p.had&(1<<r) != 0 {
		return p.duplicate(i, name)
	}
	p.had |= 1 << r
	var next int
	switch r {
	case textRole:
		return p.textField(i, name, prefix)
	case featuresRole:
		return p.features(i, prefix)
	case idRole:
		next = p.idField(i)
	case weightRole:
		next = p.weightField(i)
	default:
		next = p.labelField(i)
	}
	if p.template.learning && next >= 0 {
		p.learnValue(i, next, place{role: r}, nil)
	}
	return next
}

func (p *jsonParser) duplicate(i int, name []byte) int {
	p.failed.add(DuplicateField, i, "duplicate field %v; send it once", quoted(name))
	return p.skip(i)
}

// features reads the features field.
func (p *jsonParser) features(i, prefix int) int {
	if p.flat {
		p.flat = false
		p.discard()
	}
	if p.value[i] == 'n' {
		p.null = true
		return p.literal(i)
	}
	if p.value[i] != '{' {
		p.failed.add(BadFeatures, i, "the field %q is not an object; send {\"name\":value, ...}",
			p.options.FeaturesField)
		return p.skip(i)
	}
	if !p.enter(i) {
		return -1
	}
	// Names within the object begin after the prefix, which the objects around it still need.
	outside, prefixes := p.base, p.prefixes
	p.base, p.inside, p.emit, p.prefixes = prefix, true, true, p.prefixes[len(prefixes):]
	if at := p.textAt; at != 0 { // its features were discarded, but count beside a features field too
		p.textField(at, view(p.options.TextField), prefix)
	}
	i = p.object(i+1, prefix)
	p.base, p.inside, p.emit, p.prefixes = outside, false, false, prefixes
	p.depth--
	return i
}

// common reads a value without a role: as features unless it is outside of the features object.
func (p *jsonParser) common(i int, name []byte, prefix int) int {
	if p.emit {
		return p.feature(i, name, prefix)
	}
	return p.search(i, name, prefix)
}

// search skips a value that is not a feature, except for fields with a role within an object.
func (p *jsonParser) search(i int, name []byte, prefix int) int {
	if p.value[i] != '{' || !p.currentRoles().dotted {
		next := p.skip(i)
		if p.template.learning && next >= 0 {
			p.learnValue(i, next, place{role: ignoreRole}, nil)
		}
		return next
	}
	emit := p.emit
	p.emit = false
	i = p.nested(i, name, prefix)
	p.emit = emit && (p.flat || p.inside) // unless the features field was in there
	return i
}

// textField reads the field that is split into words, within the features object or beside it. A value other than a
// string is read like that of any other field.
func (p *jsonParser) textField(i int, name []byte, prefix int) int {
	p.template.abandon() // a template would take a string in its place for a word
	if p.value[i] != '"' {
		return p.common(i, name, prefix)
	}
	if p.flat {
		p.textAt = i
	}
	text, next := p.str(i, &p.text)
	if next >= 0 {
		p.addText(name, prefix, text)
	}
	return next
}

// token reads a value and returns it as written.
func (p *jsonParser) token(i int) (raw []byte, next int) {
	next = p.skip(i)
	if next < 0 {
		return nil, -1
	}
	return p.value[i:next], next
}

// idField reads the id.
func (p *jsonParser) idField(i int) int {
	if c := p.value[i]; c == '{' || c == '[' {
		return p.stop(Syntax, i, "the id is not a string, number or bool; "+
			"send one of them, or name another field as the id")
	}
	raw, next := p.token(i)
	if next >= 0 && !null(raw) {
		//mutation:ids-as-text
		p.example.ID, p.example.IDIsJSON = raw, raw[0] == '"' || !p.options.TextIDs
	}
	return next
}

// blankText reports whether the value at i, raw, is a text without content: no label and no weight, like a blank cell.
func (p *jsonParser) blankText(raw []byte, i int) bool {
	if raw[0] != '"' {
		return false
	}
	text, _ := p.str(i, &p.text)
	return len(bytes.Trim(text, " ")) == 0
}

// weightField reads the example's weight.
func (p *jsonParser) weightField(i int) int {
	raw, next := p.token(i)
	if next < 0 || null(raw) || p.blankText(raw, i) {
		return next
	}
	v, end := number.JSON(raw, 0)
	if end < 0 {
		p.badWeight(raw)
		return next
	}
	p.weight(raw, v)
	return next
}

// labelField reads the label.
func (p *jsonParser) labelField(i int) int {
	if v, next := number.JSON(p.value, i); next >= 0 { // most labels
		p.labels.token(p.Decoder, p.value[i:next], true, v)
		return next
	}
	raw, next := p.token(i)
	//mutation:blank-label
	if next < 0 || null(raw) || p.blankText(raw, i) {
		return next
	}
	switch raw[0] {
	case '{', '[':
		p.failed.add(BadLabel, i, "the label is not a number, bool or string")
	case '"':
		p.labels.quoted(p, raw, i)
	default: // true or false
		p.labels.token(p.Decoder, raw, false, 0)
	}
	return next
}
