package event

import (
	"strings"

	"rosenblatt/learner"
	"rosenblatt/stream/avro"
	"rosenblatt/stream/internal/number"
)

// jsonParser reads JSON (RFC 8259) in one pass, without building a tree.
type jsonParser struct {
	*Decoder
	keyText    []byte        // scratch: an unescaped key
	besideText []byte        // scratch: the unescaped text field
	keyAt      int           // where the key of the current member begins, when a template is learned
	frame      int           // bytes of the frame before the current event
	around     *debeziumJSON // opens what is around each event; nil: nothing is, or the decoder opens it
}

func newJSON(d *Decoder) parser {
	d.nameRoles()
	d.framed = d.options.Framed && !strings.HasPrefix(d.options.Encoding, utf16BOM) // whose first byte may be 0
	p := &jsonParser{Decoder: d}
	if d.options.Envelope == Debezium {
		p.around = newDebeziumJSON(&d.options)
	}
	return p
}

// open implements parser. Blanks may follow an event. Its frame counts for the limit.
func (p *jsonParser) open(value, _ []byte) (whole, content []byte, skip bool) {
	content = p.Text(value)
	if p.frame = p.frameBytes(value); p.frame > 0 {
		whole = value
	} else {
		whole = content
	}
	if p.around != nil {
		content = p.openRow(whole, content)
	}
	return whole, content, false
}

// openRow finds the row in an envelope of Debezium. Times with a unit of their own are for parse, as is what is wrong.
func (p *jsonParser) openRow(whole, content []byte) []byte {
	z := p.around
	if z.wrong, z.gone = (Error{}), false; len(whole) == 0 || len(whole) > p.options.MaxBytes {
		return content // to be rejected
	}
	row := z.open(content)
	//mutation:clock-single-pass
	if p.along = nil; row == nil || len(z.clocks) > 0 {
		p.along = noPlan
	}
	p.borrowed = z.form.changed()
	return row
}

// parse implements parser. Offsets of errors are those in the value.
func (p *jsonParser) parse([]byte) {
	z := p.around
	switch {
	case z == nil:
		p.event(p.value)
	case z.wrong.Reason != OK:
		p.failed = z.wrong
	case z.gone:
		p.tombstone(deleted)
	default:
		p.event(p.value)
	}
	for _, e := range [...]*Error{&p.failed, &p.unfit} {
		if e.Offset >= 0 && z != nil && z.wrong.Reason == OK {
			e.Offset = z.form.place(e.Offset)
		}
		if e.Offset >= 0 {
			//mutation:offset-behind-frame
			e.Offset += p.frame
		}
	}
}

// event reads an event. If a features field follows other fields, the features made of those are discarded.
func (p *jsonParser) event(b []byte) {
	if !p.isUTF8(b) {
		return
	}
	if at := loneSurrogate(b); at >= 0 {
		p.stop(Encoding, at, "%v is half of a surrogate pair", quoted(b[at:min(at+6, len(b))]))
		return
	}
	p.beginObject()
	i := space(b, 0)
	if p.records.keyed && i < len(b) && b[i] != '{' {
		p.end(p.role(i, &field{role: labelRole}))
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
	if p.end(p.object(i+1, 0)) {
		p.endObject()
	}
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
		r := roles.of(name)
		v, end := 0.0, -1
		if r == plainRole && p.depth > 1 && p.emit && p.notes == nil {
			v, end = number.JSON(b, i)
		}
		if end >= 0 { // most members: sink.number without a look at the field
			p.add(name, v, learner.Numeric)
			if p.template.learning {
				p.learnValue(i, end, &field{name: name})
			}
			i = end
		} else if i = p.member(i, newField(name, prefix, r)); i < 0 {
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

// member reads the value of a member.
func (p *jsonParser) member(i int, f field) int {
	if f.role != plainRole || p.depth == 1 {
		return p.field(i, &f)
	}
	return p.common(i, &f)
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

// feature reads the value of f as features.
func (p *jsonParser) feature(i int, f *field) int {
	switch p.value[i] {
	case '{':
		return p.nested(i, f)
	case '[':
		return p.array(i, f)
	}
	next := p.simple(i, f)
	if p.template.learning && next >= 0 {
		p.learnValue(i, next, f)
	}
	return next
}

// simple reads a string, a number, true, false or null, the value of f.
func (p *jsonParser) simple(i int, f *field) (next int) {
	switch b := p.value; b[i] {
	case '"':
		var text []byte
		if text, next = p.str(i, &p.text); next >= 0 {
			p.word(i, f, b[i:next], text)
		}
	case 't', 'f', 'n':
		if next = p.constant(i); next >= 0 && b[i] != 'n' {
			p.literal(f, b[i:next])
		} else {
			p.noteNull(f)
		}
	default:
		v, end := number.JSON(b, i)
		if end < 0 {
			p.noteNull(f)
			return p.notANumber(i)
		}
		if p.around != nil && f.role == plainRole && f.kind == timeKind {
			if unit := p.around.clockOf(i); unit != avro.NoClock {
				c, ok := unitClock(unit, v)
				p.timeOf(f, c, ok, -1)
				return end
			}
		}
		p.number(f, b[i:end], v)
		return end
	}
	return next
}

// constant returns the offset after true, false or null, which begins at i.
func (p *jsonParser) constant(i int) int {
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
