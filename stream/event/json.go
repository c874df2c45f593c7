package event

import (
	"rosenblatt/learner"
	"rosenblatt/stream/internal/number"
)

// jsonParser reads JSON (RFC 8259) in one pass, without building a tree.
type jsonParser struct {
	*Decoder
	innerRoles fieldRoles // of names within the features object
	keyText    []byte     // scratch: an unescaped key
	keyAt      int        // where the key of the current member begins, when a template is learned
	missing    fieldRoles // the words that mean a missing value in a string that may be a number

	// The current event.
	flat   bool      // there is no features field so far: fields without another role are features
	inside bool      // within the features object
	emit   bool      // values are features here: flat or inside, and not within an ignored object
	depth  int       // of objects and arrays
	had    uint8     // bit r is set if there was a field with role r
	null   bool      // the features field is null: the event is a tombstone
	textAt int       // where the value of a text field outside of the features object begins; else 0
	fields nameTable // the names of the top-level fields

	numberWords bool // the numbers of the current array are words
}

func newJSON(d *Decoder) parser {
	p := &jsonParser{Decoder: d}
	d.roles.named(&d.options)
	d.roles.kinds(&d.options)
	p.innerRoles.within(&d.options, &d.roles)
	for _, word := range d.options.Missing {
		p.missing.add(word, ignoreRole)
	}
	return p
}

// parse implements parser. If a features field follows other fields, the features made of those are discarded.
func (p *jsonParser) parse(b []byte) {
	if p.visit == nil { // else Walk repeats an event, and it is known
		p.flat = !p.records.bare
	}
	p.inside, p.emit, p.depth, p.had, p.null, p.textAt = false, p.flat, 1, 0, false, 0
	p.numberWords = false
	p.fields.reset()
	i := space(b, 0)
	if p.records.keyed && i < len(b) && b[i] != '{' {
		p.end(p.labelField(i))
		return
	}
	if i >= len(b) || b[i] != '{' {
		const object = "an object like {\"label\":1,\"features\":{\"x\":0.5}}"
		if hint := registryHint(b); hint != "" {
			p.stop(Syntax, i, "%s is expected%s", object, hint)
			return
		}
		p.unexpected(i, object)
		return
	}
	if p.end(p.object(i+1, 0)) && p.null {
		p.tombstone()
	}
	p.Decoder.empty = p.had == 0 && p.fields.used == 0
}

// end reports whether the event ends with its value, which ends at i, or at -1 if it is not well formed.
func (p *jsonParser) end(i int) bool {
	if i >= 0 {
		if i = space(p.value, i); i < len(p.value) {
			i = p.unexpected(i, "the end of the event, one object,")
		}
	}
	return i >= 0
}

// tombstone makes the event one.
func (p *jsonParser) tombstone() {
	p.failed, p.unfit = Error{}, Error{}
	if p.options.Tombstones == SkipTombstones {
		*p.example = Example{Weight: 1, Start: p.start, End: p.start, Skip: true}
		return
	}
	p.failed.add(Empty, -1, "the field %q is null; nulls can be skipped (tombstones)", p.options.FeaturesField)
}

// space skips white space.
func space(b []byte, i int) int {
	const blanks = 1<<' ' | 1<<'\t' | 1<<'\n' | 1<<'\r'
	for i < len(b) && b[i] <= ' ' && blanks>>b[i]&1 != 0 {
		i++
	}
	return i
}

// object reads an object from behind its brace. p.name[p.base:prefix] precedes the names of its members. Like all
// methods that read a value, it returns the offset after it, or -1 if the event is not well formed.
func (p *jsonParser) object(i, prefix int) int {
	i = space(p.value, i)
	if i < len(p.value) && p.value[i] == '}' {
		return i + 1
	}
	return p.members(i, prefix)
}

