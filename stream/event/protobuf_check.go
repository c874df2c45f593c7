package event

import (
	"unicode/utf8"

	"rosenblatt/stream/protobuf"
)

// pathPart is a field of a message in, around what is checked. The key of an entry of a map is from from to to.
type pathPart struct {
	in       *protobuf.Message
	field    *protobuf.Field
	from, to int
}

// check checks the fields of a message up to its end, or to that of the group, if it is one.
func (p *protobufParser) check(m *protobuf.Message, i, end int, group int32) (next int) {
	for i < end {
		number, wire, next := p.tag(i, end)
		switch {
		case next < 0:
			return -1
		case wire == protobuf.EndGroup && number == group:
			return next
		}
		place := m.Place(number)
		switch {
		case place >= 0 && m.Fields[place].Wire == wire:
			i = p.checkField(m, &m.Fields[place], next, end)
		case place >= 0 && m.Fields[place].Packs() && wire == protobuf.Sized:
			i = p.checkPacked(m, &m.Fields[place], next, end)
		default:
			_, _, i = p.extent(number, wire, next, end)
		}
		if i < 0 {
			return -1
		}
	}
	if group != 0 {
		return p.stop(Syntax, end, "the group %d does not end; is the event truncated?", group)
	}
	return i
}

// checkField checks the value of a field of m.
func (p *protobufParser) checkField(m *protobuf.Message, f *protobuf.Field, i, end int) (next int) {
	p.around = append(p.around, pathPart{in: m, field: f})
	levels := 0
	//mutation:protobuf-levels
	if f.Repeated && !f.Absent && m.Meaning != protobuf.Struct && m.Meaning != protobuf.List {
		levels++
	}
	if isObject(f) && !f.Absent {
		levels++
	}
	if levels > 0 && !p.levels(levels, i) {
		return -1
	}
	if f.IsMap() && p.depth == p.options.MaxDepth && p.tooDeep < 0 && isObject(f.Message.Value()) {
		p.tooDeep = i // an object, of which there may not be a byte
	}
	if f.Kind == protobuf.Nested {
		next = p.checkNested(f, i, end)
	} else {
		var from, to int
		from, to, next = p.extent(f.Number, f.Wire, i, end)
		if next >= 0 && f.Kind == protobuf.String && !p.checkText(from, to) {
			return -1
		}
	}
	if next < 0 {
		return -1
	}
	p.depth -= levels
	p.around = p.around[:len(p.around)-1]
	return next
}

// levels counts levels of nesting that begin at offset i. An event is too deep if they count: another member of a oneof
// may take the place of what is there.
func (p *protobufParser) levels(n, i int) bool {
	if p.wary && p.roleAt() == idRole {
		p.stop(Syntax, i, notAnID)
		return false
	}
	if p.depth += n; p.depth > p.options.MaxDepth && p.tooDeep < 0 {
		p.tooDeep = i
	}
	return true
}

// isObject reports whether one value of a field is an object or an array in JSON, whatever is in it.
func isObject(f *protobuf.Field) bool {
	if f.Kind != protobuf.Nested || f.Message.Entry {
		return false
	}
	switch f.Message.Meaning {
	case protobuf.Object, protobuf.Struct, protobuf.List:
		return true
	}
	return false
}

// checkNested checks a message within another one.
func (p *protobufParser) checkNested(f *protobuf.Field, i, end int) (next int) {
	if p.nested++; p.nested > deepestGroup {
		return p.stop(Syntax, i, "more than %d messages within each other", deepestGroup)
	}
	absent := p.absent
	p.absent = absent || f.Absent
	if f.Wire == protobuf.StartGroup {
		next = p.check(f.Message, i, end, f.Number)
	} else if from, to := p.run(i, end); to < 0 {
		next = -1
	} else {
		last := len(p.around) - 1
		p.around[last].from, p.around[last].to = from, to
		next = p.check(f.Message, from, to, 0)
	}
	p.absent = absent
	p.nested--
	return next
}

// checkPacked checks several values in one run of bytes.
func (p *protobufParser) checkPacked(m *protobuf.Message, f *protobuf.Field, i, end int) (next int) {
	p.around = append(p.around, pathPart{in: m, field: f})
	from, to := p.run(i, end)
	switch {
	case to < 0:
		return -1
	case to > from && !p.levels(1, i):
		return -1
	case to > from:
		p.depth--
	}
	for at := from; at < to; {
		if _, _, at = p.extent(f.Number, f.Wire, at, to); at < 0 {
			return -1
		}
	}
	p.around = p.around[:len(p.around)-1]
	return to
}

// checkText checks that a string is UTF-8, unless it is ignored or has no JSON form.
func (p *protobufParser) checkText(from, to int) bool {
	text := p.value[from:to]
	switch {
	case p.absent || utf8.Valid(text):
		return true
	case p.strict:
		return false
	}
	//mutation:protobuf-ignored-text
	if _, ignored := p.place(); ignored {
		return true
	}
	at := from + invalid(text)
	p.stop(Encoding, at, "%v is not UTF-8", quoted(p.value[at:min(at+utf8.UTFMax, to)]))
	return false
}

// roleAt returns the role of the field that is checked.
func (p *protobufParser) roleAt() role {
	r, _ := p.place()
	return r
}

// place returns the role of the field that is checked, and whether it is within an ignored one.
func (p *protobufParser) place() (of role, ignored bool) {
	p.name = p.name[:0]
	roles := &p.roles
	for n := range p.around {
		part := &p.around[n]
		switch {
		case part.in.Entry && part.field.Number == 2:
			p.name = p.appendKey(p.name, &p.around[n-1])
		case part.in.Entry, part.in.Meaning != protobuf.Object:
			continue
		default:
			p.name = append(p.name, part.field.Name...)
		}
		switch of = roles.of(p.name); of {
		case ignoreRole:
			ignored = true
		case labelRole, idRole, weightRole:
			ignored = false
		case featuresRole:
			p.name, roles = p.name[:0], &p.within
			continue
		}
		p.name = append(p.name, '.')
	}
	return of, ignored
}

// appendKey appends the key of an entry of a map.
func (p *protobufParser) appendKey(dst []byte, entry *pathPart) []byte {
	at, failed := len(p.stretches), p.failed
	head := p.stretch(entry.from, entry.to)
	places := p.scan(entry.field.Message, head)
	dst = p.keyText(dst, entry.field.Message, places)
	p.heads, p.stretches, p.failed = p.heads[:places], p.stretches[:at], failed
	return dst
}