// members reads the members of an object, at least one, and its closing brace.
func (p *jsonParser) members(i, prefix int) int {
	b := p.value
	roles := p.currentRoles()
	for {
		p.keyAt = i
		var key []byte
		if end := simpleKey(b, i); end > 0 {
			key, i = b[i+1:end], end+2
		} else if key, i = p.key(i); i < 0 {
			return -1
		}
		name := p.path(prefix, key)
		if r := roles.of(name); r != plainRole || p.depth == 1 {
			i = p.field(i, name, prefix, r)
		} else if v, end := number.JSON(b, i); end >= 0 && p.emit { // most members
			p.add(name, v, learner.Numeric)
			if p.template.learning {
				p.learnValue(i, end, place{}, name)
			}
			i = end
		} else {
			i = p.common(i, name, prefix)
		}
		if i < 0 {
			return -1
		}
		i = space(b, i)
		if i < len(b) && b[i] == ',' {
			i = space(b, i+1)
			continue
		}
		if i < len(b) && b[i] == '}' {
			return i + 1
		}
		return p.unexpected(i, "a comma or the object's closing brace")
	}
}

// currentRoles returns the roles of names in the current object.
func (p *jsonParser) currentRoles() *fieldRoles {
	if p.inside {
		return &p.innerRoles
	}
	return &p.roles
}

// simpleKey returns the offset of the closing quote of the key at b[i] if a colon and a visible byte follow it, else
// 0. Keys are short and the same in each event, so branches are predicted well: a tenth of the decoding time less
// than with plain.
func simpleKey(b []byte, i int) int {
	if i >= len(b) || b[i] != '"' {
		return 0
	}
	for i++; i < len(b) && b[i] != '"' && b[i] != '\\' && b[i] >= ' '; i++ {
	}
	if i+2 >= len(b) || b[i] != '"' || b[i+1] != ':' || b[i+2] <= ' ' {
		return 0
	}
	return i
}

// key reads a member's key and colon, up to its value.
func (p *jsonParser) key(i int) (key []byte, next int) {
	b := p.value
	if i >= len(b) || b[i] != '"' {
		return nil, p.unexpected(i, "a key in double quotes")
	}
	if key, i = p.str(i, &p.keyText); i < 0 {
		return nil, -1
	}
	i = space(b, i)
	if i >= len(b) || b[i] != ':' {
		return nil, p.unexpected(i, "a colon")
	}
	i = space(b, i+1)
	if i >= len(b) {
		return nil, p.unexpected(i, "a value")
	}
	return key, i
}

// feature reads a value as features called name.
func (p *jsonParser) feature(i int, name []byte, prefix int) int {
	switch p.value[i] {
	case '{':
		return p.nested(i, name, prefix)
	case '[':
		return p.array(i, name, prefix)
	}
	return p.simple(i, name, prefix, anyKind)
}

// simple reads a string, a number, true, false or null as a feature of a kind.
func (p *jsonParser) simple(i int, name []byte, prefix int, as kind) (next int) {
	switch b := p.value; b[i] {
	case '"':
		var text []byte
		if text, next = p.str(i, &p.text); next >= 0 {
			p.addString(i, name, prefix, text, as)
		}
	case 't', 'f', 'n':
		if next = p.literal(i); next >= 0 && b[i] != 'n' {
			p.addWord(name, prefix, b[i:next])
		}
	default:
		v, end := number.JSON(b, i)
		switch next = end; {
		case end < 0:
			next = p.notANumber(i)
		//mutation:number-as-word
		case as == wordKind:
			p.addWord(name, prefix, b[i:end])
		default:
			p.add(name, v, learner.Numeric)
		}
	}
	if p.template.learning && next >= 0 {
		p.learnValue(i, next, place{kind: as}, name)
	}
	return next
}

// literal returns the offset after true, false or null, which begins at i.
func (p *jsonParser) literal(i int) int {
	want := "true"
	switch p.value[i] {
	case 'f':
		want = "false"
	case 'n':
		want = "null"
	}
	end := i + len(want)
	if end > len(p.value) || string(p.value[i:end]) != want {
		return p.unexpected(i, want)
	}
	return end
}
